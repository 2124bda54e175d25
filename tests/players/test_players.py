from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Self

import pytest
from conftest import Run, Terminal

import duelbook
from duelbook import HIDDEN, DuelbookError, Position, players
from duelbook.analysis.strength import MAX_PLIES, round_robin
from duelbook.games.galaxy_conquest import GalaxyConquest
from duelbook.games.token_tactics import TokenTactics
from duelbook.games.tower_defense_duel import TowerDefenseDuel
from duelbook.hidden import Hidden
from duelbook.play.names import LEVELS
from duelbook.players import Player, adapt, levels, make
from duelbook.players.information_sets import worlds
from duelbook.players.levels import Perfect, oracle_for
from duelbook.players.play_out import play_out
from duelbook.position import player
from duelbook.secrecy import SeatRecord
from duelbook.solver.cache import entries
from duelbook.solver.oracle import Oracle
from duelbook.solver.solution import Solution
from shared_solutions import shared_solution, solve_by_positions

GAMES = duelbook.list_games()
SMALL = [game for game in GAMES if not game.vectors]
KINDS = ["random", "greedy", "minimax:2", "mcts:20", *LEVELS]


@pytest.fixture
def remembered(game: type[Position], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a small game answer from memory what many games ask of it again and again."""
    for rule in ("moves", "play", "winner"):
        if not game.vectors:
            monkeypatch.setattr(game, rule, cache(getattr(game, rule)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_every_player_plays_reproducible_legal_moves(kind: str, game: type[Position]) -> None:
    def one_game() -> list[str]:
        position, random, moves = game(), Random(5), list[str]()
        pair = make(kind), make("random")
        while position.winner() is None and len(moves) < 60:
            move = pair[position.to_move].choose(position.view(position.to_move), random)
            assert move in position.moves()
            moves.append(move)
            position = position.play(move)
        return moves

    assert one_game() == one_game()


@pytest.mark.parametrize("kind", KINDS)
def test_no_player_depends_on_hidden_information(kind: str) -> None:
    """Whatever is hidden, a player that sees the same does the same."""
    player = make(kind)
    for reserves in [(10, 10), (3, 8), (15, 2)]:
        choices = set()
        for attack in range(1, reserves[0] + 1):
            position = TokenTactics(reserves=reserves).play(f"attack {attack}")
            choices.add(player.choose(position.view(1), Random(3)))
        assert len(choices) == 1


class Spy(Player):
    """Plays at random and remembers what it was shown."""

    def __init__(self) -> None:
        self.seen: list[Position] = []

    def choose(self, view: Position, random: Random) -> str:
        self.seen.append(view)
        return random.choice(view.moves())


def test_an_object_with_choose_becomes_a_player() -> None:
    class First:
        def choose(self, view: Position, random: Random) -> str:  # as documented
            return view.moves()[0]

    player, view = adapt(First()), TokenTactics.start()
    assert player.choose_from_record(SeatRecord(0, view), Random(1)) == view.moves()[0]
    assert (player.remembers, player.best(view), list(player.calls)) == (False, None, [])
    player.prepare(TokenTactics)
    player.close()
    with pytest.raises(DuelbookError, match="must be a name or have choose"):
        adapt(object())  # type: ignore[arg-type] # on purpose


def test_players_are_shown_only_what_their_seat_may_see() -> None:
    spies = Spy(), Spy()
    for number in range(50):
        play_out(TokenTactics, spies, Random(number), limit=MAX_PLIES)
    for seat in (0, 1):
        assert any(look.commit is duelbook.HIDDEN for look in spies[seat].seen)  # type: ignore[attr-defined] # Token Tactics' own field
        assert all(look.to_move == seat and look.view(seat) == look for look in spies[seat].seen)


def test_the_worlds_of_a_view_are_all_that_look_like_it() -> None:
    under_attack = TokenTactics(reserves=(4, 7)).play("attack 3")
    assert set(worlds(under_attack.view(1))) == {
        TokenTactics(reserves=(4, 7)).play(f"attack {n}") for n in (1, 2, 3, 4)
    }
    assert worlds(TokenTactics()) == [TokenTactics()]


@dataclass(frozen=True, slots=True)
class SmallStakes(Position):
    """Most payoffs are small parts of the largest payoff."""

    ACTIONS = ("lose", "draw", "gain")
    largest_payoff = 10_000

    paid: int | None = None

    def moves(self) -> list[str]:
        return [] if self.paid is not None else list(self.ACTIONS)

    def apply(self, move: str) -> Self:
        paid = {"lose": -3, "draw": 0, "gain": 3}[move]
        return replace(self, to_move=1 - self.to_move, paid=paid)

    def payoff(self) -> int | None:
        return self.paid


@pytest.mark.parametrize("kind", ["minimax:1", "minimax:2"])
def test_minimax_prefers_a_small_gain_to_a_draw(kind: str) -> None:
    assert make(kind).best(SmallStakes()) == ["gain"]


# Perfect play -----------------------------------------------------------------------------------


def safe_seat(solution: Solution, game: type[Position]) -> int:
    """Return the seat that the solution says cannot lose, the first mover's if neither can."""
    return 0 if solution.value(game()) >= 0 else 1


@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_perfect_is_never_beaten_by_random_from_the_safe_seat(
    game: type[Position], remembered: None
) -> None:
    solution = shared_solution(game)
    seat, perfect, anyone = safe_seat(solution, game), Perfect(solution), make("random")
    pair: tuple[Player, Player] = (perfect, anyone) if seat == 0 else (anyone, perfect)
    ends = (play_out(game, pair, Random(n), limit=MAX_PLIES).winner() for n in range(4000))
    beaten = [number for number, winner in enumerate(ends) if winner == 1 - seat]
    assert beaten == []


@pytest.mark.slow
@pytest.mark.integration
@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_perfect_is_never_beaten_by_mcts_from_the_safe_seat(
    game: type[Position], remembered: None
) -> None:
    solution = shared_solution(game)
    seat, perfect, other = safe_seat(solution, game), Perfect(solution), make("mcts:100")
    pair: tuple[Player, Player] = (perfect, other) if seat == 0 else (other, perfect)
    ends = [play_out(game, pair, Random(n), limit=30).winner() for n in range(60)]
    assert 1 - seat not in ends


@pytest.mark.parametrize("game", SMALL, ids=lambda game: str(game.slug))
def test_perfect_wins_a_won_position_within_the_solved_distance(game: type[Position]) -> None:
    solution, perfect, random = solve_by_positions(game), Perfect(), Random(1)
    won = [p for p in solution.positions.known if solution.score(p) > 0 and p.moves()]
    for start in random.sample(won, min(len(won), 200)):
        position = start
        winner, plies = position.to_move, solution.distance(position)
        assert plies is not None
        for _ in range(plies):
            if position.winner() is not None:
                break
            mine = position.to_move == winner
            view = position.view(position.to_move)
            move = perfect.choose(view, random) if mine else random.choice(position.moves())
            position = position.play(move)
        assert position.winner() == winner


def test_perfect_delays_a_loss_as_long_as_possible() -> None:
    solution, random = solve_by_positions(TowerDefenseDuel), Random(2)
    perfect = Perfect()
    for position in solution.positions.known:
        if solution.score(position) < 0 and position.moves():
            after = position.play(perfect.choose(position, random))
            assert solution.distance(after) == (solution.distance(position) or 0) - 1


def test_perfect_holds_an_endless_position_and_sets_traps() -> None:
    game = duelbook.load("capture")
    solution, perfect, random = solve_by_positions(game), Perfect(), Random(3)
    chosen = 0
    for position in solution.positions.known:
        if solution.score(position) or not position.moves():
            continue
        traps = {}
        for move in solution.best_moves(position):
            after = position.play(move)
            replies = [solution.move_score(after, reply) for reply in after.moves()]
            traps[move] = sum(score < 0 for score in replies) / len(replies)
        move = perfect.choose(position, random)
        assert solution.move_score(position, move) == 0
        assert traps[move] == max(traps.values())
        chosen += len(traps) > 1
    assert chosen > 10


def test_concurrent_requests_share_one_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions, all_ready = list[Solution](), Barrier(8)

    def best_oracle(game: type[Position]) -> Solution:
        solutions.append(solve_by_positions(game))
        return solutions[-1]

    def ask() -> Oracle:
        all_ready.wait()
        return levels.oracle_for(TowerDefenseDuel)

    monkeypatch.setattr(levels, "_oracles", {})
    monkeypatch.setattr("duelbook.solver.solve.solve_for_play", best_oracle)
    with ThreadPoolExecutor(8) as pool:
        answers = [pool.submit(ask) for _ in range(8)]
    assert {id(answer.result()) for answer in answers} == {id(one) for one in solutions}
    assert len(solutions) == 1


@pytest.mark.integration
def test_the_first_move_of_a_large_game_needs_no_table() -> None:
    player = Perfect()
    move = player.choose(GalaxyConquest(), Random(0))
    assert shared_solution(GalaxyConquest).move_score(GalaxyConquest(), move) > 0
    assert not entries()


@pytest.mark.integration
def test_a_stored_solution_of_a_large_game_changes_no_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "_oracles", {})
    position, random = GalaxyConquest(), Random(3)
    while position.moves():
        seed = random.random()
        searched = Perfect().choose(position, Random(seed))
        with monkeypatch.context() as patch:
            patch.setattr(levels, "_oracles", {GalaxyConquest: shared_solution(GalaxyConquest)})
            assert Perfect().choose(position, Random(seed)) == searched
        position = position.play(random.choice(position.moves()))


@pytest.mark.slow
@pytest.mark.integration
@pytest.mark.parametrize("game", SMALL, ids=lambda game: str(game.slug))
def test_each_level_is_stronger_than_the_one_below(game: type[Position], remembered: None) -> None:
    scores = round_robin(game, shared_solution(game), games=1000)
    neighbours = list(pairwise(LEVELS))
    for score in scores:
        if (score.weaker, score.stronger) in neighbours:
            assert score.p_value < 0.001, score


# Finding players --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["nobody", "mcts:0", "mcts:many", "minimax:-1", "mcts:99999999999", "easy:3", "random:1", ""],
)
def test_unknown_players_are_refused(name: str) -> None:
    with pytest.raises(DuelbookError):
        make(name)


def test_other_packages_offer_players(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "spy"

        @staticmethod
        def load() -> Callable[[str], Player]:
            return lambda _: Spy()

    def entry_points(*, group: str) -> list[type[Point]]:
        return [Point] if group == players.ENTRY_POINTS else []

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    assert isinstance(make("spy"), Spy)


# At the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [*LEVELS, "mcts:30"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_a_person_plays_the_computer(game: type[Position], level: str, run: Run) -> None:
    def answers() -> str:
        return "\n".join(["moves", *game.ACTIONS * 3])

    screen = run("play", game.slug, "--vs", level, "--as", "2", "--seed", "4", typed=answers())
    again = run("play", game.slug, "--vs", level, "--as", "2", "--seed", "4", typed=answers())
    assert screen.exit_code == 0
    assert "Player 1" in screen.stdout

    def played(text: str) -> list[str]:
        return [line for line in text.splitlines() if ".json" not in line]

    assert played(screen.stdout) == played(again.stdout)
    assert len(played(screen.stdout)) > 10


def test_the_computers_moves_are_printed(run: Run) -> None:
    screen = run("play", "tower", "--vs", "perfect", "--seed", "1", typed="build 4\n").stdout
    assert "\n\nThe computer attacks: your tower falls to 1 unit.\n" in screen
    assert screen.count("Player 1, it's your turn.") == 2


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
@pytest.mark.parametrize("seat", [0, 1])
def test_the_computer_is_not_asked(game: type[Position], seat: int, run: Run) -> None:
    me, computer = player(seat), player(1 - seat)
    answers = "\n".join([*game.ACTIONS * 2, "resign"])
    args = ("play", game.slug, "--vs", "random", "--as", str(seat + 1), "--seed", "3")
    screen = run(*args, typed=answers).stdout
    asked = {move: game.start(move).turn() for move in (0, 1)}
    assert asked[seat].splitlines()[0] in screen
    assert f"\n{asked[1 - seat].splitlines()[0]}\n" not in screen
    assert f"{computer}, " not in screen
    assert f"You are {me}" in screen


def test_the_computers_secrets_are_kept_until_the_reveal(run: Run, home: Path) -> None:
    for seed in range(12):
        args = ("play", "token", "--vs", "easy", "--as", "2", "--seed", str(seed))
        screen = run(*args, typed="board\nmoves\nsave\n").stdout
        if "to defend with" in screen:
            break
    assert "You chose to Attack." not in screen
    assert "Player 1 plays attack and keeps the rest secret." in screen
    assert "attack ?" in screen
    for file in (home / "saves").iterdir():
        assert all(" " not in move for move in json.loads(file.read_text())["games"][0]["moves"])
    revealed = run(*args, typed="3\n").stdout
    assert "- Attacker committed" in revealed


def test_the_computer_sees_only_its_view(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    monkeypatch.setattr(players, "make", lambda _: spy)
    run("play", "token", "--vs", "easy", typed="attack 7\n")
    assert spy.seen
    assert spy.seen[0] == TokenTactics().play("attack 7").view(1)


@dataclass(frozen=True, slots=True)
class HideAndBid(Position):
    """Player 1 hides a pea and then bids in the open, before Player 2 guesses."""

    ACTIONS = ("hide 1", "hide 2", "bid 1", "bid 2", "guess 1", "guess 2")
    pea: int | Hidden | None = None
    bid: int | None = None
    guess: int | None = None

    def moves(self) -> list[str]:
        if self.guess is not None:
            return []
        word = "hide" if self.pea is None else "bid" if self.bid is None else "guess"
        return [f"{word} 1", f"{word} 2"]

    def apply(self, move: str) -> Self:
        word, number = move.split()
        if word == "hide":
            return replace(self, pea=int(number))
        if word == "bid":
            return replace(self, bid=int(number), to_move=1)
        return replace(self, guess=int(number))

    def winner(self) -> int | None:
        return None if self.guess is None else int(self.guess == self.pea)

    def view(self, seat: int) -> Self:
        hidden = self.pea is not None and self.guess is None and seat == 1
        return replace(self, pea=HIDDEN) if hidden else self


def test_a_secret_of_the_computer_stays_hidden_over_several_moves(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.cli.play.load", lambda _: HideAndBid)
    screen = run("play", "x", "--vs", "random", "--as", "2", "--seed", "1", typed="moves\n").stdout
    assert "Player 1 plays bid" in screen
    assert "hide ?, bid" in screen
    assert "hide 1" not in screen
    assert "hide 2" not in screen


def test_after_undo_the_computer_draws_again(run: Run) -> None:
    drawn = set()
    for times in range(6):
        args = ("play", "token", "--vs", "random", "--seed", "5")
        screen = run(*args, typed="attack 1\nundo\n" * times + "attack 1\n").stdout
        drawn.add(screen.split("Defender committed ")[-1].split()[0])
    assert len(drawn) > 1


def test_undo_after_defending_lets_the_computer_attack_again(run: Run) -> None:
    for seed in range(20):
        args = ("play", "token", "--vs", "easy", "--as", "2", "--seed", str(seed))
        screen = run(*args, typed="0\nundo\n").stdout
        if "Taken back: attack" in screen:
            break
    again = screen.partition("Taken back: ")[2]
    assert re.search("Player 1 (plays attack|adds 1 token)", again)


def test_the_names_of_both_sides_are_printed(run: Run) -> None:
    args = ("play", "tower", "--vs", "hard", "--as", "2", "--names", "Deep", "Ann")
    told = "You are Ann, and the computer (hard) is Deep."
    assert told in run(*args, typed="quit\n").stdout
    assert told in run("resume").stdout


def test_a_hint_in_the_middle_of_another_move_says_so(run: Run) -> None:
    assert (
        "Type undo first."
        in run("play", "tower", typed="build 1\nbuild 1\nbuild 4\nbuild\nhint\n").stdout
    )
    assert "Type undo first." not in run("play", "tower", typed="build\nhint\n").stdout


def test_undo_against_the_computer_leads_back_to_the_person(run: Run) -> None:
    screen = run("play", "tower", "--vs", "hard", "--seed", "1", typed="build 4\nundo\n").stdout
    assert "Player 1 Tower Height: 0\nPlayer 2 Tower Height: 0\n" in screen
    first = run("play", "tower", "--vs", "hard", "--as", "2", "--seed", "1", typed="undo\n").stdout
    assert "There is no move to take back." in first


def test_a_resumed_game_against_the_computer_continues_unchanged(run: Run) -> None:
    whole = run("play", "tower", "--vs", "easy", "--seed", "7", typed="b 4\nb 2\nb 1\n").stdout
    run("play", "tower", "--vs", "easy", "--seed", "7", typed="b 4\n")
    rest = run("resume", typed="b 2\nb 1\n").stdout
    assert (
        whole.partition("builds 2 units")[2].splitlines()[:12]
        == (rest.partition("builds 2 units")[2].splitlines()[:12])
    )


@pytest.mark.parametrize(
    "arguments",
    [("--vs", "nobody"), ("--as", "2"), ("--vs", "mcts:x"), ("--as", "3", "--vs", "easy")],
)
def test_unsuitable_opponents_are_refused(arguments: tuple[str, ...], run: Run) -> None:
    assert run("play", "tower", *arguments).exit_code == 2


def test_the_menu_accepts_opponents(run: Run) -> None:
    assert "You are Player 1, and the computer (hard)" in run(typed="5 vs hard\n").stdout
    assert "There is no player 'god'." in run(typed="5 vs god\n").stdout


# Hints ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "typed", "told"),
    [
        ("tower", "hint\n", "build 2 wins in 21 turns."),
        (
            *("tower", "build 4\nhint\n"),
            "best play. build 4 leaves the opponent 3 winning answers of 4.",
        ),
        ("island", "hint\n", "rise 4 wins in 4 turns."),
        ("galaxy", "hint\n", "wins in 7 turns."),
        ("capture", "hint\n", "move 1 and move 2 avoid a loss."),
        ("capture", "1\n2\n2\n2\nhint\n", "Only move 1 avoids a loss."),
        ("token", "hint\n", "Both of you would see a hint about a hidden choice."),
    ],
)
def test_hints(slug: str, typed: str, told: str, run: Run) -> None:
    assert told in run("play", slug, typed=typed).stdout


def test_a_hint_about_a_hidden_choice_is_given_to_a_lone_person(run: Run) -> None:
    screen = run("play", "token", "--vs", "perfect", "--seed", "1", typed="hint\n").stdout
    assert "Every move loses against best play. fortify resists longest" in screen
    assert "but it loses in 12 turns." in screen


def test_a_hint_uses_only_the_view_of_the_player() -> None:
    from duelbook.analysis.hint import hint

    oracle = oracle_for(TokenTactics)
    told = {
        hint(oracle, replace(TokenTactics(), to_move=1, commit=n).view(1)) for n in range(1, 11)
    }
    assert len(told) == 1


def test_a_terminal_shows_no_hidden_choice_of_a_person(
    terminal: Callable[..., Terminal],
) -> None:
    screen = terminal("play", "token", "--vs", "easy", "--seed", "1")
    screen.wait_for("(2) Attack\r\n> ")
    screen.type("attack 7")
    assert "7" not in screen.wait_for("Reveal:")


def test_perfect_takes_a_probability_of_slips() -> None:
    always, never = make("perfect:1"), make("perfect:0")
    view, random = duelbook.load("tower")(), Random(1)
    assert {always.choose(view, random) for _ in range(50)} == set(view.moves())
    assert {never.choose(view, random) for _ in range(50)} == {"build 2"}
    for wrong in ("perfect:x", "perfect:1.5", "perfect:-1", "perfect:nan"):
        with pytest.raises(DuelbookError, match="must be from 0 to 1"):
            make(wrong)
