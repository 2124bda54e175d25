"""What can go wrong, each with a sentence that a player understands."""


class DuelbookError(ValueError):
    """Anything that Duelbook refuses; its text says why."""


class InvalidMove(DuelbookError):  # noqa: N818 # named for what it is, as a player would say it
    """Words that cannot be read as a move of this game."""


class IllegalMove(DuelbookError):  # noqa: N818 # as above
    """A move of this game that is not allowed here."""


class UnknownGame(DuelbookError):  # noqa: N818 # as above
    """A name that no game, or more than one, goes by."""


class SaveError(DuelbookError):
    """A saved game that cannot be read or written."""


class TooLarge(DuelbookError):  # noqa: N818 # as above
    """A game with more positions than are to be looked at."""
