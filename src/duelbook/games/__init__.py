"""One file a game: a frozen class whose instances are positions, with its rules page beside it."""
