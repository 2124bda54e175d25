"""The full-screen interface (TUI): the board, and choices by keys or mouse."""
