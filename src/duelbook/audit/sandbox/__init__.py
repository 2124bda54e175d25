"""The sandbox: it runs a file in a separate process, within limits."""
