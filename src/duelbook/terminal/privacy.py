"""`Privacy`: the player who may look at a shared screen, and the unread texts of the other."""

from __future__ import annotations

from itertools import takewhile

from duelbook import secrecy
from duelbook.position import CHANCE, Position, player
from duelbook.terminal.console.screen import Screen


class Privacy:
    """Store public texts while one player has the screen, and print them when both look again."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.seat: int | None = None
        """The only player who may look; None if both may."""
        self._pending: list[tuple[str, bool]] = []
        self._read_by_one: list[str] = []

    def begin(self, seat: int) -> None:
        """Give the screen to one player."""
        self.seat = seat

    def fits(self, position: Position) -> bool:
        """Return whether the next turn needs no change of the screen."""
        mover = position.to_move
        return self.seat is None or mover == CHANCE or self._stays(position, mover)

    def _stays(self, position: Position, mover: int) -> bool:
        return (
            bool(position.moves())
            and mover == self.seat
            and secrecy.has_private_information(position, mover)
        )

    def end(self) -> None:
        """Clear the screen, and print the stored texts to both players."""
        if self.seat is None:
            return
        self.seat = None
        self.screen.clear()
        for text in [*self._read_by_one, *(text for text, _ in self._pending)]:
            self.screen.print(text)
        self._read_by_one, self._pending = [], []

    def show_to_both(self, text: str) -> None:
        """Print a text to both players, now or when both may look again."""
        if self.seat is None:
            self.screen.print(text)
        else:
            self._pending.append((text, True))

    def store_move_for_other(self, position: Position, move: str) -> None:
        """Store the move for the other player, unless the text of `tell` names its player."""
        text_of_move = position.tell(move, position.apply(move))
        sentence = text_for_other(position, move)
        if sentence and not text_of_move.startswith(player(position.to_move)):
            self._pending.append((sentence, False))

    def catch_up(self) -> None:
        """Print pending texts to the player who has the screen; the other reads them later."""
        for text, is_new in self._pending:
            if is_new:
                self.screen.print(text)
        self._read_by_one += [text for text, _ in self._pending]
        self._pending = []


def text_for_other(position: Position, move: str) -> str:
    """Return the text about a move for a player who did not see it typed."""
    public = _public_words(position, move)
    heard = [position.hear(public[: end + 1]) for end in range(len(public))]
    if any(heard):
        return "\n".join(filter(None, heard))
    sentence = f"{player(position.to_move)} plays {move}."
    text_of_move = position.tell(move, position.apply(move))
    comes_twice = text_of_move.startswith(sentence)
    return sentence if len(public) == len(move.split()) and not comes_twice else ""


def public_part(position: Position, move: str) -> str:
    """Return the text about the public part of a move; empty if all of it is hidden."""
    public = _public_words(position, move)
    if not public:
        return ""
    sentence = f"{player(position.to_move)} plays {' '.join(public)}"
    return (
        f"{sentence}."
        if len(public) == len(move.split())
        else f"{sentence} and keeps the rest secret."
    )


def _public_words(position: Position, move: str) -> tuple[str, ...]:
    words = tuple(move.split())
    public = takewhile(
        lambda end: not secrecy.is_secret_word(position, words[:end]), range(len(words))
    )
    return words[: len(list(public))]
