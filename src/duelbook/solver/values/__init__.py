"""Values of the positions in a table."""
