"""What every front end needs of a sitting: matches, series, names, typed moves, saves."""
