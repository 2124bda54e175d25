"""Auditing folders of games: each file runs in a sandbox with limits."""
