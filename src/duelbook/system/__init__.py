"""The operating system: files, logs, child processes, clusters."""
