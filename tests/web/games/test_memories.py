"""What the seats of a game with secrets know, however many moves were made and taken back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import duelbook
from duelbook.catalog.loader import load
from duelbook.growing_tuple import GrowingTuple
from duelbook.position import CHANCE, Position
from duelbook.secrecy import Memory, keeps_secrets
from duelbook.web.games.state import seat_memories as memories_module
from duelbook.web.games.state.room import Room
from duelbook.web.games.state.seat_memories import MAX_MOVES_TRIED
from duelbook.web.store.game_events import GameEvent, GameTerms
from long_games import SECRETS, long_game
from paths import ROOT

pytestmark = pytest.mark.integration

EXAMPLES = ROOT / "examples" / "games"
OWN = [load(str(EXAMPLES / f"{name}.py")) for name in ("sealed_bids", "goofspiel", "leduc_poker")]
GAMES = [game for game in (*duelbook.list_games(), *OWN) if keeps_secrets(game)]


def from_scratch(room: Room, seat: int) -> Memory:
    """What a seat knows, worked out from the first move on."""
    match = room.match
    memory = Memory.begin(match.positions[0], seat)
    for at, move in enumerate(match.moves):
        memory = memory.after(
            match.positions[at], move, match.positions[at + 1], max_tries=MAX_MOVES_TRIED
        )
    return memory


@given(
    game=st.sampled_from(GAMES),
    block=st.integers(1, 5),
    wishes=st.lists(st.integers(0, 10**6), max_size=60),
)
def test_memories_after_takebacks_equal_recomputed_memories(
    game: type[Position], block: int, wishes: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memories_module, "BLOCK_MOVES", block)
        room = Room.begin(GameTerms("a game", game))
        for wish in wishes:
            chosen = [p for p in room.match.positions[:-1] if p.to_move != CHANCE]
            legal = room.position.moves()
            if chosen and (wish % 3 == 0 or not legal):
                room = room.after(GameEvent("takeback"))
            elif legal:
                move = legal[wish % len(legal)]
                room = room.after(GameEvent("move", room.position.to_move, move))
            assert room.memories is not None
            for seat in (0, 1):
                expected = from_scratch(room, seat)
                assert room.memories.now[seat] == expected
                assert room.seen_by(frozenset({seat})) == expected.moves()
        assert room.seen_by(frozenset()) == room.match.seen_by_everyone()


def counted(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Count the memories that are worked out."""
    worked_out, after = list[None](), Memory.after

    def count(self: Memory, *step: Any, **limits: Any) -> Memory:  # noqa: ANN401 # as it is called
        worked_out.append(None)
        return after(self, *step, **limits)

    monkeypatch.setattr(Memory, "after", count)
    return worked_out


class Played:
    """A long game whose moves are made and taken back, and how many events that took."""

    def __init__(self) -> None:
        self.room, self.moves = Room.begin(GameTerms("a game", SECRETS)), long_game(400)
        self.events = 0

    def go_to(self, length: int) -> None:
        """Make moves or take them back, until there are so many or hardly fewer."""
        while len(self.room.match.moves) > length:
            self.events += 1
            self.room = self.room.after(GameEvent("takeback"))
        for move in self.moves[len(self.room.match.moves) : length]:
            self.events += 1
            self.room = self.room.after(move)


@pytest.mark.parametrize("back", [1, 3, 30, 100, 300])
def test_takebacks_recompute_few_memories(monkeypatch: pytest.MonkeyPatch, back: int) -> None:
    played, worked_out = Played(), counted(monkeypatch)
    played.go_to(300)
    for _ in range(600 // back):
        played.go_to(300 - back)
        played.go_to(300)
    assert len(worked_out) <= 2 * 2 * played.events


def test_repeated_takebacks_recompute_few_memories() -> None:
    played = Played()
    for at in range(100, 140):
        played.go_to(at + 60)
        played.go_to(at)
        played.go_to(at + 3)
        with pytest.MonkeyPatch.context() as patch:
            worked_out, played.events = counted(patch), 0
            for _ in range(10):
                played.go_to(at)
                played.go_to(at + 3)
            assert len(worked_out) <= 2 * played.events


def test_limited_memory_never_reveals_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("duelbook.secrecy.SECRET_TRIES_FACTOR", 0)
    game = load(str(EXAMPLES / "leduc_poker.py"))
    position, matches = game.start(0), []
    limited = free = Memory.begin(position, 0)
    while position.moves():
        move = position.moves()[0]
        after = position.play(move)
        limited = limited.after(position, move, after, max_tries=MAX_MOVES_TRIED)
        free = free.after(position, move, after)
        position = after
        for limited_move, free_move in zip(limited.moves(), free.moves(), strict=True):
            assert limited_move == free_move or limited_move.endswith("?")
            matches.append(limited_move == free_move)
    assert not limited.worlds
    assert free.worlds
    assert True in matches


# Tuples that grow -------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9))))
def test_growing_tuple_equals_a_tuple(steps: list[tuple[int, int]]) -> None:
    grown, plain = [GrowingTuple[int]()], [()]
    for which, item in steps:
        at = which % len(grown)
        if item == 9:
            grown.append(grown[at].up_to(which // 2))
            plain.append(plain[at][: which // 2])  # type: ignore[arg-type] # a longer tuple
        else:
            grown.append(grown[at].plus(item, item + 1))
            plain.append((*plain[at], item, item + 1))  # type: ignore[arg-type] # a longer tuple
    for growing, plain_tuple in zip(grown, plain, strict=True):
        assert tuple(growing) == plain_tuple
        assert len(growing) == len(plain_tuple)
        assert [growing[at] for at in range(-len(growing), len(growing))] == [
            *plain_tuple,
            *plain_tuple,
        ]
        assert growing == GrowingTuple(plain_tuple)
        assert hash(growing) == hash(GrowingTuple(plain_tuple))
    with pytest.raises(IndexError):
        grown[0][0]
