"""The colours of the seats."""

SEAT_COLOURS = ("cyan", "magenta")
