"""The results of a tournament, as standings and as an HTML page."""
