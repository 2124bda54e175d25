"""Local and online games in the full-screen interface, and their screens."""
