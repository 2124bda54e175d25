"""Tournaments between any players, with an exact judgement of every move."""
