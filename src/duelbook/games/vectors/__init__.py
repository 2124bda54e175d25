"""Optional beside a game's rules: the same rules over arrays, for games with many positions.

A module here has the name of its game's module and offers `SIZE`, `pack`, `unpack`, `expand` and
`outcome`; the game names it in `vectors`. Tests hold it to the rules.
"""
