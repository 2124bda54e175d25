from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duelbook import HIDDEN, Match, Position, secrecy
from duelbook.play import move_input, saves
from duelbook.play.series import Series
from strategies import GAMES, matches


@given(matches())
def test_positions_and_views_survive_json(match: Match) -> None:
    for position in (match.position, match.position.view(0), match.position.view(1)):
        text = json.dumps(position.to_json())
        again = type(position).from_json(json.loads(text))
        assert again == position
        assert hash(again) == hash(position)
        assert pickle.loads(pickle.dumps(position)) == position  # noqa: S301 # our own bytes
        assert copy.deepcopy(position) == position


@given(matches())
def test_there_are_no_moves_exactly_when_there_is_a_winner(match: Match) -> None:
    for position in match.positions:
        assert (position.moves() == []) == (position.winner() is not None)
        assert position.winner() in (None, 0, 1)
        assert position.to_move in (0, 1)


@given(matches())
def test_moves_are_actions_spelled_once(match: Match) -> None:
    moves = match.position.moves()
    assert len(set(moves)) == len(moves)
    assert set(moves) <= set(match.position.ACTIONS)
    assert all(move == " ".join(move.split()) == move.lower() for move in moves)


@given(matches())
def test_playing_leaves_the_position_as_it_was(match: Match) -> None:
    before = match.position.to_json()
    for move in match.position.moves():
        match.position.play(move)
    assert match.position.to_json() == before


def same_looks(game: type[Position]) -> dict[tuple[int, Position], list[Position]]:
    """Group the positions near the start by the view of the player to move."""
    groups: dict[tuple[int, Position], list[Position]] = {}
    layer = {game()}
    for _ in range(4):
        for position in layer:
            look = position.view(position.to_move)
            groups.setdefault((position.to_move, look), []).append(position)
        reached = {position.play(move) for position in layer for move in position.moves()}
        layer = set(sorted(reached, key=repr)[:400])
    return groups


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_the_same_view_gives_the_same_moves(game: type[Position]) -> None:
    groups = same_looks(game)
    for (_, look), positions in groups.items():
        for position in positions:
            assert position.moves() == look.moves()
    if secrecy.keeps_secrets(game):
        assert any(len(positions) > 1 for positions in groups.values())


@given(matches())
def test_a_view_of_a_view_is_the_same_view(match: Match) -> None:
    for position in match.positions:
        for seat in (0, 1):
            look = position.view(seat)
            assert look.view(seat) == look
            assert look.to_move == position.to_move
            shown = zip(look.to_json().items(), position.to_json().items(), strict=True)
            for (name, seen), (_, true) in shown:
                assert seen == true or getattr(look, name) is HIDDEN
        if position.winner() is not None:
            assert secrecy.public_view(position) == position


@given(matches(), st.data())
def test_notation_reads_back_as_itself(match: Match, data: st.DataObject) -> None:
    if not match.position.moves():
        return
    move = data.draw(st.sampled_from(match.position.moves()))
    assert " ".join(move_input.read(match.position, (), move)) == move
    assert " ".join(move_input.read(match.position, (), f"  {move.upper()}\t ")) == move
    words: tuple[str, ...] = ()
    while " ".join(words) != move:  # and word by word
        words = move_input.read(match.position, words, move.split()[len(words)])
    assert " ".join(words) == move


@given(matches())
def test_a_saved_match_replays_to_the_same_position(match: Match) -> None:
    matches: tuple[Match, ...] = (match,)
    if match.first and match.position.player_1_starts:  # the second game of a match, then
        matches = (Match.begin(type(match.position)).resign(), match)
    series = Series(matches, ("Ann", "Bo"), best_of=3, started="2026-01-01T00:00:00Z")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "match.json"
        saves.write(series, file)
        again = saves.read(file).match
    assert again == match.without_secrets()
    if secrecy.public_view(match.position) == match.position:
        assert again.position == match.position


@given(matches())
def test_texts_never_reveal_hidden_values(match: Match) -> None:
    """All hidden moves with the same view have the same texts and pictures."""
    before = match.position
    looks: dict[Position, tuple[object, ...]] = {}
    for move in before.moves():
        after = before.play(move)
        look = after.view(1 - before.to_move)
        if look == after:
            continue
        spoken = (
            before.tell(move, after),
            after.turn(),
            *(after.ask(words) for words in ((), (after.moves()[0].split()[0],))),
            secrecy.public_view(after).board(),
            secrecy.public_view(after).scene(),
            Match((before, after), (move,)).seen_by_everyone(),
            Match((before, after), (move,)).without_secrets().moves,
        )
        assert looks.setdefault(look, spoken) == spoken


@given(matches())
def test_every_position_has_texts_and_pictures(match: Match) -> None:
    assert len(match.move_texts()) == len(match.moves)
    for position in match.positions:
        for look in (position, position.view(0), position.view(1)):
            assert look.board().strip()
            assert look.scene()
            if look.moves():
                look.turn()
    assert len(match.seen_by(0)) == len(match.seen_by(1)) == len(match.moves)


@given(matches())
def test_undo_restores_a_position_without_a_pending_hidden_choice(match: Match) -> None:
    while match.moves:
        shorter = match.undo()
        assert shorter.positions == match.positions[: len(shorter.positions)]
        assert not secrecy.hidden_from_mover(shorter.position)
        match = shorter


REACHABLE = {
    "capture-and-conquer": 181,
    "island-conquest": 1960,
    "token-tactics": 4078,
    "tower-defense-duel": 558,
}


@pytest.mark.parametrize(("slug", "count"), REACHABLE.items())
def test_reachable_positions(slug: str, count: int) -> None:
    game = next(game for game in GAMES if game.slug == slug)
    seen, todo = {game()}, [game()]
    while todo:
        position = todo.pop()
        fresh = {position.play(move) for move in position.moves()} - seen
        seen |= fresh
        todo += fresh
    assert len(seen) == count
