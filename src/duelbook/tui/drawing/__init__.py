"""Drawing scenes in characters."""
