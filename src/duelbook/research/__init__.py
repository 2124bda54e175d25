"""Tools for research: policies, playouts, simulation, evaluation, vectorised environments."""
