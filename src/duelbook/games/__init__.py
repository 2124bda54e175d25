"""The games: one file each, with its rules page beside it."""
