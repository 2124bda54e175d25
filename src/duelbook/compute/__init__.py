"""Worker processes and time slices: long computations that keep no request waiting."""
