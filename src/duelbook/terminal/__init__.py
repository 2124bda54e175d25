"""Play at the terminal: plain text as the book prints it, or the same with colour and pictures."""
