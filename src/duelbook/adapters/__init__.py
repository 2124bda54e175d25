"""The games in other frameworks: one module for each framework, which imports it."""
