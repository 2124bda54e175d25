"""A screen that two people share: whose eyes it is for now, and what both have yet to hear."""

from __future__ import annotations

from itertools import takewhile

from duelbook import secrecy
from duelbook.position import CHANCE, Position, player
from duelbook.terminal.console.screen import Screen


class Privacy:
    """Keeps back the public words while the screen is one player's, until both look again."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.seat: int | None = None
        """Whose the screen is; None if both may look."""
        self._untold: list[tuple[str, bool]] = []
        self._told_to_one: list[str] = []

    def begin(self, seat: int) -> None:
        """Give the screen to one player."""
        self.seat = seat

    def fits(self, position: Position) -> bool:
        """Whether the screen can stay as it is for the next turn."""
        mover = position.to_move
        return self.seat is None or mover == CHANCE or self._stays(position, mover)

    def _stays(self, position: Position, mover: int) -> bool:
        return (
            bool(position.moves())
            and mover == self.seat
            and secrecy.has_private_information(position, mover)
        )

    def end(self) -> None:
        """Clear the screen, and tell both what has happened meanwhile."""
        if self.seat is None:
            return
        self.seat = None
        self.screen.clear()
        for text in [*self._told_to_one, *(text for text, _ in self._untold)]:
            self.screen.say(text)
        self._told_to_one, self._untold = [], []

    def tell_both(self, text: str) -> None:
        """Say something to both players, as soon as both may look."""
        if self.seat is None:
            self.screen.say(text)
        else:
            self._untold.append((text, True))

    def tell_the_other_of(self, position: Position, move: str) -> None:
        """Say later to the other player what was played, unless it will be told as someone's."""
        told = position.tell(move, position.apply(move))
        said = words_for_both(position, move)
        if said and not told.startswith(player(position.to_move)):
            self._untold.append((said, False))

    def catch_up(self) -> None:
        """Tell the player whose screen it is what is untold; the other one hears it later."""
        for text, is_new in self._untold:
            if is_new:
                self.screen.say(text)
        self._told_to_one += [text for text, _ in self._untold]
        self._untold = []


def words_for_both(position: Position, move: str) -> str:
    """Return what a player who did not see a move being typed hears of it before it is told."""
    public = _public_words(position, move)
    heard = [position.hear(public[: end + 1]) for end in range(len(public))]
    if any(heard):
        return "\n".join(filter(None, heard))
    said = f"{player(position.to_move)} plays {move}."
    told = position.tell(move, position.apply(move))
    comes_twice = told.startswith(said)
    return said if len(public) == len(move.split()) and not comes_twice else ""


def public_part(position: Position, move: str) -> str:
    """Say what everybody may know of a move before it is told; nothing if all of it is secret."""
    public = _public_words(position, move)
    if not public:
        return ""
    said = f"{player(position.to_move)} plays {' '.join(public)}"
    return f"{said}." if len(public) == len(move.split()) else f"{said} and keeps the rest secret."


def _public_words(position: Position, move: str) -> tuple[str, ...]:
    words = tuple(move.split())
    public = takewhile(
        lambda end: not secrecy.is_secret_word(position, words[:end]), range(len(words))
    )
    return words[: len(list(public))]
