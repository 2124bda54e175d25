"""The server process: HTTP requests, WebSockets, limits, settings."""
