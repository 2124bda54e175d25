"""Short texts about the possible answers to a question."""

from __future__ import annotations

from duelbook.position import Position, next_words

MAX_HINT_LENGTH = 60


def grouped(moves: list[str] | tuple[str, ...]) -> dict[str, list[str]]:
    """Group the last words of moves by the words before them."""
    groups: dict[str, list[str]] = {}
    for move in moves:
        start, _, last = move.rpartition(" ")
        groups.setdefault(start, []).append(last)
    return groups


def unnamed_answers(position: Position, question: str, words: tuple[str, ...]) -> list[str]:
    """Return the words that answer a question; none if the question names one of them."""
    options = [word for word in next_words(position.moves(), words) if word.isalpha()]
    names = {*options, *(alias for alias, word in position.ALIASES.items() if word in options)}
    return [] if any(name in question.casefold() for name in names) else options


def in_short(position: Position, words: tuple[str, ...]) -> str:
    """Return the possible answers in short: `build 1, 2, 4 or attack`."""
    start = " ".join(words)
    actions = [move for move in position.ACTIONS if f"{move} ".startswith(f"{start} ".lstrip())]
    rest = [move.removeprefix(start).strip() for move in actions]
    groups = grouped(rest)
    parts = [f"{word} {_some(lasts)}" if word else _some(lasts) for word, lasts in groups.items()]
    text = " or ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    if len(text) <= MAX_HINT_LENGTH:
        return text
    return ", ".join(next_words(position.moves(), words))


def _some(lasts: list[str]) -> str:
    """Return words as a list, or consecutive numbers as a range."""
    if len(lasts) > 3 and all(map(str.isdigit, lasts)):
        first, last = int(lasts[0]), int(lasts[-1])
        if lasts == [str(number) for number in range(first, last + 1)]:
            return f"{first} to {last}"
    return ", ".join(lasts)
