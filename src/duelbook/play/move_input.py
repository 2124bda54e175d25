"""Read typed answers word by word, until the words spell a legal move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duelbook.errors import IllegalMove, InvalidMove
from duelbook.position import Position, next_words

Words = tuple[str, ...]


def read(position: Position, words: Words, typed: str, *, quote: bool = True) -> Words:
    """Return the words of a move so far, extended by the typed answer.

    A player may omit a keyword that is the only option, or the only option that the typed number
    can follow. A player may type the whole move at any question. Raise InvalidMove or IllegalMove
    with the reason; the reason quotes the answer only if `quote` is true.
    """
    if not position.moves():
        raise IllegalMove("The game is over.")
    answers = typed.casefold().split()
    if not answers:
        raise InvalidMove(f"Please answer: {_choices(position, words)}.")
    try:
        return _follow(position, words, answers, quote=quote)
    except (InvalidMove, IllegalMove) as refusal:
        if not words or not answers[0].isalpha():
            raise
        try:
            move_words = _follow(position, (), answers, quote=quote)
        except InvalidMove:
            raise refusal from None
        if " ".join(move_words) not in position.moves():
            raise
        return move_words


def _follow(position: Position, words: Words, answers: list[str], *, quote: bool) -> Words:
    legal = position.moves()
    for answer in answers:
        question = words
        while (word := _choose(answer, next_words(legal, words), position.ALIASES)) is None:
            illegal_word = _choose(answer, next_words(position.ACTIONS, words), position.ALIASES)
            if illegal_word is not None:
                raise IllegalMove(position.why_not((*words, illegal_word)))
            if not next_words(legal, words):
                raise InvalidMove("That is more than one move.")
            keyword = _omitted_keyword(answer, legal, words, position.ALIASES)
            if not keyword:
                subject = _quoted(answer) if quote else "That"
                raise InvalidMove(
                    f"{subject} is not a valid answer here: {_choices(position, question)}."
                )
            words = (*words, keyword)
        words = (*words, word)
    return words


def _omitted_keyword(
    answer: str, legal: list[str], words: Words, aliases: Mapping[str, str]
) -> str:
    """Return the keyword that a player may omit before an answer, or an empty string.

    It is the only option, or the only option that the typed number can follow. If numbers are
    aliases of the options, a number is never anything else.
    """
    options = next_words(legal, words)
    keywords = [option for option in options if option.isalpha()]
    if answer.isdigit():
        if any(alias.isdigit() and word in options for alias, word in aliases.items()):
            return ""
        if len(options) > 1:
            after = {word: next_words(legal, (*words, word)) for word in keywords}
            keywords = [word for word in keywords if _choose(answer, after[word], {})]
            return keywords[0] if len(keywords) == 1 else ""
    return keywords[0] if len(options) == len(keywords) == 1 else ""


def _choose(answer: str, options: Sequence[str], aliases: Mapping[str, str]) -> str | None:
    """Return the option that an answer names: a word, number, alias or unique prefix; or None."""
    if answer.isascii() and answer.isdigit():
        answer = answer.lstrip("0") or "0"
    if answer in options:
        return answer
    names = {alias: word for alias, word in aliases.items() if word in options}
    if answer in names:
        return names[answer]
    if not answer.isalpha():
        return None
    names |= {option: option for option in options}
    matches = {word for name, word in names.items() if name.startswith(answer)}
    return matches.pop() if len(matches) == 1 else None


def _choices(position: Position, words: Words) -> str:
    """Return the possible answers as text: `type a number from 1 to 5`, `type yes or no`."""
    keywords = ""
    while len(options := next_words(position.moves(), words)) == 1 and options[0].isalpha():
        words = (*words, options[0])
        keywords += f"{options[0]} "
    if len(options) > 2 and all(option.isdigit() for option in options):
        first, last = int(options[0]), int(options[-1])
        if options == [str(number) for number in range(first, last + 1)]:
            return f"type {keywords and keywords + 'and '}a number from {first} to {last}"
    for alias, word in position.ALIASES.items():
        if word in options:
            options[options.index(word)] = alias if alias.isalpha() else f"{word} ({alias})"
    shown = [f"{keywords}{option}" for option in options] or [keywords.rstrip()]
    return "type " + " or ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _quoted(answer: str) -> str:
    """Return an answer in quotes, shortened and without control characters."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in answer[:20])
    return f"'{shown}…'" if len(answer) > 20 else f"'{shown}'"
