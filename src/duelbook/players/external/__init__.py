"""External players: programs, classes, saved policies and language models by name."""
