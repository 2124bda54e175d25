"""Finding and loading games: built in, installed, in a file, or as a Gym-style class."""
