"""Gym-style classes as games."""
