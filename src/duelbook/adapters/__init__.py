"""The games in other frameworks: one module for each, which imports that framework."""
