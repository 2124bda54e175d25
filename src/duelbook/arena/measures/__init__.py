"""Measures of players: regret, ratings, confidence intervals, mistakes."""
