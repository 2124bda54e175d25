"""Errors. The text of each error is a sentence that a player understands."""


class DuelbookError(ValueError):
    """Duelbook refuses something; the text says why."""


class InvalidMove(DuelbookError):  # noqa: N818 # named in the words of a player
    """The words are not a move of this game."""


class IllegalMove(DuelbookError):  # noqa: N818 # as above
    """The move belongs to this game but is not legal in this position."""


class UnknownGame(DuelbookError):  # noqa: N818 # as above
    """The name matches no game, or more than one."""


class SaveError(DuelbookError):
    """A saved game cannot be read or written."""


class PrivateInformationError(DuelbookError):
    """The game has private information, so its position table alone does not solve it."""


class TooLarge(DuelbookError):  # noqa: N818 # as above
    """The game has more positions than the limit."""
