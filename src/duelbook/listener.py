"""The listener of a text: the text says `you` to the listener, and names everyone else."""

from __future__ import annotations

from dataclasses import dataclass

COMPUTER = "the computer"
_IRREGULAR = {"be": ("are", "is"), "have": ("have", "has")}
_HISSING = ("s", "x", "z", "ch", "sh", "o")


@dataclass(frozen=True, slots=True)
class Who:
    """A player in a text for a listener: `you`, `the computer`, `Ann`."""

    name: str
    is_you: bool = False

    def __str__(self) -> str:
        return "you" if self.is_you else self.name

    @property
    def whose(self) -> str:
        """The possessive inside a sentence: `your`, `the computer's`, `Ann's`."""
        return "your" if self.is_you else f"{self.name}'s"

    def does(self, verb: str) -> str:
        """Return subject and verb inside a sentence: `you build`, `Ann builds`."""
        return f"{self} {agreeing(verb, second_person=self.is_you)}"

    def opens(self, verb: str) -> str:
        """Return subject and verb at the start of a sentence: `You build`, `Ann builds`."""
        return _capital(self.does(verb)) if self._is_common() else self.does(verb)

    def opens_whose(self) -> str:
        """Return the possessive at the start of a sentence: `Your`, `The computer's`, `Ann's`."""
        return _capital(self.whose) if self._is_common() else self.whose

    def _is_common(self) -> bool:
        """Return whether the noun has a capital only at the start of a sentence."""
        return self.is_you or self.name == COMPUTER


@dataclass(frozen=True, slots=True)
class Listener:
    """The names of both seats, and the seat that the text calls `you`, if any.

    For spectators, and for two players at one device, no seat is `you`.
    """

    names: tuple[str, str] = ("Player 1", "Player 2")
    seat: int | None = None

    def who(self, seat: int) -> Who:
        """Return the noun for a seat in a text for this listener."""
        return Who(self.names[seat], seat == self.seat)


BOOK = Listener()
"""The listener of the books: they call the players `Player 1` and `Player 2`."""


def agreeing(verb: str, *, second_person: bool) -> str:
    """Return the form of a verb after `you` or after a name: `build` or `builds`."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb][0 if second_person else 1]
    if second_person:
        return verb
    if verb.endswith(_HISSING):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
