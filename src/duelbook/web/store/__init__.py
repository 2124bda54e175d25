"""The store: database, writers, backups, and notices between servers."""
