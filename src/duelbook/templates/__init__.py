"""Templates of the files that `duelbook new` writes."""
