"""The mark that stands where a seat may not look."""

from enum import Enum
from typing import Final


class Hidden(Enum):
    """The type of `HIDDEN`: one value, equal only to itself, so that it survives copies."""

    HIDDEN = "hidden"

    def __repr__(self) -> str:
        return "HIDDEN"

    __str__ = __repr__


HIDDEN: Final = Hidden.HIDDEN
