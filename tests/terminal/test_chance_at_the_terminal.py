"""Chance and private cards at the terminal: what is shown to whom, and what a file stores."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from conftest import Run, Terminal, close
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import duelbook
from duelbook import Match, Position, chance
from duelbook.catalog import registry
from duelbook.default_scene import shapes_of, value_text
from duelbook.play import saves
from duelbook.play.chance_seeds import UNKNOWN, SeedCommitment
from duelbook.play.match import DrawnBy
from duelbook.play.series import Series
from duelbook.position import CHANCE
from paths import ROOT, TESTS
from random_games import graphs, private_card_games

Open = Callable[..., Terminal]
EXAMPLES = ROOT / "examples" / "games"
PIG, KUHN = str(EXAMPLES / "pig.py"), str(EXAMPLES / "kuhn_poker.py")
HIGH_CARD = str(TESTS / "support/high_card.py")
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


pytestmark = pytest.mark.usefixtures("no_loaded_games")


def saved(home: Path) -> dict[str, object]:
    (file,) = (home / "saves").iterdir()
    data = json.loads(file.read_text())
    assert isinstance(data, dict)
    return data


# Transcripts --------------------------------------------------------------------------------------

PIG_TRANSCRIPT = """\
Welcome to Pig!
The first player with 100 points wins. Roll as often as you like, but a 1 \
loses the points of the turn.

Ann: 0 points
Bo: 0 points
Ann's turn.
Ann, roll? «roll»
Ann rolls a 2: 2 points in this turn.
Ann, roll or hold? «roll»
Ann rolls a 3: 5 points in this turn.
Ann, roll or hold? «undo»
Taken back: roll, die 3.
Ann: 0 points
Bo: 0 points
In this turn: 2 points
Ann, roll or hold? «roll»
Ann rolls a 3: 5 points in this turn.
Ann, roll or hold? «moves»
You can play:
  roll, hold
Played so far: roll, die 2, roll, die 3.
Ann, roll or hold? «hold»
Ann holds and now has 5 points.

Ann: 5 points
Bo: 0 points
Bo's turn.
Bo, roll? «roll»
Bo rolls a 1, and gets nothing for this turn.

Ann: 5 points
Bo: 0 points
Ann's turn.
Ann, roll? """
KUHN_TRANSCRIPT = """\
Welcome to Kuhn Poker!
Each player antes one chip. A king beats a queen beats a jack.
Ann gets a card.
Bo gets a card.

Bo looks away. Ann, press Enter when you are alone. «»

The cards are dealt.
Ann: queen
Bo: hidden
Said: nothing yet
Ann, pass or bet? «moves»
You can play:
  pass, bet
Played so far: deal queen, deal ?.
Ann, pass or bet? «bet»
----------------------------------------
Ann bets.

Ann looks away. Bo, press Enter when you are alone. «board»
Ann: hidden
Bo: hidden
Said: bet
Ann looks away. Bo, press Enter when you are alone. «hint»
Press only Enter first.
Ann looks away. Bo, press Enter when you are alone. «»

Ann: hidden
Bo: king
Said: bet
Bo, pass or bet? «undo»
----------------------------------------
Taken back: bet.
Ann: hidden
Bo: hidden
Said: nothing yet

Bo looks away. Ann, press Enter when you are alone. «»

The cards are dealt.
Ann: queen
Bo: hidden
Said: nothing yet
Ann, pass or bet? «bet»
----------------------------------------
Ann bets.

Ann looks away. Bo, press Enter when you are alone. «»

Ann: hidden
Bo: king
Said: bet
Bo, pass or bet? «bet»
----------------------------------------
Bo calls.
Ann shows the queen. Bo shows the king.
Bo wins 2 chips!

See it again with: """


def test_pig_at_the_terminal(terminal: Open) -> None:
    terminal("play", PIG, "--seed", "4", "--names", "Ann", "Bo").follow(PIG_TRANSCRIPT)


def test_kuhn_poker_at_the_terminal(terminal: Open) -> None:
    terminal("play", KUHN, "--seed", "3", "--names", "Ann", "Bo").follow(KUHN_TRANSCRIPT)


# Chance -------------------------------------------------------------------------------------------


def test_same_seed_repeats_a_game(run: Run, home: Path) -> None:
    rolls = "roll\n" * 30
    first, second = (run("play", PIG, "--seed", "9", typed=rolls).stdout for _ in range(2))
    known = re.compile(r"^.*rolls.*$", re.MULTILINE)
    assert known.findall(first) == known.findall(second) != []
    for file in (home / "saves").iterdir():
        file.unlink()
    seeds = set()
    for _ in range(3):
        run("play", PIG, typed="")
        seeds.add(saved(home)["seed"])
        next((home / "saves").iterdir()).unlink()
    assert len(seeds) == 3


def test_chance_outcomes_are_saved_and_resumed(run: Run, home: Path) -> None:
    run("play", PIG, "--seed", "4", typed="roll\nroll\n")
    (file,) = (home / "saves").iterdir()
    assert json.loads(file.read_text())["games"][0]["moves"] == ["roll", "die 2", "roll", "die 3"]
    again = run("resume", str(file), "--game", PIG, typed="hold\nroll\n").stdout
    assert again.startswith("Pig, after 4 moves.\n")
    assert "Player 1 holds and now has 5 points." in again
    assert "Player 2 rolls a 1" in again  # as in the transcript, which was not interrupted


def test_games_of_a_match_differ_in_chance_and_first_player(run: Run, home: Path) -> None:
    screen = run(
        *("play", HIGH_CARD, "--best-of", "5", "--seed", "7", "--first", "2"),
        typed="\nstay\n\nstay\n" * 5,
    ).stdout
    assert re.findall(r"Game \d, best of 5. (Player \d) starts.", screen)[:3] == [
        "Player 2",
        "Player 1",
        "Player 2",
    ]
    (file,) = (home / "saves").iterdir()
    games = json.loads(file.read_text())["games"]
    assert [game["draws"]["seed"] for game in games] == [f"7 {n + 1}" for n in range(len(games))]
    assert len({tuple(game["moves"]) for game in games}) > 1
    points = {1: 1.0, None: 0.5, 2: 0.0}
    series = saves.read(file)
    assert series.is_over
    assert series.score()[0] == sum(points[game["result"]["winner"]] for game in games)


def test_match_of_a_game_that_player_1_always_starts(run: Run, home: Path) -> None:
    typed = "\nbet\n\npass\n"
    screen = run("play", KUHN, "--best-of", "5", "--seed", "7", typed=typed * 3).stdout
    assert "Player 1 wins the series 3 to 0." in screen
    (file,) = (home / "saves").iterdir()
    assert [match.first for match in saves.read(file).matches] == [0, 0, 0]


def test_person_never_sees_the_card_of_the_computer(run: Run, home: Path) -> None:
    seen = set()
    for seed in range(12):
        args = ("play", KUHN, "--vs", "random", "--seed", str(seed))
        screen = run(*args, typed="board\nmoves\nbet\nboard\nbet\n").stdout
        (file,) = (home / "saves").iterdir()
        own, other = (
            move.removeprefix("deal ")
            for move in json.loads(file.read_text())["games"][0]["moves"][:2]
        )
        file.unlink()
        before, shows, _ = screen.partition("Player 2 shows")
        played = before.partition("beats a jack.")[2]
        assert own in played
        assert other not in played.replace(f"Player 1 shows the {own}", "")
        assert "Played so far: deal ?, deal ?" not in played
        seen.add(bool(shows))
    assert seen == {True, False}  # with a showdown and without


# Private cards on a screen that two people share -------------------------------------------------


@pytest.fixture
def table(home: Path) -> Iterator[Terminal]:
    """Ann and Bo at a terminal that can be cleared; Ann holds the queen, and Bo the king."""
    args = ("play", KUHN, "--seed", "3", "--names", "Ann", "Bo")
    table = Terminal(*args, home=home, plain=False)
    yield table
    close(table.child)


def screens(table: Terminal) -> list[str]:
    """Return what was on the screen until each time it was cleared, and since."""
    return table.everything.split(CLEAR)


def welcome_less(screen: str) -> str:
    return screen.partition("beats a jack.")[2] or screen


def test_private_cards_are_cleared_before_the_other_player_looks(table: Terminal) -> None:
    table.wait_for("press Enter when you are alone. ")
    assert "queen" not in welcome_less(table.everything)
    table.type("")
    table.wait_for("pass or bet? ")
    table.type("bet")
    table.wait_for("press Enter when you are alone. ")
    anns, boths = screens(table)
    assert "queen" in welcome_less(anns)
    assert "king" not in welcome_less(anns)
    assert "bets." in boths
    assert "queen" not in boths
    table.type("")
    table.wait_for("pass or bet? ")
    assert "king" in screens(table)[-1]
    table.type("pass")
    rest = table.wait_for("menu or quit? ")
    assert "folds." in rest
    assert not re.search("queen|king", screens(table)[-1])


def test_early_enter_does_not_show_private_cards(table: Terminal) -> None:
    table.wait_for("press Enter when you are alone. ")
    table.type("")
    table.wait_for("pass or bet? ")
    table.child.send("bet\r\r\r")
    table.wait_for("press Enter when you are alone. ")
    table.type("board")
    table.wait_for("press Enter when you are alone. ")
    assert "king" not in screens(table)[-1]


def test_plain_screen_is_cleared_too(home: Path) -> None:
    table = Terminal("play", KUHN, "--seed", "3", "--plain", home=home, plain=False)
    table.wait_for("press Enter when you are alone. ")
    table.type("")
    table.wait_for("pass or bet? ")
    table.type("bet")
    table.wait_for("press Enter when you are alone. ")
    assert table.everything.count("\x1b") == CLEAR.count("\x1b")
    assert "queen" not in screens(table)[-1]
    close(table.child)


@pytest.mark.parametrize("leave", ["quit\r", "\x04", "\x03", "SIGTERM"])
def test_leaving_clears_private_cards_and_saves_none(
    leave: str, table: Terminal, home: Path
) -> None:
    import signal

    table.wait_for("press Enter when you are alone. ")
    table.type("")
    table.wait_for("pass or bet? ")
    if leave == "SIGTERM":
        table.child.kill(signal.SIGTERM)
    else:
        table.child.send(leave)
    rest = table.end()
    assert "queen" not in screens(table)[-1]
    assert "Game saved." in rest
    game = saved(home)["games"]
    assert game == [{"first": 1, "moves": ["?", "?"], "result": None}]


def test_output_that_cannot_be_cleared_gets_a_separator(run: Run) -> None:
    screen = run("play", KUHN, "--seed", "3", typed="\nbet\n").stdout
    assert "\x1b" not in screen
    assert "\n----------------------------------------\n" in screen


def test_player_who_moves_again_keeps_the_screen(run: Run) -> None:
    screen = run("play", HIGH_CARD, "--seed", "3", typed="\nswap\nswap\nstay\n").stdout
    first, *_, both = screen.split("-" * 40)
    assert first.count("press Enter") == 1
    assert both.startswith(
        "\nPlayer 1 swaps a card.\nPlayer 1 swaps a card.\nPlayer 1 stays.\n\nPlayer 1 looks away."
    )


def test_resignation_is_public_and_private_cards_stay_hidden(run: Run, home: Path) -> None:
    screen = run("play", HIGH_CARD, "--seed", "3", typed="\nresign\n").stdout
    both = screen.rpartition("-" * 40)[2]
    assert both.startswith("\nPlayer 1 resigns.\nPlayer 2 wins!\n")
    (file,) = (home / "saves").iterdir()
    (game,) = json.loads(file.read_text())["games"]
    assert game["moves"] == ["?", "?"]
    assert game["result"] == {"winner": 2, "by": "resignation"}
    again = run("replay", str(file), "--game", HIGH_CARD).stdout
    assert "1. Chance: deal ?\n" in again
    assert again.endswith("The chance outcomes follow from the seed that was promised.\n")


def test_replay_of_an_unfinished_game_hides_private_cards(
    terminal: Open, run: Run, home: Path
) -> None:
    run("play", KUHN, "--seed", "3", typed="\nbet\n")
    (file,) = (home / "saves").iterdir()
    screen = terminal("replay", str(file), "--game", KUHN, plain=False)
    shown = welcome_less(screen.end())
    assert "deal ?" in shown
    assert not re.search("queen|king", shown)


def test_unsuitable_player_is_refused_before_the_first_move(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("play", PIG, "--vs", "random", "--seed", "4", typed="roll\n")
    from duelbook.players.external import opponents

    said = lambda name, game, make: f"{name} cannot play {game.title}."  # noqa: E731 # only here
    monkeypatch.setattr(opponents, "why_not", said)
    for args in (("play", PIG, "--vs", "random"), ("resume", "--game", PIG)):
        refused = run(*args)
        assert refused.exit_code == 2
        assert refused.stderr.endswith("Error: random cannot play Pig.\n")
        assert not refused.stdout
    assert len(list((home / "saves").iterdir())) == 1


# Files --------------------------------------------------------------------------------------------

OWN = st.sampled_from([PIG, KUHN, HIGH_CARD]).map(duelbook.load)


def series_of(match: Match, seed: int) -> Series:
    return Series((match,), ("Ann", "Bo"), started="2026-01-01T00:00:00Z", seed=seed)


def read_again(series: Series) -> Match:
    with patch.dict(registry._loaded, {series.game.slug: series.game}):  # noqa: SLF001 # no file
        return saves.parse(saves.text(series), "the file").match


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(OWN, graphs(), private_card_games()), st.integers(0, 2**48), st.data())
def test_game_with_chance_and_private_cards_can_be_saved_after_every_move(
    game: type[Position], seed: int, data: st.DataObject
) -> None:
    assume(game.start().to_move != 1)  # a random graph may contradict that Player 1 starts
    series = series_of(Match.begin(game), seed)
    for turn in range(16):
        match = series.match
        written = json.loads(saves.text(series))["games"][0]
        again = read_again(series)
        assert again == match
        if match.outcome() is None:
            known = match.seen_by_everyone()
            pairs = zip(written["moves"], known, match.moves, strict=True)
            assert all(kept == ("?" if seen != move else move) for kept, seen, move in pairs)
        if match.outcome() is not None:
            return
        if match.position.to_move == CHANCE:
            move = chance.draw_from_seed(match.position, series.seed_of_draws(0), turn)
        else:
            move = data.draw(st.sampled_from(match.position.moves()))
        series = series.with_match(match.play(move))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(OWN, private_card_games()), st.data())
def test_save_omits_a_hidden_draw_that_does_not_follow_from_the_seed(
    game: type[Position], data: st.DataObject
) -> None:
    match = Match.begin(game)
    for turn in range(12):
        if match.outcome() is not None:
            return
        match = match.play(data.draw(st.sampled_from(match.position.moves())))
        for draws in (SeedCommitment("00"), UNKNOWN):
            promised = Series((match,), started="2026-01-01T00:00:00Z", draws=(draws,))
            assert read_again(promised) == match.without_secrets()
            written = json.loads(saves.text(promised))["games"][0]
            assert written.get("draws") == ({"commitment": "00"} if draws.commitment else None)
        again = read_again(series_of(match, 1))
        assert again == match.up_to(len(again.moves)), turn


def finished(home: Path, run: Run) -> Path:
    run("play", KUHN, "--seed", "3", typed="\nbet\n\nbet\n")
    (file,) = (home / "saves").iterdir()
    return file


def test_replay_reports_whether_draws_follow_from_the_seed(run: Run, home: Path) -> None:
    file = finished(home, run)
    honest = run("replay", str(file), "--game", KUHN)
    assert honest.exit_code == 0
    assert "\n1. Chance: deal queen\n" in honest.stdout
    assert honest.stdout.endswith("\nThe chance outcomes follow from the seed that was promised.\n")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("deal queen", "deal jack", "Move 1, deal jack, does not follow from the seed"),
        ("deal king", "deal jack", "Move 2, deal jack, does not follow from the seed"),
        ('"3 1"', '"3 2"', "The seed of the chance outcomes is not the one that was promised."),
        ('"commitment": "', '"commitment": "0', "is not the one that was promised."),
    ],
)
def test_replay_reports_wrong_draws(old: str, new: str, says: str, run: Run, home: Path) -> None:
    file = finished(home, run)
    text = file.read_text()
    assert old in text
    changed = text.replace(old, new)
    if "jack" in new and "king" in old:  # then Player 1 has the higher card
        changed = changed.replace('"winner": 2', '"winner": 1').replace("-2", "2")
    file.write_text(changed)
    refused = run("replay", str(file), "--game", KUHN)
    assert refused.exit_code == 1
    assert says in refused.stdout.splitlines()[-1]


def test_missing_seed_cannot_be_checked(run: Run, home: Path) -> None:
    file = finished(home, run)
    data = json.loads(file.read_text())
    del data["games"][0]["draws"]["seed"]
    file.write_text(json.dumps(data))
    shown = run("replay", str(file), "--game", KUHN)
    assert shown.exit_code == 0
    assert shown.stdout.endswith(
        "\nThe seed of the chance outcomes is not known, so they cannot be checked.\n"
    )
    data["games"][0] |= {"moves": ["?", "?"], "result": None}
    file.write_text(json.dumps(data))
    refused = run("replay", str(file), "--game", KUHN)
    assert refused.exit_code == 2
    assert "the file does not have the seed of this draw" in refused.output


@pytest.mark.parametrize(
    "draws", ['"x"', "{}", '{"commitment": 3}', '{"commitment": "00", "seed": 7}', "null"]
)
def test_invalid_commitment_is_refused(draws: str, run: Run, home: Path) -> None:
    file = finished(home, run)
    data = json.loads(file.read_text())
    data["games"][0]["draws"] = json.loads(draws)
    file.write_text(json.dumps(data))
    assert run("replay", str(file), "--game", KUHN).exit_code == 2


def test_result_has_the_payoff(run: Run, home: Path) -> None:
    file = finished(home, run)
    text = file.read_text()
    assert json.loads(text)["games"][0]["result"] == {"winner": 2, "by": "play", "payoff": -2}
    for change, code in [('"payoff": -2.0', 0), ('"payoff": -1', 2), ('"payoff": true', 2)]:
        file.write_text(text.replace('"payoff": -2', change))
        assert run("replay", str(file), "--game", KUHN).exit_code == code
    file.write_text(re.sub(r',\s*"payoff": -2', "", text))
    assert run("replay", str(file), "--game", KUHN).exit_code == 0


@pytest.mark.parametrize(
    ("by", "says", "points"),
    [
        ("agreement", "The players agree on a draw.", 0.5),
        ("cut", "The game is cut off at its limit, and is a draw.", 0.5),
        ("left", "A player has left the game, and it is a draw.", 0.5),
        ("aborted", "The game is aborted: nobody wins.", 0),
    ],
)
def test_game_ends_without_a_move_and_without_a_winner(
    by: DrawnBy, says: str, points: float, run: Run, tmp_path: Path
) -> None:
    match = Match.begin(duelbook.load("tower")).play("build 4").draw(by)
    series = series_of(match, 0)
    assert series.is_over
    assert series.score() == (points, points)
    file = tmp_path / "drawn.json"
    saves.write(series, file)
    assert json.loads(file.read_text())["games"][0]["result"] == {"winner": None, "by": by}
    assert saves.read(file) == series
    assert says in run("replay", str(file)).stdout
    assert match.undo().outcome() is None


UNASKED = """
from dataclasses import dataclass, replace
from duelbook.position import CHANCE, Position


@dataclass(frozen=True, slots=True)
class Unasked(Position):
    ACTIONS = ("roll", "hold", "bank")
    CHANCE_MOVES = ("die 1", "die 2")
    total: int = 0
    turns: int = 0

    def moves(self):
        if self.to_move == CHANCE:
            return list(self.CHANCE_MOVES)
        return [] if self.turns > 5 else ["hold", "bank"] if self.total else ["roll"]

    def apply(self, move):
        if move == "roll":
            return replace(self, to_move=CHANCE)
        if self.to_move == CHANCE:
            return replace(self, to_move=self.turns % 2, total=int(move.split()[1]))
        return replace(self, to_move=1 - self.to_move, total=0, turns=self.turns + 1)

    def winner(self):
        return 0 if self.turns > 5 else None
"""


def test_undo_skips_forced_moves_without_a_question(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "unasked.py"
    file.write_text(UNASKED)
    typed = "hold\nundo\nbank\nquit\n"
    screen = run("play", str(file), "--seed", "1", typed=typed).stdout
    assert re.search(r"Taken back: hold, roll, die \d\.", screen)
    assert "Player 1 plays bank." in screen


def test_list_of_two_items_is_not_a_pair_of_seats() -> None:
    shapes = shapes_of("prizes", (2, 3), (1, 2, 3))
    assert [type(shape).__name__ for shape in shapes] == ["Slots"]
    assert value_text(((0, 1), (), (2,))) == "(0, 1), (none), (2)"


def test_newest_save_may_be_of_a_custom_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "unasked.py"
    file.write_text(UNASKED)
    run("play", str(file), typed="quit\n")
    registry._loaded.clear()  # noqa: SLF001 # as in another run
    refused = run("resume")
    assert "There are saves of unknown games: give the game's file with --game." in refused.stderr
    assert run("resume", "--game", str(file), typed="quit\n").exit_code == 0
