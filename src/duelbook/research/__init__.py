"""Research tools: policies, playouts, simulation, evaluation, vectorised environments."""
