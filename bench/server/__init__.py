"""The server, measured beside a peer and a bare echo."""
