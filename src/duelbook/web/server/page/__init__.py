"""The files of the page: its bundles, version, head and rules."""
