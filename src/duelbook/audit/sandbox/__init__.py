"""The sandbox: run a file in a process of its own, within limits."""
