"""Texts for a listener: `you` for the listener, and names for everyone else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

import duelbook
from duelbook import Match, Position
from duelbook.listener import BOOK, COMPUTER, Listener, agreeing
from duelbook.position import CHANCE
from duelbook.scene import Gauge, Stack, label_of
from paths import ROOT
from strategies import matches

EXAMPLES = sorted((ROOT / "examples" / "games").glob("*.py"))
SOURCES = [*(game.slug for game in duelbook.list_games()), *map(str, EXAMPLES)]
SECOND_PERSON = re.compile(r"\byour?\b", re.IGNORECASE)
LISTENERS = (None, 0, 1)


@pytest.fixture(params=SOURCES, ids=lambda source: Path(source).stem)
def game(request: pytest.FixtureRequest, no_loaded_games: None) -> type[Position]:
    """Return each built-in game and each example game."""
    return duelbook.load(request.param)


@pytest.mark.parametrize(
    ("verb", "third"),
    [
        *[("build", "builds"), ("attack", "attacks"), ("reach", "reaches"), ("pass", "passes")],
        *[("fortify", "fortifies"), ("play", "plays"), ("go", "goes"), ("have", "has")],
        ("be", "is"),
    ],
)
def test_a_verb_agrees_with_its_subject(verb: str, third: str) -> None:
    assert Listener(("Ann", COMPUTER)).who(0).opens(verb) == f"Ann {third}"
    assert agreeing(verb, second_person=False) == third
    you = "are" if verb == "be" else verb
    assert Listener(("Ann", COMPUTER), 0).who(0).does(verb) == f"you {you}"


def test_the_listener_is_you_and_others_have_their_names() -> None:
    ann = Listener(("Ann", COMPUTER), 0)
    assert [f"{ann.who(0)}", ann.who(0).whose, ann.who(0).opens("win")] == [
        "you",
        "your",
        "You win",
    ]
    computer = ann.who(1)
    assert [f"{computer}", computer.whose] == ["the computer", "the computer's"]
    assert computer.opens("win") == "The computer wins"
    assert [ann.who(0).opens_whose(), computer.opens_whose()] == ["Your", "The computer's"]


def test_without_a_seat_nobody_is_you() -> None:
    device = Listener(("Ann", "Bo"))
    assert [device.who(seat).opens("win") for seat in (0, 1)] == ["Ann wins", "Bo wins"]


@pytest.mark.parametrize("name", ["your", "you", "bo", "Player 1", "the computers", "a <b> & c"])
def test_a_name_is_written_as_its_player_writes_it(name: str) -> None:
    ann = Listener(("Ann", name), 0)
    assert ann.who(1).opens("win") == f"{name} wins"
    assert ann.who(1).opens_whose() == f"{name}'s"
    before = duelbook.load("tower-defense-duel")().play("build 4")
    text = before.tell_to(ann, "attack", before.play("attack"))
    assert text == f"{name} attacks: your tower falls to 1 unit."


# Every game -------------------------------------------------------------------------------------


def played(game: type[Position], seed: int) -> Match:
    """Return a random match, finished or not."""
    random, match = Random(seed), Match.begin(game)
    while match.position.moves() and len(match.moves) < 80:
        match = match.play(random.choice(match.position.moves()))
    return match


def sentences(match: Match, listener: Listener) -> Iterator[str]:
    """Yield all texts of a match for a listener."""
    for before, move, after in zip(match.positions, match.moves, match.positions[1:], strict=False):
        yield before.tell_to(listener, move, after)
    yield match.end_reason(listener)
    if not match.position.moves():
        return
    for seat in (0, 1):
        for by in ("resignation", "time", "left"):
            yield match.resign(seat, by).end_reason(listener)
    yield match.draw().end_reason(listener)


@pytest.mark.parametrize("computer", [None, 0, 1])
def test_every_text_for_a_listener_is_a_sentence(
    game: type[Position], computer: int | None
) -> None:
    names = tuple(COMPUTER if seat == computer else ("Ann", "Zoe")[seat] for seat in (0, 1))
    for seed in range(12):
        match = played(game, seed)
        for seat in LISTENERS:
            listener = Listener((names[0], names[1]), seat)
            for text in filter(None, sentences(match, listener)):
                assert not re.search(r"\bPlayer [12]\b|\bOpponent", text)
                assert text[0].isupper(), text
                assert text.endswith("."), text
                assert "\n" not in text
                if seat is None:
                    assert not SECOND_PERSON.search(text), text
                elif names[seat] != COMPUTER:
                    assert names[seat] not in text, text
                else:
                    assert COMPUTER not in text.lower(), text


def test_the_player_to_move_is_you_except_for_chance(game: type[Position]) -> None:
    for seed in range(12):
        match = played(game, seed)
        steps = zip(match.positions, match.moves, match.positions[1:], strict=False)
        for before, move, after in steps:
            if before.to_move == CHANCE:
                continue
            listener = Listener(("Ann", "Bo"), before.to_move)
            text = before.tell_to(listener, move, after)
            assert not text or SECOND_PERSON.search(text), text
        winner = match.winner()
        if winner is not None:
            assert SECOND_PERSON.search(match.end_reason(Listener(("Ann", "Bo"), winner)))


def test_questions_refusals_and_labels_name_no_player_by_number(game: type[Position]) -> None:
    ann = Listener(("Ann", COMPUTER), 0)
    for seed in range(6):
        for position in played(game, seed).positions:
            labels = [label_of(shape) for shape in position.scene()]
            assert not any("Player" in label for label in labels)
            legal = position.moves()
            if position.to_move != 0 or not legal:
                continue
            look = position.view(0)
            beginnings = {tuple(move.split()[:n]) for move in legal for n in range(3)}
            beginnings = {words for words in beginnings if " ".join(words) not in legal}
            questions = [look.question(words) for words in beginnings]
            refused = [
                look.why_not_to(ann, tuple(move.split()))
                for move in game.ACTIONS
                if move not in legal
            ]
            for text in filter(None, questions + refused):
                assert "Player" not in text
                assert ">" not in text
                assert text[0].isupper()


@given(matches())
def test_texts_for_a_listener_reveal_nothing_hidden(match: Match) -> None:
    """All hidden moves with the same view have the same text for the opponent and the public."""
    before = match.position
    listeners = [Listener(("Ann", "Bo"), seat) for seat in LISTENERS if seat != before.to_move]
    looks: dict[Position, list[str]] = {}
    for move in before.moves():
        after = before.play(move)
        look = after.view(1 - before.to_move)
        if look != after:
            text = [before.tell_to(listener, move, after) for listener in listeners]
            assert looks.setdefault(look, text) == text


def test_chance_tells_each_seat_what_that_seat_sees(game: type[Position]) -> None:
    for seed in range(12):
        for before in played(game, seed).positions:
            if before.to_move != CHANCE:
                continue
            for seat in (0, 1):
                texts: dict[Position, str] = {}
                listener = Listener(("Ann", "Bo"), seat)
                for move in before.moves():
                    after = before.play(move)
                    text = before.tell_to(listener, move, after)
                    if after.view(seat) != after:
                        assert texts.setdefault(after.view(seat), text) == text


def test_a_player_may_read_their_own_hidden_move() -> None:
    before = duelbook.load("token-tactics")()
    after = before.play("attack 7")
    text = [before.tell_to(Listener(("Ann", "Bo"), seat), "attack 7", after) for seat in LISTENERS]
    assert text == [
        "Ann attacks with a secret number of tokens.",
        "You attack with 7 tokens.",
        "Ann attacks with a secret number of tokens.",
    ]


def test_the_books_print_their_own_lines() -> None:
    """The terminal's texts do not depend on the texts for the browser."""
    before = duelbook.load("tower-defense-duel")()
    assert before.tell("build 2", before.play("build 2")) == (
        "Player 1 builds 2 units.\nYour tower height is now 2."
    )
    assert before.why_not(("attack",)).startswith("Player 2's tower has only 0 units")


# Ends -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "moves", "why"),
    [
        ("capture", ["move 2", "move 1"] * 4 + ["move 2"], "You win by reaching Bo's base."),
        ("island", ["rise 5"] * 3, "Both islands sank on your move, so Bo wins."),
        ("island", ["rise 5", "rise 5", "fortify 2"], "Bo's island has sunk, so you win."),
        ("token", ["attack 10", "defend 10"], "Both reserves are empty, and Bo wins as the"),
        ("token", ["attack 10", "defend 0"], "You win by capturing all of Bo's tokens."),
        ("tower", ["build 4", "build 1"] * 3 + ["build 2", "build 1", "build 1"], "exactly 15"),
        (
            "tower",
            ["build 4", "build 1"] * 3 + ["build 4"],
            "Your tower exceeds 15 units, so Bo wins.",
        ),
    ],
)
def test_the_end_is_explained_to_the_reader(slug: str, moves: list[str], why: str) -> None:
    match = Match.begin(duelbook.load(slug))
    for move in moves:
        match = match.play(move)
    assert match.winner() is not None
    assert why in match.end_reason(Listener(("Ann", "Bo"), 0))


def test_an_end_without_a_move_is_explained_too() -> None:
    match = Match.begin(duelbook.load("tower-defense-duel"))
    ann = Listener(("Ann", COMPUTER), 0)
    assert match.end_reason(ann) == ""
    assert match.resign(0).end_reason(ann) == "You resign, so the computer wins."
    assert match.resign(1, "time").end_reason(ann) == "The computer runs out of time, so you win."
    assert match.resign(1, "left").end_reason(ann) == "The computer has left the game, so you win."
    assert match.draw().end_reason(ann) == "The players agree on a draw."


def test_a_label_names_its_owner_once() -> None:
    assert label_of(Stack("Player 1 ships", 3, 0)) == "ships"
    assert label_of(Gauge("Player 2", 3, 9, 1)) == ""
    assert label_of(Gauge("Player 2's debt", 3, 9)) == "Player 2's debt"
    assert BOOK.who(0).does("win") == "Player 1 wins"
