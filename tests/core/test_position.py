from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError, dataclass, replace
from typing import Self

import pytest

import duelbook
from duelbook import HIDDEN, DuelbookError, IllegalMove, InvalidMove, Match, Position
from duelbook.catalog import registry
from duelbook.errors import UnknownGame
from duelbook.hidden import Hidden
from duelbook.position import put
from duelbook.secrecy import is_secret_word, public_view, seen_by

SLUGS = [
    "capture-and-conquer",
    "galaxy-conquest",
    "island-conquest",
    "token-tactics",
    "tower-defense-duel",
]


def test_the_public_interface() -> None:
    game = duelbook.load("tower-defense-duel")
    start = game()
    assert start.to_move == 0
    assert game.start(first=1).to_move == 1
    assert start.moves() == ["build 1", "build 2", "build 4"]
    assert game.ACTIONS.index("attack") == 3
    after = start.play("build 4")
    assert after.winner() is None
    assert after.view(0) == after
    assert [game.slug for game in duelbook.list_games()] == SLUGS


def test_the_function_games_and_the_package_games_live_together() -> None:
    code = (
        "from duelbook.games.island_conquest import IslandConquest; import duelbook;"
        "import duelbook.games.token_tactics as tactics; print(len(duelbook.list_games()));"
        "print(duelbook.games.token_tactics is tactics)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 # our own code
    assert done.stdout == "5\nTrue\n"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_is_found_by_its_slug_title_or_part(slug: str) -> None:
    game = duelbook.load(slug)
    assert game.slug == slug
    assert duelbook.load(game.title.upper()) is game
    assert duelbook.load(slug.replace("-", "_")) is game
    assert duelbook.load(slug[:5]) is game


@pytest.mark.usefixtures("no_loaded_games")
def test_unknown_and_ambiguous_names_say_what_there_is() -> None:
    with pytest.raises(UnknownGame, match=r"There is no game 'chess'\. The games are: capture"):
        duelbook.load("chess")
    with pytest.raises(UnknownGame, match="could be any of: galaxy-conquest, island-conquest"):
        duelbook.load("conquest")
    with pytest.raises(UnknownGame):
        duelbook.load("")


def test_games_of_other_packages_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "nim"

        @staticmethod
        def load() -> type[Position]:
            return Nim

    def entry_points(*, group: str) -> list[type[Point]]:
        return [Point] if group == "duelbook.games" else []

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    assert registry.load("nim") is Nim
    assert Nim in registry.list_games()


def test_a_start_needs_a_seat() -> None:
    with pytest.raises(DuelbookError, match="0 or 1"):
        duelbook.load("tower").start(2)


def test_two_errors_say_what_is_wrong() -> None:
    match = Match.begin(duelbook.load("galaxy")).play("planet 7 ship 7")
    with pytest.raises(InvalidMove, match="'planet 8 ship 1' is not a move of Galaxy Conquest"):
        match.play("planet 8 ship 1")
    with pytest.raises(IllegalMove, match="Planet 7 is already conquered by Player 1"):
        match.play("planet 7 ship 6")
    assert issubclass(InvalidMove, DuelbookError)
    assert issubclass(IllegalMove, DuelbookError)
    assert match.moves == ("planet 7 ship 7",)


def test_nothing_is_played_after_the_end() -> None:
    match = Match.begin(duelbook.load("tower")).resign()
    assert match.winner() == 1
    with pytest.raises(IllegalMove, match="The game is over"):
        match.play("build 4")
    with pytest.raises(IllegalMove, match="The game is over"):
        match.resign()
    assert match.undo() == Match.begin(duelbook.load("tower"))
    with pytest.raises(DuelbookError, match="A seat is 0 or 1"):
        match.undo().resign(5)


def test_a_game_is_lost_only_on_time_or_by_resignation() -> None:
    match = Match.begin(duelbook.load("tower")).play("build 4")
    late = match.resign(0, "time")
    assert late.winner() == 1
    assert late.ending() == "Player 1 runs out of time.\nPlayer 2 wins!"
    assert match.resign(0).ending() == "Player 1 resigns.\nPlayer 2 wins!"
    assert match.ending() == ""
    assert late.undo() == match
    with pytest.raises(DuelbookError, match="by resignation or time or left, not by 'boredom'"):
        match.resign(0, "boredom")  # type: ignore[arg-type]


def test_a_takeback_undoes_the_last_choice_of_the_seat() -> None:
    start = Match.begin(duelbook.load("tower"))
    after_one, after_two = start.play("build 4"), start.play("build 4").play("build 1")
    assert after_two.take_back(0) == start
    assert after_two.take_back(1) == after_one
    assert after_two.play("build 2").take_back(1) == after_one
    assert after_two.resign(1).take_back(1) == after_two
    assert after_two.resign(1).take_back(0) == start
    assert after_two.resign(1, "time").take_back(1) == after_one
    for match in (start, after_one):
        with pytest.raises(DuelbookError, match="no move to take back"):
            match.take_back(1)


def test_simultaneous_choices_are_taken_back_together() -> None:
    start = Match.begin(duelbook.load("token")).play("fortify").play("fortify")
    attacked = start.play("attack 3")
    assert attacked.take_back(0) == start
    for seat in (0, 1):
        assert attacked.play("defend 2").take_back(seat) == start
    assert attacked.take_back(1) == Match.begin(duelbook.load("token")).play("fortify")


def test_positions_do_not_change() -> None:
    position = duelbook.load("tower")()
    with pytest.raises(FrozenInstanceError):
        position.to_move = 1  # type: ignore[misc] # that is the point


def test_json_of_another_game_is_refused() -> None:
    with pytest.raises(
        DuelbookError, match="A position of Tower Defense Duel has the fields to_move, towers"
    ):
        duelbook.load("tower").from_json({"to_move": 0})
    bad: object
    for bad in ([], {"to_move": 0, "towers": {"a": 1}}, {"to_move": 0, "towers": 1.5}):
        with pytest.raises(DuelbookError):
            duelbook.load("tower").from_json(bad)


def test_put() -> None:
    assert put((1, 2), 0, 9) == (9, 2)
    assert put((1, 2), 1, 9) == (1, 9)


# A game with only rules, and a game that never reveals its secrets ----------------------------


@dataclass(frozen=True, slots=True)
class Nim(Position):
    """Take one or two; the player who takes the last wins."""

    ACTIONS = ("take 1", "take 2")
    heap: int = 3

    def moves(self) -> list[str]:
        return [f"take {n}" for n in (1, 2) if n <= self.heap]

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, heap=self.heap - int(move.split()[1]))

    def winner(self) -> int | None:
        return None if self.heap else 1 - self.to_move


def test_a_game_with_only_rules_has_default_texts_and_a_default_picture() -> None:
    assert Nim.title == "Nim"
    assert Nim.slug == "nim"
    start = Nim()
    assert start.welcome() == "Welcome to Nim!"
    assert start.turn() == "Player 1's turn."
    assert start.ask(()) == ""
    assert start.ask(("take",)) == "Enter your move (1, 2): "
    assert start.tell("take 2", start.play("take 2")) == "Player 1 plays take 2."
    last = Nim(heap=1)
    assert last.tell("take 1", last.play("take 1")) == "Player 1 plays take 1.\nPlayer 1 wins!"
    assert last.why_not(("take", "2")) == "That move is not allowed here."
    assert start.board() == "Heap: 3"
    assert len(start.scene()) == 1
    assert "Take one or two" in Nim.rules_page()


@dataclass(frozen=True, slots=True)
class Pile(Position):
    """Two secret gifts to one pile, whose sum alone is public; the first giver wins at 4."""

    ACTIONS = ("give 1", "give 2", "give 3")
    gifts: tuple[int, ...] | Hidden = ()
    total: int | None = None

    def moves(self) -> list[str]:
        return [] if self.winner() is not None else list(self.ACTIONS)

    def apply(self, move: str) -> Self:
        gifts = (*(() if self.gifts is HIDDEN else self.gifts), int(move.split()[1]))
        if len(gifts) == 2:
            return replace(self, gifts=(), total=sum(gifts), to_move=1 - self.to_move)
        return replace(self, gifts=gifts, to_move=1 - self.to_move)

    def winner(self) -> int | None:
        return None if self.total is None else int(self.total != 4)

    def view(self, seat: int) -> Self:
        return replace(self, gifts=HIDDEN) if self.gifts and seat == self.to_move else self

    def tell(self, move: str, after: Self) -> str:  # the sum says enough
        return "A gift is made." if after.total is None else f"The gifts make {after.total}."


def test_a_hidden_move_is_known_when_only_one_world_is_left() -> None:
    one_gift = Match.begin(Pile).play("give 2")
    assert one_gift.seen_by(0) == ("give 2",)
    assert one_gift.seen_by(1) == ("give ?",)
    assert one_gift.seen_by_everyone() == ("give ?",)
    assert one_gift.without_secrets().moves == ()
    match = one_gift.play("give 3")
    assert match.seen_by(0) == ("give 2", "give 3")  # it knows its own gift and the sum
    assert match.seen_by(1) == ("give 2", "give 3")


@dataclass(frozen=True, slots=True)
class Bids(Position):
    """Two hidden bids; only the higher bidder is announced, never the bids."""

    ACTIONS = ("bid 1", "bid 2", "bid 3")
    bid: int | Hidden | None = None
    best: int | None = None

    def moves(self) -> list[str]:
        return [] if self.best is not None else list(self.ACTIONS)

    def apply(self, move: str) -> Self:
        bid = int(move.split()[1])
        if self.bid is None:
            return replace(self, bid=bid, to_move=1)
        assert isinstance(self.bid, int)
        return replace(self, bid=None, best=int(bid > self.bid), to_move=0)

    def winner(self) -> int | None:
        return self.best

    def view(self, seat: int) -> Self:
        return replace(self, bid=HIDDEN) if self.bid and seat == 1 else self

    def tell(self, move: str, after: Self) -> str:  # that is the secret
        return "A bid." if after.best is None else f"Player {after.best + 1} bid more."


def test_a_field_that_was_cleared_may_still_be_secret() -> None:
    match = Match.begin(Bids).play("bid 3").play("bid 1")
    assert match.position.view(0) == match.position
    assert match.seen_by(0) == ("bid 3", "bid ?")
    assert match.seen_by(1) == ("bid ?", "bid 1")
    assert match.seen_by_everyone() == ("bid ?", "bid ?")
    assert match.without_secrets() == match  # it is over


@dataclass(frozen=True, slots=True)
class Hands(Position):
    """Rock, paper, scissors with only rules."""

    ACTIONS = ("rock", "paper", "scissors")
    first: str | Hidden | None = None
    second: str | None = None

    def moves(self) -> list[str]:
        return [] if self.second is not None else list(self.ACTIONS)

    def apply(self, move: str) -> Self:
        if self.first is None:
            return replace(self, first=move, to_move=1)
        return replace(self, second=move)

    def winner(self) -> int | None:
        return None if self.second is None else int(self.first != self.second)

    def view(self, seat: int) -> Self:
        hidden = self.first is not None and self.second is None and seat == 1
        return replace(self, first=HIDDEN) if hidden else self


def test_default_texts_keep_secrets() -> None:
    match = Match.begin(Hands).play("rock")
    assert match.move_texts() == ("Player 1 has chosen.",)
    assert match.seen_by(1) == ("?",)
    assert public_view(match.position).board() == "First: hidden\nSecond: none"
    assert is_secret_word(Hands(), ())
    assert is_secret_word(match.position, ())


def test_a_hidden_word_is_not_echoed(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from duelbook.cli import main

    monkeypatch.setattr("duelbook.cli.play.load", lambda _: Hands)
    screen = CliRunner().invoke(main, ["play", "hands"], input="rock\nboard\nmoves\npaper\n").stdout
    before, _, after = screen.partition("Player 2 plays paper.")
    assert "rock" not in before.replace("(rock, paper, scissors)", "").replace("rock, paper", "")
    assert "Player 2 wins!" in after


def test_too_many_worlds_reveal_less_not_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.secrecy.MAX_WORLDS", 2)
    match = Match.begin(Pile).play("give 2")
    assert seen_by(1, match.positions, match.moves) == ("?",)
    assert match.seen_by(0) == ("give 2",)
