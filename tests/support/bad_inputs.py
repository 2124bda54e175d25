"""Bad input for line mode and the TUI: none of it may crash or hang a game."""

from __future__ import annotations

import duelbook
from duelbook.errors import DuelbookError
from duelbook.play import move_input
from duelbook.position import Position

BYTES = [
    # Empty and very long inputs.
    *(b"", b" ", b"\t", b" \t \t ", b"9" * 5000, b"x" * 100_000, b"1 " * 20_000, b"a b " * 5_000),
    b" " * 10_000 + b"x",
    # Invalid numbers.
    *(b"ten", b"3.5", b"-1", b"+2", b"1_0", b"0x2", b"1e1", b"2.", b".2", b"1,2", b"--1", b"- 1"),
    *(b"NaN", b"inf", b"-0", b"99999999999999999999", b"1/2", b"(1)", b"#1", b"1st"),
    # Invalid UTF-8, and control sequences of a terminal.
    *(b"\xff\xfe\xc3\x28", b"\xed\xa0\x80", b"\xed\xb0\x80\xed\xa0\x80", b"\xf4\x90\x80\x80"),
    *(b"\x00", b"\x00\x01\x02\x07\x1b[2J\x1b]0;title\x07", b"\x1b[A\x1bOP", b"\x1b[200~x\x1b[201~"),
    *(b"\x1b", b"\x1b[", b"\x1b[999;999H", b"\x1b[?1049h", b"\x9b2J", b"\x7f\x7f\x7f", b"\x08\x08"),
    b"\x1bP0;0|x\x1b\\",
    # Code and markup.
    *(b"__import__('os')", b"%s{0}%n", b"[bold]x[/bold]", b"[/]", b"\\", b"'\"`$(x)", b"; rm x"),
    # Commands with invalid arguments.
    *(b"help me", b"moves moves", b"undo 3", b"board x", b"hint please", b"resign now", b"quit it"),
    *(b"save \x00", b"save /", b"save /nowhere/at/all/game.json/x\x00", b"save " + b"n" * 5000),
    *(b"save ~nobody-has-this-name/x", b"undo", b"UNDO undo", b"rules --nothing", b"?", b"/help"),
]
TEXTS = [
    # Numerals of other scripts.
    *("½", "²", "٣", "四", "२", "\uff11", "Ⅳ", "①", "\U0001d7d9", "1\u0301"),
    # Characters that are wide, combining, right-to-left or invisible.
    *("İ ß \u0131 \u017f \u212a", "💥👩\u200d👩\u200d👧🇩🇪", "漢字かな", "e" + "\u0301" * 500),
    *("\u200b\u200d\u2060\ufeff", "\u202eevom", "\u2028\u2029\x85", "\ue000\U0010ffff"),
    *("\uff41\uff42\uff43", "\xa0\u3000"),
]


def inputs(game: type[Position]) -> list[bytes]:
    """Return all bad inputs for a game, with moves of other games and broken moves of its own."""
    return [
        *BYTES,
        *(text.encode() for text in (*TEXTS, *moves_of_other_games(game), *broken_moves(game))),
    ]


def moves_of_other_games(game: type[Position]) -> list[str]:
    """Return some moves of the other games that are not valid in this game."""
    moves = [move for book in duelbook.list_games() if book is not game for move in book.ACTIONS]
    start = game.start(0)
    return [move for move in moves if not _is_read(start, move)][::7]


def broken_moves(game: type[Position]) -> list[str]:
    """Return broken versions of a move of a game."""
    move = game.start(0).moves()[0]
    start = game.start(0)
    bad = [move[::-1], f"{move} {move}", f"{move} and", move.replace(" ", ""), f"'{move}'"]
    bad += [move.replace(" ", "-"), move.replace(" ", "\u200b"), f"{move}!", f"-{move}"]
    return [typed for typed in bad if not _is_read(start, typed)]


def incomplete_moves(game: type[Position]) -> list[str]:
    """Return some incomplete moves, which lack their last word."""
    moves = game.start(0).moves()
    return sorted({move.rpartition(" ")[0] for move in moves} - {""})[:5]


def _is_read(position: Position, typed: str) -> bool:
    try:
        move_input.read(position, (), typed)
    except DuelbookError:
        return False
    return True
