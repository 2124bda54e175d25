"""Position tables: all positions and moves of a game as arrays."""
