"""The games inside other frameworks: a module each, which imports that framework."""
