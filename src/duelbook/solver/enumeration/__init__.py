"""Enumeration: find all reachable positions of a game."""
