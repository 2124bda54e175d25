"""The rules of the example games: hand-written cases, and comparisons with OpenSpiel."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
import pytest
from scipy import stats

import duelbook
from duelbook import DRAW, IllegalMove, Match, Position
from duelbook.chance import draw, draw_from_seed
from duelbook.position import CHANCE
from duelbook.secrecy import SeatRecord
from duelbook.solver.enumeration.enumerator import enumerate_game
from paths import ROOT

FOLDER = ROOT / "examples" / "games"
CARDS = [f"{rank} of {suit}" for rank in ("jack", "queen", "king") for suit in ("spades", "hearts")]
WITH_CLAUSES = ["connect_four", "goofspiel", "hexapawn", "kuhn_poker", "leduc_poker", "liars_dice"]
WITH_CLAUSES += ["nim", "pig", "two_dice_race"]


def book(name: str) -> type[Position]:
    return duelbook.load(str(FOLDER / f"{name}.py"))


def played(game: str | type[Position], *moves: str, first: int = 0) -> Match:
    """Return a match after these moves."""
    match = Match.begin(book(game) if isinstance(game, str) else game, first)
    for move in moves:
        match = match.play(move)
    return match


def paid(match: Match) -> float:
    """Return the payoff of Player 1."""
    outcome = match.outcome()
    assert outcome is not None
    return outcome.payoffs[0]


@pytest.mark.parametrize("name", WITH_CLAUSES)
def test_every_clause_of_the_book_has_a_test(name: str) -> None:
    page = (FOLDER / f"{name}.md").read_text()
    clauses = re.findall(r"^- ([A-Z]{2}-\d+) ", page, re.MULTILINE)
    assert [int(clause[3:]) for clause in clauses] == list(range(1, len(clauses) + 1))
    marks = set(re.findall(r'"([A-Z]{2}-\d+)"', Path(__file__).read_text()))
    assert set(clauses) - marks == set()


# Pig ------------------------------------------------------------------------------------------


@pytest.mark.clause("PI-1", "PI-2", "PI-4")
def test_pips_count_for_the_turn_until_the_player_holds() -> None:
    match = played("pig")
    assert match.position.moves() == ["roll"]
    with pytest.raises(IllegalMove, match="begins with a roll"):
        match.play("hold")
    match = played("pig", "roll", "die 4", "roll", "die 6")
    assert match.position.to_move == 0
    assert match.position.moves() == ["roll", "hold"]
    match = match.play("hold")
    assert (match.position.to_move, match.position.to_json()["points"]) == (1, [10, 0])
    assert "Player 1 holds and now has 10 points." in match.move_texts()


@pytest.mark.clause("PI-3")
def test_a_one_ends_the_turn_and_loses_its_points() -> None:
    match = played("pig", "roll", "die 5", "hold", "roll", "die 6", "roll", "die 1")
    assert (match.position.to_move, match.position.to_json()["points"]) == (0, [5, 0])
    assert match.position.to_json()["turn_total"] == 0
    assert match.move_texts()[-1] == "Player 2 rolls a 1, and gets nothing for this turn."


@pytest.mark.clause("PI-5")
def test_a_hundred_points_win_at_once() -> None:
    almost = ["roll", "die 6"] * 16 + ["roll", "die 3"]
    match = played("pig", *almost)
    assert match.outcome() is None
    match = match.play("roll").play("die 2")
    assert match.winner() == 0
    assert match.position.moves() == []
    assert match.move_texts()[-1].endswith("Player 1 wins!")


def test_a_shorter_pig_is_one_line() -> None:
    class ShortPig(book("pig")):  # type: ignore[misc] # a class that is loaded from a file
        goal = 10

    match = played(ShortPig, "roll", "die 5", "roll", "die 5")
    assert match.winner() == 0
    assert len(enumerate_game(ShortPig)) < 5_000


# Kuhn poker -----------------------------------------------------------------------------------


@pytest.mark.clause("KP-1")
def test_only_its_player_sees_a_card() -> None:
    match = played("kuhn_poker", "deal king", "deal jack")
    assert [match.position.view(seat).to_json()["cards"] for seat in (0, 1)] == [
        ["king", {"hidden": True}],
        [{"hidden": True}, "jack"],
    ]
    assert match.seen_by(0) == ("deal king", "deal ?")
    assert match.seen_by_everyone() == ("deal ?", "deal ?")
    assert match.move_texts() == ("Player 1 gets a card.", "Player 2 gets a card.")


@pytest.mark.clause("KP-2", "KP-3", "KP-4", "KP-5")
@pytest.mark.parametrize(
    ("words", "chips"),
    [
        (["pass", "pass"], 1),
        (["pass", "bet", "bet"], 2),
        (["bet", "bet"], 2),
        (["bet", "pass"], 1),
        (["pass", "bet", "pass"], -1),  # the king folds
    ],
)
def test_what_a_king_wins_against_a_queen(words: list[str], chips: int) -> None:
    match = played("kuhn_poker", "deal king", "deal queen")
    assert match.position.to_move == 0
    for word in words:
        assert match.position.moves() == ["pass", "bet"]
        match = match.play(word)
    assert paid(match) == chips
    shown = chips == 2 or words == ["pass", "pass"]
    assert (match.position.view(0) == match.position) == shown
    assert ("shows the queen" in match.move_texts()[-1]) == shown


# Leduc poker ----------------------------------------------------------------------------------


@pytest.mark.clause("LP-1", "LP-2")
def test_six_cards_are_dealt_two_by_two() -> None:
    match = played("leduc_poker")
    assert match.position.moves() == [f"deal {card}" for card in CARDS]
    match = match.play("deal queen of hearts").play("deal queen of spades")
    assert match.position.view(1).to_json()["cards"] == [{"hidden": True}, "queen of spades"]
    assert match.seen_by(1) == ("deal ?", "deal queen of spades")


@pytest.mark.clause("LP-3", "LP-4", "LP-5", "LP-6", "LP-7")
def test_the_betting_of_leduc_poker() -> None:
    match = played("leduc_poker", "deal king of hearts", "deal jack of hearts")
    choices = []
    for move in ["call", "raise", "raise", "call", "turn up king of spades", "raise", "call"]:
        choices.append((match.position.to_move, *match.position.moves()))
        match = match.play(move)
    assert choices == [
        (0, "call", "raise"),
        (1, "call", "raise"),
        (0, "fold", "call", "raise"),
        (1, "fold", "call"),
        (CHANCE, *(f"turn up {card}" for card in (*CARDS[:1], *CARDS[2:5]))),
        (0, "call", "raise"),
        (1, "fold", "call", "raise"),
    ]
    assert paid(match) == 1 + 2 * 2 + 4


@pytest.mark.clause("LP-4", "LP-5")
def test_a_move_that_the_betting_does_not_allow_is_refused_with_the_reason() -> None:
    match = played("leduc_poker", "deal king of hearts", "deal jack of hearts")
    with pytest.raises(IllegalMove, match="no raise to answer"):
        match.play("fold")
    match = match.play("raise").play("raise")
    with pytest.raises(IllegalMove, match="Two raises are enough"):
        match.play("raise")


@pytest.mark.clause("LP-8")
def test_a_fold_loses_the_stake_and_reveals_no_card() -> None:
    match = played("leduc_poker", "deal king of hearts", "deal jack of hearts")
    match = match.play("raise").play("raise").play("fold")
    assert paid(match) == -3
    assert match.seen_by(1)[0] == "deal ?"
    assert match.move_texts()[-1] == "Player 1 folds.\nPlayer 2 wins 3 chips!"


@pytest.mark.clause("LP-9")
@pytest.mark.parametrize(
    ("first", "second", "table", "chips"),
    [
        ("king of hearts", "jack of hearts", "jack of spades", -1),  # a pair
        ("king of hearts", "jack of hearts", "queen of spades", 1),  # the higher card
        ("king of hearts", "king of spades", "queen of spades", 0),
    ],
)
def test_who_wins_the_showdown(first: str, second: str, table: str, chips: int) -> None:
    match = played("leduc_poker", f"deal {first}", f"deal {second}", "call", "call")
    match = match.play(f"turn up {table}").play("call").play("call")
    assert paid(match) == chips
    assert (match.position.winner() is DRAW) == (chips == 0)


# Liar's dice ----------------------------------------------------------------------------------


@pytest.mark.clause("LD-1", "LD-2", "LD-4")
def test_bids_rise_until_someone_calls() -> None:
    match = played("liars_dice", "die 3", "die 5")
    assert match.position.view(1).to_json()["dice"] == [{"hidden": True}, 5]
    assert len(match.position.moves()) == 12
    with pytest.raises(IllegalMove, match="Nobody has bid yet"):
        match.play("liar")
    match = match.play("bid 1 5")
    assert match.position.moves() == ["bid 1 6", *(f"bid 2 {pips}" for pips in range(1, 7)), "liar"]
    with pytest.raises(IllegalMove, match="higher"):
        match.play("bid 1 5")
    match = match.play("bid 2 6")
    assert match.position.moves() == ["liar"]
    assert match.position.to_json()["bids"] == [15, 26]
    assert match.seen_by_everyone() == ("die ?", "die ?", "bid 1 5", "bid 2 6")


@pytest.mark.clause("LD-3", "LD-5")
@pytest.mark.parametrize(
    ("dice", "bid", "winner"),
    [
        ((3, 5), "bid 1 3", 0),
        ((3, 5), "bid 2 3", 1),
        ((3, 6), "bid 2 3", 0),  # the 6 counts as a 3
        ((6, 6), "bid 2 1", 0),
        ((3, 6), "bid 2 6", 1),  # a 3 counts as nothing else
        ((2, 2), "bid 1 6", 1),
    ],
)
def test_a_bid_is_true_or_a_lie(dice: tuple[int, int], bid: str, winner: int) -> None:
    match = played("liars_dice", *(f"die {die}" for die in dice), bid, "liar")
    assert match.winner() == winner
    assert match.position.view(0) == match.position.view(1) == match.position


# Goofspiel ------------------------------------------------------------------------------------


@pytest.mark.clause("GS-1", "GS-2", "GS-3", "GS-4")
def test_bids_are_shown_together_and_spent() -> None:
    match = played("goofspiel", "prize 3", "bid 4")
    assert match.seen_by(1) == ("prize 3", "bid ?")
    assert match.move_texts()[-1] == ""
    match = match.play("bid 2")
    assert match.move_texts()[-1] == "Player 1 bids 4, Player 2 bids 2: it goes to Player 1."
    assert match.position.moves() == ["prize 1", "prize 2", "prize 4"]
    match = match.play("prize 4").play("bid 1")
    assert match.position.moves() == ["bid 1", "bid 3", "bid 4"]
    match = match.play("bid 1")
    assert match.position.to_json()["points"] == [3, 0]  # nobody gets the prize of 4


@pytest.mark.clause("GS-5", "GS-6")
@pytest.mark.parametrize(
    ("bids", "points", "winner"),
    [
        ([4, 2, 1, 1, 3, 3], [3, 2], 0),
        ([1, 2, 2, 3, 3, 4], [2, 8], 1),
        ([1, 1, 2, 2, 3, 3], [0, 0], DRAW),
    ],
)
def test_the_last_cards_bid_for_the_last_prize(
    bids: list[int], points: list[int], winner: object
) -> None:
    match = played("goofspiel")
    for prize, at in ((3, 0), (4, 2), (1, 4)):
        match = match.play(f"prize {prize}").play(f"bid {bids[at]}").play(f"bid {bids[at + 1]}")
    assert match.position.to_json()["points"] == points
    assert match.position.winner() == winner
    assert "The last prize: 2 points." in match.move_texts()[-1]


# Two dice race --------------------------------------------------------------------------------


@pytest.mark.clause("DR-1", "DR-2", "DR-3")
def test_a_runner_runs_by_one_die_or_by_both() -> None:
    match = played("two_dice_race", "dice 2 5")
    assert (match.position.to_move, match.position.moves()) == (0, ["run 2", "run 5", "run 7"])
    with pytest.raises(IllegalMove, match="one of the dice"):
        match.play("run 3")
    match = match.play("run 5").play("dice 3 3")
    assert (match.position.to_move, match.position.moves()) == (1, ["run 3", "run 6"])
    assert played("two_dice_race", "dice 1 1", first=1).position.to_move == 1


@pytest.mark.clause("DR-2")
def test_a_double_is_half_as_likely_as_other_rolls() -> None:
    odds = book("two_dice_race")().odds()
    assert sum(odds.values()) == 36
    assert odds["dice 4 4"] * 2 == odds["dice 3 4"]


@pytest.mark.clause("DR-4", "DR-6")
def test_home_must_be_reached_exactly() -> None:
    match = played("two_dice_race", "dice 6 6", "run 12", "dice 1 2", "run 1", "dice 4 6", "run 10")
    match = match.play("dice 1 2").play("run 1")
    assert match.play("dice 2 5").play("run 5").position.to_json()["places"] == [21, 2]
    home = match.play("dice 1 1").play("run 2")
    assert home.winner() == 0
    assert home.position.moves() == []


@pytest.mark.clause("DR-5")
def test_a_runner_sends_the_other_back_except_from_a_safe_place() -> None:
    match = played("two_dice_race", "dice 2 5", "run 7", "dice 3 4", "run 7")
    assert match.position.to_json()["places"] == [0, 7]
    assert match.move_texts()[-1].endswith("Player 1 goes back to the start.")
    match = played("two_dice_race", "dice 1 5", "run 6", "dice 3 3", "run 6")
    assert match.position.to_json()["places"] == [6, 6]


# Nim, hexapawn, connect four ------------------------------------------------------------------


@pytest.mark.clause("NI-1", "NI-2", "NI-3", "NI-4")
def test_the_last_stick_wins() -> None:
    match = played("nim")
    assert len(match.position.moves()) == 3 + 5 + 7
    match = match.play("heap 2 take 4")
    with pytest.raises(IllegalMove, match="1 stick in heap 2"):
        match.play("heap 2 take 2")
    match = match.play("heap 3 take 7").play("heap 1 take 3")
    assert match.outcome() is None
    match = match.play("heap 2 take 1")
    assert match.winner() == 1
    assert match.position.moves() == []


@pytest.mark.clause("HP-1", "HP-2", "HP-3", "HP-4")
def test_a_pawn_moves_straight_and_captures_diagonally() -> None:
    match = played("hexapawn")
    assert match.position.moves() == ["a1 a2", "b1 b2", "c1 c2"]
    match = match.play("b1 b2")
    assert sorted(match.position.moves()) == ["a3 a2", "a3 b2", "c3 b2", "c3 c2"]
    match = match.play("a3 b2")
    assert match.move_texts()[-1].startswith("Player 2 goes from a3 to b2 and takes a pawn.")


@pytest.mark.clause("HP-5", "HP-6")
@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        (["b1 b2", "a3 b2", "c1 b2", "c3 c2", "a1 a2", "c2 c1"], 1),  # across
        (["a1 a2", "b3 b2", "c1 c2"], 0),  # all pawns are blocked
        (["a1 a2", "b3 a2", "b1 b2", "a3 b2", "c1 b2", "c3 b2"], 1),  # no pawn is left
        (["a1 a2", "b3 a2", "b1 a2"], None),
    ],
)
def test_how_hexapawn_ends(moves: list[str], winner: int | None) -> None:
    match = played("hexapawn", *moves)
    assert match.winner() == winner
    assert (match.position.moves() == []) == (winner is not None)


@pytest.mark.clause("CF-1", "CF-2", "CF-3")
def test_a_disc_falls_onto_the_discs_below_until_the_column_is_full() -> None:
    match = played("connect_four", *["column 3"] * 4)
    assert match.position.moves() == ["column 1", "column 2", "column 4", "column 5"]
    with pytest.raises(IllegalMove, match="Column 3 is full"):
        match.play("column 3")
    assert match.position.board().split()[2::5] == ["O", "X", "O", "X", "3"]


@pytest.mark.clause("CF-4")
@pytest.mark.parametrize(
    "columns",
    ["1122334", "1212121", "12233434414", "54433232252"],
    ids=["across", "upright", "aslant up", "aslant down"],
)
def test_four_in_a_row_win(columns: str) -> None:
    match = played("connect_four", *(f"column {column}" for column in columns))
    assert match.winner() == 0
    assert match.position.moves() == []


@pytest.mark.clause("CF-5")
def test_a_full_grid_without_four_in_a_row_is_a_draw() -> None:
    columns = "11112222" + "34333" + "4445555"
    match = played("connect_four", *(f"column {column}" for column in columns))
    assert match.position.winner() is DRAW
    assert match.position.moves() == []


# Comparisons with OpenSpiel ----------------------------------------------------------------

DICE = {f"die {pips}": pips - 1 for pips in range(1, 7)}
BIDS = {f"bid {n} {pips}": 6 * (n - 1) + pips - 1 for n in (1, 2) for pips in range(1, 7)}


@dataclass(frozen=True)
class Twin:
    """A game, the same game in OpenSpiel, and OpenSpiel's action for each move."""

    book: str
    name: str
    action_of: Mapping[str, int]


TWINS = {
    twin.book: twin
    for twin in (
        Twin(
            "kuhn_poker",
            "kuhn_poker",
            {"pass": 0, "bet": 1, "deal jack": 0, "deal queen": 1, "deal king": 2},
        ),
        Twin(
            "leduc_poker",
            "leduc_poker",
            {"fold": 0, "call": 1, "raise": 2}
            | {
                f"{deal} {card}": at
                for deal in ("deal", "turn up")
                for at, card in enumerate(CARDS)
            },
        ),
        Twin("liars_dice", "liars_dice", {**DICE, **BIDS, "liar": 12}),
        Twin(
            "goofspiel",
            "turn_based_simultaneous_game(game=goofspiel(num_cards=4,returns_type=win_loss))",
            {f"{word} {card}": card - 1 for word in ("bid", "prize") for card in range(1, 5)},
        ),
        Twin(
            "nim",
            "nim(pile_sizes=3;5;7,is_misere=False)",
            {
                f"heap {heap} take {n}": 3 * (n - 1) + heap - 1
                for heap in (1, 2, 3)
                for n in range(1, 8)
            },
        ),
        Twin(
            "connect_four",
            "connect_four(rows=4,columns=5)",
            {f"column {n + 1}": n for n in range(5)},
        ),
        Twin("pig", "pig(horizon=100000)", {"roll": 0, "hold": 1, **DICE}),
    )
}


def assert_same(match: Match, state: Any, twin: Twin) -> None:  # noqa: ANN401 # pyspiel has no types
    """Compare the player to move, the legal moves, the odds and the payoffs."""
    position = match.position
    outcome = position.outcome()
    assert state.is_terminal() == (outcome is not None), match.moves
    if outcome is not None:
        assert list(outcome.payoffs) == state.returns(), match.moves
        return
    ours = {twin.action_of[move]: move for move in position.moves()}
    assert sorted(ours) == state.legal_actions(), match.moves
    assert state.is_chance_node() == (position.to_move == CHANCE), match.moves
    if position.to_move != CHANCE:
        assert state.current_player() == position.to_move, match.moves
        return
    odds = position.odds()
    chances = {action: odds[move] / sum(odds.values()) for action, move in ours.items()}
    assert chances == pytest.approx(dict(state.chance_outcomes())), match.moves


def both_trees(twin: Twin) -> Iterator[tuple[Match, Any]]:
    """Compare every history of both games, and yield it."""
    stack = [(played(twin.book), pyspiel.load_game(twin.name).new_initial_state())]
    while stack:
        match, state = stack.pop()
        assert_same(match, state, twin)
        yield match, state
        stack += [
            (match.play(move), state.child(twin.action_of[move])) for move in match.position.moves()
        ]


def both_at_random(twin: Twin, games: int, seed: int) -> Iterator[tuple[Match, Any]]:
    """Compare the histories of random games of both games, and yield them."""
    random, game = Random(seed), book(twin.book)
    for _ in range(games):
        match, state = played(game), pyspiel.load_game(twin.name).new_initial_state()
        assert_same(match, state, twin)
        while moves := match.position.moves():
            yield match, state
            move = random.choice(moves)
            match, state = match.play(move), state.child(twin.action_of[move])
            assert_same(match, state, twin)
        yield match, state


def choices(histories: list[tuple[Match, Any]]) -> list[tuple[SeatRecord, str]]:
    """Return the information state at each decision, ours and OpenSpiel's."""
    return [
        (match.record(seat), f"{seat} {state.information_state_string(seat)}")
        for match, state in histories
        if match.position.moves() and (seat := match.position.to_move) != CHANCE
    ]


@pytest.mark.parametrize(
    ("name", "histories", "infosets"), [("kuhn_poker", 58, 12), ("leduc_poker", 9_457, 936)]
)
def test_the_whole_tree_of_a_poker_is_that_of_openspiel(
    name: str, histories: int, infosets: int
) -> None:
    both = list(both_trees(TWINS[name]))
    assert len(both) == histories
    known = choices(both)
    assert len(set(known)) == len({ours for ours, _ in known}) == infosets
    assert len({theirs for _, theirs in known}) == infosets


@pytest.mark.integration
def test_the_whole_tree_of_goofspiel_is_that_of_openspiel() -> None:
    """Remove the order of the bids from a state: OpenSpiel's strings do not contain it."""
    both = list(both_trees(TWINS["goofspiel"]))
    ends = [match for match, _ in both if match.outcome()]
    assert len(ends) == 4 * 16 * 3 * 9 * 2 * 4
    known = {(_without_bids(record), theirs) for record, theirs in choices(both)}
    assert len(known) == len({ours for ours, _ in known}) == len({theirs for _, theirs in known})


def _without_bids(record: SeatRecord) -> tuple[object, ...]:
    """Return the seat, its view of the cards, and each prize with the points so far."""
    shown = [look.to_json() for *_, look in record.steps]
    prizes = tuple((look["prize"], *look["points"]) for look in shown)
    return record.seat, str(shown[-1]["cards"]), prizes


@pytest.mark.integration
def test_random_games_of_liars_dice_are_those_of_openspiel() -> None:
    known = choices(list(both_at_random(TWINS["liars_dice"], games=3_000, seed=1)))
    assert (
        len(set(known)) == len({ours for ours, _ in known}) == len({theirs for _, theirs in known})
    )


@pytest.mark.slow
@pytest.mark.integration
def test_liars_dice_has_as_many_information_sets_as_in_openspiel() -> None:
    """A view contains all bids, so it is the whole information state."""
    positions = enumerate_game(book("liars_dice")).positions
    looks = {(p.to_move, p.view(p.to_move)) for p in positions if p.to_move != CHANCE and p.moves()}
    assert len(looks) == 24_576


@pytest.mark.parametrize("name", ["nim", "connect_four"])
def test_random_games_are_those_of_openspiel(name: str) -> None:
    for _ in both_at_random(TWINS[name], games=300, seed=2):
        pass


def test_random_games_of_pig_are_those_of_openspiel() -> None:
    """In OpenSpiel a player may hold before the first roll, and must hold to win."""
    twin, random, game = TWINS["pig"], Random(3), book("pig")
    wins = Counter[int]()
    for _ in range(100):
        match, state = played(game), pyspiel.load_game(twin.name).new_initial_state()
        while moves := match.position.moves():
            legal = {twin.action_of[move] for move in moves}
            extra = set() if match.position.to_move == CHANCE or "hold" in moves else {1}
            assert legal | extra == set(state.legal_actions())
            assert (match.position.to_move == CHANCE) == state.is_chance_node()
            if not state.is_chance_node():
                assert match.position.to_move == state.current_player()
            weights = [3, 1][: len(moves)] if match.position.to_move != CHANCE else None
            (move,) = random.choices(moves, weights)
            match, state = match.play(move), state.child(twin.action_of[move])
        assert not state.is_terminal()
        state.apply_action(twin.action_of["hold"])
        assert state.is_terminal()
        assert [paid(match), -paid(match)] == state.returns()
        wins[match.winner() or 0] += 1
    assert min(wins[0], wins[1]) > 10


# Chance -----------------------------------------------------------------------------------------


def assert_fair(counts: Counter[str], odds: Mapping[str, int]) -> None:
    """Fail if the frequencies have a probability below 0.001 under the odds."""
    total, weight = counts.total(), sum(odds.values())
    expected = [total * share / weight for share in odds.values()]
    assert set(counts) == set(odds)
    assert stats.chisquare([counts[move] for move in odds], expected).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.integration
def test_a_million_rolls_of_two_dice_follow_the_odds() -> None:
    start, random = book("two_dice_race")(), Random(4)
    assert_fair(Counter(draw(start, random) for _ in range(1_000_000)), start.odds())


@pytest.mark.integration
def test_rolls_from_seeds_follow_the_odds() -> None:
    start = book("two_dice_race")()
    seeds = Counter(draw_from_seed(start, f"seed {n}", 0) for n in range(100_000))
    assert_fair(seeds, start.odds())
    turns = Counter(draw_from_seed(start, "seed", turn) for turn in range(100_000))
    assert_fair(turns, start.odds())
