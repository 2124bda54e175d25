"""What every front end needs: matches, series, names, typed moves, saves."""
