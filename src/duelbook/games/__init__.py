"""The games: one file each with a frozen class of positions, and its rules page beside it."""
