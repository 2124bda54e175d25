"""`HIDDEN`, which replaces in a view the values that a seat may not know."""

from enum import Enum
from typing import Final


class Hidden(Enum):
    """The type of `HIDDEN`: an enum with one value, so that copies and pickles stay identical."""

    HIDDEN = "hidden"

    def __repr__(self) -> str:
        return "HIDDEN"

    __str__ = __repr__


HIDDEN: Final = Hidden.HIDDEN
