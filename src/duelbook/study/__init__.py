"""Knowing everything about a game: verdicts, hints, analysis, proofs and reports."""
