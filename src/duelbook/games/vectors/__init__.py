"""Optional rules over arrays, for games with many positions.

A module here has the name of its game's module and the functions of `Vectors` in
`duelbook/solver/tables/array_rules.py`; the game names it in `vectors`. `duelbook check`
compares the two.
"""
