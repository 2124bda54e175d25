"""Compiled loops over a position table."""
