"""Exact knowledge of a game: tables of all positions, solutions, and search."""
