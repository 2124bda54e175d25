"""Find and load games: built in, installed, in a file, or as a Gym-style class."""
