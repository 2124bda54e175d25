"""The parts that all front ends share: matches, series, names, typed moves, saves."""
