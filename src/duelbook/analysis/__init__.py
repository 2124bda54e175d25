"""Verdicts, hints, analysis, checks of claims, and reports."""
