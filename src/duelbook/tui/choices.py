"""The choice of a legal move: word by word, or by clicks on parts of the move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from duelbook.errors import DuelbookError
from duelbook.play import move_input
from duelbook.position import Position, next_words

Typed = Literal["more", "nothing"]


@dataclass(frozen=True)
class Choice:
    """The words of a move so far, and the parts of it that clicks have added."""

    legal: tuple[str, ...]
    words: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves that agree with the choice so far."""
        start = " ".join(self.words)
        return tuple(
            move
            for move in self.legal
            if f"{move} ".startswith(f"{start} ".lstrip())
            and all(f" {piece} " in f" {move} " for piece in self.pieces)
        )

    @property
    def move(self) -> str:
        """The chosen move; empty until the choice is complete."""
        start, moves = " ".join(self.words), self.moves
        if start in moves:
            return start
        return moves[0] if self.pieces and len(moves) == 1 else ""

    @property
    def is_begun(self) -> bool:
        """Return whether the choice has begun, so that the player can take it back."""
        return bool(self.words or self.pieces)

    def next_question(self) -> tuple[tuple[str, ...], list[str]]:
        """Return the words up to the next question, and the answers to it.

        Skip a keyword that is the only option.
        """
        words, moves = self.words, self.moves
        while len(options := next_words(moves, words)) == 1 and (
            options[0].isalpha() and " ".join((*words, *options)) not in moves
        ):
            words = (*words, *options)
        return words, options

    def add_word(self, word: str) -> Choice:
        """Return the choice extended by the answer to its question."""
        words, options = self.next_question()
        return replace(self, words=(*words, word)) if word in options else self

    def select_piece(self, piece: str) -> Choice:
        """Return the choice extended by a part of a move, if a legal move has the part."""
        pointed = replace(self, pieces=(*self.pieces, piece))
        return pointed if piece not in self.pieces and pointed.moves else self


def in_book_order(options: list[str], look: Position) -> list[str]:
    """Return options in the order of the book's aliases, if each option has an alias."""
    order = list(look.ALIASES.values())
    return sorted(options, key=order.index) if set(options) <= set(order) else options


def type_into(choice: Choice, look: Position, typed: str, *, done: bool) -> Choice | Typed:
    """Return the choice after the typed text, if the text is complete; `done` means Enter.

    A whole word or number is complete, unless another answer begins with it, as 12 begins with 1.
    Return `more` if the text may become an answer, and `nothing` if it cannot.
    """
    words, options = choice.next_question()
    answers = typed.casefold().split()
    if not answers:
        return "nothing" if done else "more"
    try:
        longer = move_input.read(look, words, typed)
    except DuelbookError:
        return "more" if not done and _is_beginning(choice, look, answers[-1]) else "nothing"
    last = answers[-1].lstrip("0") or "0" if answers[-1].isdigit() else answers[-1]
    if done:
        return replace(choice, words=longer)
    names = {longer[-1], *(name for name, word in look.ALIASES.items() if word == longer[-1])}
    others = next_words(choice.moves, longer[:-1]) if longer[:-1] else options
    aliases = [name for name, word in look.ALIASES.items() if word in others]
    open_ended = any(
        word_or_alias != last and word_or_alias.startswith(last)
        for word_or_alias in [*others, *aliases]
    )
    return replace(choice, words=longer) if last in names and not open_ended else "more"


def _is_beginning(choice: Choice, look: Position, answer: str) -> bool:
    """Return whether an answer is the beginning of a word of a legal move, or of an alias."""
    legal = {word for move in choice.legal for word in move.split()}
    known = legal | {alias for alias, word in look.ALIASES.items() if word in legal}
    return any(word.startswith(answer) and word != answer for word in known)
