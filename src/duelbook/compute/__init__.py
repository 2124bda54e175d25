"""Worker processes and time slices: long computations that do not block requests."""
