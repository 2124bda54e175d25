"""`HIDDEN`: in a view, it replaces each value that a seat may not know."""

from enum import Enum
from typing import Final


class Hidden(Enum):
    """The type of `HIDDEN`: an enum, so that copies and pickles are the same object."""

    HIDDEN = "hidden"

    def __repr__(self) -> str:
        return "HIDDEN"

    __str__ = __repr__


HIDDEN: Final = Hidden.HIDDEN
