"""Names that people choose: everything that they can read and tell apart."""

from __future__ import annotations

from functools import reduce

import pytest

import duelbook
from duelbook.errors import DuelbookError
from duelbook.play.names import check_names, is_computer_name, is_usual
from duelbook.play.series import Series
from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal, sit
from duelbook.web.games.creation import create, create_rematch
from duelbook.web.games.state.room import Room
from duelbook.web.store.game_events import GameTerms

TOWER = "tower-defense-duel"
EMPTY = {
    "nothing": "",
    "a space": " ",
    "a no-break space": "\u00a0",
    "Hangul filler": "\u3164",
    "half-width Hangul filler": "\uffa0",
    "Hangul initial filler": "\u115f",
    "blank Braille": "\u2800",
    "a variation selector": "\ufe0f",
    "a variation selector of Chinese characters": "\U000e0100",
    "a joiner": "\u200d",
    "a zero-width space": "\u200b",
    "a word joiner": "\u2060",
    "a grapheme joiner": "\u034f",
    "a tag": "\U000e0041",
    "an accent without a letter": "\u0301",
    "a virama without a letter": "\u094d\u200d",
    "a null notehead": "\U0001d159",
    "several of them": "\u3164 \u2800\ufe0f",
}
READABLE = {
    "Chinese": "李小龍",
    "a variant of a Chinese character": "葛\U000e0100",
    "Arabic": "محمد",
    "Persian with a non-joiner": "علی\u200cرضا",
    "Devanagari with a joiner": "लक्\u200dष्मी",
    "Sinhala with a joiner": "ශ්\u200dරී",
    "Korean": "김철수",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ\u180b",
    "Russian": "Наташа",
    "Greek": "Ελένη",
    "accents": "Zoë-Ángeles d’Ō",
    "a family": "👩\u200d👩\u200d👧\u200d👦",
    "a heart": "❤\ufe0f",
    "a key": "7\ufe0f\u20e3",
    "the flag of Scotland": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "signs": "!?",
}
ALIKE = [
    ("Ann", "ann"),
    ("Ann", "Ann\ufe0f"),
    ("Ann", "A\u200dnn"),
    ("Ann", "Аnn"),  # a Cyrillic А
    ("Ann", "Αnn"),  # a Greek Α
    ("Ann", "Ａｎｎ"),  # full width
    ("Ann", "𝐀𝐧𝐧"),  # bold
    ("Ann Lee", "Ann  Lee"),
    ("Ilse", "llse"),  # a small L
    ("Bob", "B0b"),
    ("Marion", "Mario\u0578"),  # an Armenian letter
    ("Tom", "Torn"),
    ("Zoë", "Zoе\u0308"),  # a Cyrillic е with a combining mark
    ("Ёж", "Ëж"),
]
DIFFERENT = [
    ("Ann", "Anna"),
    ("Ann", "Ánn"),
    ("Kai", "Kal"),
    ("Наташа", "Natasha"),
    ("李", "季"),
    ("👩", "👨"),
    ("Player 2 jr", "Bo"),
]


@pytest.mark.parametrize("name", EMPTY.values(), ids=EMPTY)
def test_invisible_name_is_refused(name: str) -> None:
    with pytest.raises(DuelbookError, match="visible characters"):
        check_names((name, "Bo"))


@pytest.mark.parametrize(
    "name", ["Ann\u3164", "Ann\u2800", "\u202eAnn", "Ann\u200e", "An\u00adn", "Ann\u2066", "A\nB"]
)
def test_name_with_invisible_characters_is_refused(name: str) -> None:
    with pytest.raises(DuelbookError, match="visible characters"):
        check_names((name, "Bo"))


@pytest.mark.parametrize("name", READABLE.values(), ids=READABLE)
def test_names_of_all_scripts_are_accepted(name: str) -> None:
    check_names((name, "Bo"))
    check_names(("Ann", name))


@pytest.mark.parametrize("names", ALIKE)
def test_names_that_look_alike_are_refused(names: tuple[str, str]) -> None:
    for pair in (names, names[::-1]):
        with pytest.raises(DuelbookError, match="look alike"):
            check_names(pair)


@pytest.mark.parametrize("names", DIFFERENT)
def test_distinguishable_names_are_accepted(names: tuple[str, str]) -> None:
    check_names(names)
    check_names(names[::-1])


@pytest.mark.parametrize("name", ["Player 1", "player 1", "PIayer 1", "Рlayer 1", "Player １"])
def test_player_cannot_have_the_default_name_of_the_other(name: str) -> None:
    assert is_usual(name)
    check_names((name, "Bo"))
    with pytest.raises(DuelbookError, match="Player 2 cannot be called"):
        check_names(("Ann", name))


@pytest.mark.parametrize(
    "name", ["Computer (hard)", "computer", "Соmputer (еаsy)", "Cornputer", "The Computer"]
)
def test_person_cannot_have_the_name_of_the_computer(name: str) -> None:
    room = Room.begin(GameTerms("a game", duelbook.load(TOWER)))
    room = room.after(sit(room, "Ann", "hash", help=False, now=0))
    with pytest.raises(Refusal, match="Only the computer"):
        sit(room, name, "hash", help=False, now=0)
    for wish in (p.NewGame(TOWER, name=name), p.NewGame(TOWER, mode="device", other=name)):
        with pytest.raises(Refusal, match="Only the computer"):
            create(wish, "secret", 0)


def test_names_may_contain_the_word_computer() -> None:
    for name in ("Computerist", "Bo (computer)", "Comp"):
        assert not is_computer_name(name)


def test_terminal_shows_the_same_rules() -> None:
    with pytest.raises(DuelbookError, match="look alike"):
        Series.begin(duelbook.load(TOWER), names=("Ann", "Аnn"))


def test_rematch_accepts_a_name_like_the_default_name() -> None:
    """Seats are swapped, and a name that was one's own would be the other's."""
    terms, happened = create(p.NewGame(TOWER, name="player 1"), "secret", 0)
    room = reduce(Room.after, happened, Room.begin(terms))
    room = room.after(sit(room, "Bo", "hash", help=False, now=0))
    terms, happened = create_rematch(room, 0)
    assert reduce(Room.after, happened, Room.begin(terms)).names == ("Bo", "Player 2")
