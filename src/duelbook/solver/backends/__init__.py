"""Backends: they run the rules and number the positions, here or elsewhere."""
