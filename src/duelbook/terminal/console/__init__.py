"""The terminal as a device: reading lines, writing text, drawing pictures."""
