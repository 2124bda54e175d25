"""Optional rules over arrays, for games with many positions.

A module here has the name of its game's module and defines `SIZE`, `pack`, `unpack`, `expand`,
`fields` and `outcome`; the game names it in `vectors`. Tests compare it with the rules.
"""
