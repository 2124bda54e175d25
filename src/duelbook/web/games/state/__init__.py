"""The state of a game on the server, and what each seat sees of it."""
