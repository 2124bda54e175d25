"""What a seat must not know reaches it in no byte: games that differ in a secret look the same."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import permutations

import httpx
import pytest
from hypothesis import Phase, assume, given, note, settings
from hypothesis import strategies as st

import duelbook
from duelbook import Match, Position, secrecy
from duelbook.catalog.loader import load
from duelbook.catalog.registry import find
from duelbook.position import CHANCE
from online import UNLIMITED, Live, bearer, begin, live, sit
from paths import ROOT
from servers import TIMEOUT_SECONDS, Server, running
from strategies import fewer_examples

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

EXAMPLES = ROOT / "examples" / "games"
SEALED_BIDS, KUHN_POKER = str(EXAMPLES / "sealed_bids.py"), str(EXAMPLES / "kuhn_poker.py")
GAMES = [
    game for game in (*duelbook.list_games(), load(SEALED_BIDS)) if secrecy.keeps_secrets(game)
]
OWN = ("--game", SEALED_BIDS, "--game", KUHN_POKER)
TIMES = re.compile(
    r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^"]*|"ms": ?[\d.]+|[A-Z][a-z]+, \d\d [\d :A-Za-z]* GMT'
)
HASHES = re.compile(r"\b[0-9a-f]{64}\b")
PRESENCE = re.compile(
    r'{"type":"presence","seats":\[(?:true|false),(?:true|false)\],"watching":\d+}'
)
"""Who is here: how often that is told depends on the time between one and the next."""
WHILE_HIDDEN = (
    *("watch", "return", "look", "wrong", "bluff", "hint", "help", "no help"),
    *("offer", "decline", "agree", "rematch"),
)
WHILE_SECRET = (
    *WHILE_HIDDEN,
    *("resign", "concede"),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with running(Server(folder, *UNLIMITED, *OWN)) as server:
        yield server


@dataclass
class Table:
    """A game with both seats and a spectator, and every byte that was sent about it."""

    server: Server
    http: httpx.Client
    id: str
    secrets: list[str]
    people: list[Live]
    actions: tuple[str, ...]
    owner: int = 0
    owners: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def mine(self) -> Live:
        """The client of the seat that has a secret."""
        return self.people[self.owner]

    @property
    def yours(self) -> Live:
        """The clients that must not know it."""
        return self.people[1 - self.owner]

    async def play(self, *moves: str) -> None:
        """Play moves, each by the player to move."""
        for move in moves:
            self.owner = self.people[0].game["view"]["to_move"]
            answer = await self.mine.play(move)
            assert answer["type"] == "update", answer
            await self.settle()

    async def settle(self) -> None:
        """Let everything come that has been sent, or will be."""
        for client in self.people:
            await client.catch_up()
            while self.expects(client):
                await client.receive()

    def expects(self, client: Live) -> bool:
        """Whether something is still to come to someone: the next game, or who is winning."""
        if client.result:
            return all(client.status["rematch"]) and "next" not in client.status
        told = [message["turn"] for message in client.received if message["type"] == "evaluation"]
        sealed = any(move.endswith("?") for move in self.people[2].moves)
        return all(client.status["help"]) and not sealed and client.turn not in told

    async def ask(self, client: Live, **message: object) -> None:
        """Say something, whatever comes of it."""
        await client.request(**message)
        await self.settle()

    async def do(self, action: str) -> None:  # noqa: C901, PLR0912 # as many things as there are
        """Do one of the things that can be done while there is a secret."""
        mine, yours = self.mine, self.yours
        match action:
            case "watch":
                async with live(self.server, self.id) as newcomer:
                    await newcomer.catch_up()
                self.others += newcomer.frames
            case "return":
                async with live(self.server, self.id, self.secrets[1 - self.owner]) as again:
                    await again.catch_up()
                self.others += again.frames
            case "look":
                self.look()
            case "wrong":
                wrong = [move for move in self.actions if move not in yours.legal]
                for move in wrong[:3]:
                    await self.ask(yours, type="play", move=move, answers=yours.turn)
            case "bluff":
                await self.ask(yours, type="play", move="a bluff", answers=yours.turn)
            case "hint":
                await self.ask(yours, type="hint")
            case "help" | "no help":
                for client in (mine, yours):
                    await self.ask(client, type="help", on=action == "help")
            case "offer":
                await self.ask(mine, type="takeback", answers=mine.turn)
            case "decline":
                await self.ask(yours, type="decline")
            case "agree":
                await self.ask(yours, type="agree", answers=yours.turn)
            case "resign":
                await self.ask(yours, type="resign", answers=yours.turn)
            case "concede":
                await self.ask(mine, type="resign", answers=mine.turn)
            case "rematch":
                for client in (mine, yours):
                    await self.ask(client, type="rematch")
        await self.settle()

    def look(self) -> None:
        """Ask for everything that can be asked for without the owner's secret."""
        paths = ["", "/steps", "/save", "/analysis", "/draws", "/record"]
        requests: list[tuple[str, dict[str, str]]]
        requests = [(f"/api/games/{self.id}{path}", {}) for path in paths]
        proof = bearer(self.secrets[1 - self.owner])
        requests += [(f"/api/games/{self.id}{path}", proof) for path in ("", "/record")]
        requests += [(f"/g/{self.id}", {})]
        for path, headers in requests:
            # Compressed, a page is longer or shorter by chance: its address is in it.
            plain = {**headers, "Accept-Encoding": "identity"}
            answer = self.http.get(path, headers=plain, timeout=60)
            assert answer.status_code < 500
            self.others += [str(answer.headers), answer.text]

    def receive(self) -> list[str]:
        """Return all that anyone but the owner got, with what is by chance blanked.

        In any order: thoughts come when they come.
        """
        everything = [*self.others, *self.yours.frames, *self.people[2].frames]
        return sorted(self.blank(client) for client in everything if not PRESENCE.fullmatch(client))

    def blank(self, text: str) -> str:
        """Return a text without ids, times and promises."""
        for client in self.people:
            text = text.replace(client.status.get("next") or "no id", "NEXT")
        text = text.replace(self.id, "ID").replace(self.id[:6], "ID")
        return HASHES.sub("HASH", TIMES.sub("TIME", text))


@asynccontextmanager
async def table(server: Server, http: httpx.Client, game: type[Position]) -> AsyncIterator[Table]:
    """Begin a game, and let everyone connect."""
    mine = begin(http, game.slug)
    secrets = [mine["secret"], sit(http, mine["id"])["secret"]]
    while http.get(f"/api/games/{mine['id']}").json()["view"]["to_move"] == CHANCE:
        pass  # the cards are being dealt
    async with (
        live(server, mine["id"], secrets[0]) as client,
        live(server, mine["id"], secrets[1]) as two,
        live(server, mine["id"]) as watching,
    ):
        session = Table(server, http, mine["id"], secrets, [client, two, watching], game.ACTIONS)
        await session.settle()
        yield session


@st.composite
def twins(draw: st.DrawFn) -> tuple[type[Position], tuple[str, ...], list[str]]:
    """Draw a game, moves to begin with, and two moves that the other seat cannot tell apart."""
    game = draw(st.sampled_from(GAMES))
    match = Match.begin(game)
    for _ in range(draw(st.integers(0, 9))):
        if match.position.moves():
            match = match.play(draw(st.sampled_from(match.position.moves())))
    while match.position.moves():
        position = match.position
        looks: dict[Position, list[str]] = {}
        for move in position.moves():
            looks.setdefault(position.play(move).view(1 - position.to_move), []).append(move)
        alike = [moves for look, moves in looks.items() if secrecy.has_hidden(look)]
        alike = [moves for moves in alike if len(moves) > 1]
        if alike and not secrecy.hidden_from_mover(position):
            pair = st.lists(st.sampled_from(alike[0]), min_size=2, max_size=2, unique=True)
            return game, match.moves, draw(pair)
        match = match.play(draw(st.sampled_from(position.moves())))
    assume(False)
    raise AssertionError


@settings(
    max_examples=fewer_examples(5),  # each plays several games on a server
    phases=set(Phase) - {Phase.shrink},  # a smaller leak is none the better
)
@given(twins(), st.lists(st.sampled_from(WHILE_SECRET), max_size=6))
async def test_hidden_choice_does_not_change_any_message(
    server: Server,
    drawn: tuple[type[Position], tuple[str, ...], list[str]],
    doings: list[str],
) -> None:
    game, before, secret = drawn
    note(f"{game.title}: {before}, then one of {secret}, then {doings}")
    received, owners, logs = [], [], []
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        for move in secret:
            log_length = len(server.log_text())
            async with table(server, http, game) as session:
                await session.play(*before, move)
                for action in [*doings, "watch", "return", "look"]:
                    await session.do(action)
                received.append(session.receive())
                owners.append([session.blank(client) for client in session.mine.frames])
            http.get("/healthz")
            logs.append(session.blank(server.log_text()[log_length:]))
    assert received[0] == received[1]
    assert logs[0] == logs[1]
    assert owners[0] != owners[1]  # or else this test would be blind


@pytest.mark.parametrize("before", [(), ("pass",), ("bet",), ("pass", "bet")])
async def test_private_cards_do_not_change_any_message(
    server: Server, before: tuple[str, ...]
) -> None:
    seen: dict[str, dict[str, tuple[list[str], list[str], set[str]]]] = {}
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        while all(len(twins) < 2 for twins in seen.values()):
            log_length = len(server.log_text())
            async with table(server, http, load(KUHN_POKER)) as session:
                await session.play(*before)
                session.owner = 1
                for action in (*WHILE_HIDDEN, "watch", "return", "look"):
                    await session.do(action)
                cards = [session.people[seat].game["view"]["position"]["cards"] for seat in (0, 1)]
                received, owners = (
                    session.receive(),
                    sorted(map(session.blank, session.mine.frames)),
                )
            http.get("/healthz")
            log = set(
                session.blank(server.log_text()[log_length:]).splitlines()
            )  # the deal takes its time
            seen.setdefault(cards[0][0], {})[cards[1][1]] = received, owners, log
    first, second = next(list(twins.values()) for twins in seen.values() if len(twins) == 2)
    assert first[0] == second[0]
    assert first[2] == second[2]
    assert first[1] != second[1]  # or else this test would be blind


async def test_hidden_choice_is_sent_after_its_reveal(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        async with table(server, http, find("token-tactics")) as session:
            await session.play("attack 7")
            assert session.yours.moves == session.people[2].moves == ["attack ?"]
            assert session.mine.moves == ["attack 7"]
            assert session.mine.game["said"] == ["You attack with 7 tokens."]
            for other in (session.yours, session.people[2]):
                (sentence,) = other.game["said"]
                assert sentence.endswith(" attacks with a secret number of tokens.")
            await session.play("defend 3")
            assert all(client.moves == ["attack 7", "defend 3"] for client in session.people)
            assert all("with 7 tokens" in client.game["said"][1] for client in session.people)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_cached_response_of_a_seat_is_not_sent_to_others(
    server: Server, order: tuple[int, ...]
) -> None:
    """Long answers are cached: the first client to ask must not decide what others see."""
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        mine = begin(http, "token-tactics")
        yours = sit(http, mine["id"])
        game, attack = f"/api/games/{mine['id']}", {"type": "play", "move": "attack 7"}
        turn = http.get(game).json()["turn"]
        owner, other, nobody = bearer(mine["secret"]), bearer(yours["secret"]), dict[str, str]()
        http.post(f"{game}/commands", json={**attack, "answers": turn}, headers=owner)
        readers = [(owner, True), (other, False), (nobody, False)]
        for headers, is_owner in [readers[at] for at in order] * 2:
            for path in ("", "/record", "/steps", "/save", "/draws", "/analysis"):
                response = http.get(game + path, headers=headers).text
                assert ("attack 7" in response) == (is_owner and path in ("", "/record"))
                assert ('"commit":7' in response) == (is_owner and path in ("", "/record"))


async def test_holder_of_both_seats_sees_the_public_view(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        mine = begin(http, "token-tactics", mode="device")
        async with live(server, mine["id"], mine["secret"]) as both:
            await both.play("attack 7")
            assert both.moves == ["attack ?"]
            assert not any("7" in frame.partition('"legal"')[0] for frame in both.frames[-1:])
