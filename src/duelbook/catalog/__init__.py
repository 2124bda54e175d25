"""Find and load games: built-in and installed games, files, and Gym-style classes."""
