"""Auditing folders of games: each file examined on its own, within limits, whatever it does."""
