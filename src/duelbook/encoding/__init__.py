"""Encoding: views and values as arrays of numbers."""
