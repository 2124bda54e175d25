"""Backends: where the rules are asked and positions are numbered."""
