"""Exact solutions: tables of all positions, solvers, and search."""
