"""The full-screen table: the board in place, and choices by keys or mouse."""
