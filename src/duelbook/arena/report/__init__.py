"""Results of a tournament as standings and as a page."""
