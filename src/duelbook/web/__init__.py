"""The games in a browser: the server, its store, its page, and a client for programs."""
