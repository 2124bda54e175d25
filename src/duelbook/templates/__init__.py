"""The files that `duelbook new` writes, and what writes them."""
