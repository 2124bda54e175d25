"""Tournaments: tournaments of any players, whose every move can be judged exactly."""
