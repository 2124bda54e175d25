"""Rules over arrays, for games with many positions; they are optional.

A module has the name of its game's module and the functions of the protocol in
`duelbook/solver/tables/array_rules.py`. The game names the module in `vectors`. `duelbook check`
compares both sets of rules.
"""
