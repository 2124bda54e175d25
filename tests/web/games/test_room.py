from __future__ import annotations

import json
from functools import reduce
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import duelbook
from duelbook.play.series import PERSON
from duelbook.position import Position
from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal, decide, out_of_time, sit, sit_event
from duelbook.web.games.state.room import Room
from duelbook.web.games.state.views import UpdateFrames, snapshot, update
from duelbook.web.store.game_events import GameEvent, GameTerms

pytestmark = pytest.mark.integration

SEATS = [frozenset(seats) for seats in ((), (0,), (1,), (0, 1))]
BOTH = SEATS[3]


def room_of(
    game: type[Position],
    players: tuple[str, str] = (PERSON, PERSON),
    clock: tuple[int, int] | None = None,
) -> Room:
    """A room in which everyone has sat down."""
    room = Room.begin(GameTerms("a game", game, players=players, clock=clock))
    for seat in (0, 1):
        if players[seat] == PERSON:
            room = room.after(
                sit_event(room, seat, ("Ann", "Bo")[seat], f"hash {seat}", help=False, now=0)
            )
    return room


def data(message: msgspec.Struct) -> dict[str, Any]:
    """What a client reads."""
    read: dict[str, Any] = json.loads(msgspec.json.encode(message))
    return read


def apply_update(known: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """What a client knows after an update, as the documentation says it is to be read."""
    after = dict(known, seq=message["seq"], turn=message["turn"])
    for words in ("moves", "movers", "told", "said"):
        after[words] = known[words][: message["kept"]] + message.get(words, [])
    for part in ("status", "view"):
        if part in message:
            after[part] = message[part]
    return after


COMMANDS = st.sampled_from(["move"] * 4 + ["takeback", "agree", "decline", "help", "resign"])


def command(kind: str, room: Room, number: int) -> p.Command:  # noqa: PLR0911 # one a kind
    legal = room.position.moves()
    match kind:
        case "move" if legal:
            return p.Play(legal[number % len(legal)], room.turn)
        case "takeback":
            return p.TakeBack(room.turn)
        case "agree":
            return p.Agree(room.turn)
        case "decline":
            return p.Decline()
        case "help":
            return p.AllowHelp(on=number % 2 == 0)
        case "resign" if number % 7 == 0:
            return p.Resign(room.turn)
        case _:
            return p.Rematch()


@given(
    game=st.sampled_from(duelbook.list_games()),
    clock=st.sampled_from([None, (60_000, 1_000)]),
    wishes=st.lists(st.tuples(COMMANDS, st.integers(0, 10**6), st.integers(0, 2)), max_size=40),
)
def test_updates_add_up_to_the_snapshot(
    game: type[Position], clock: tuple[int, int] | None, wishes: list[tuple[str, int, int]]
) -> None:
    room, now = room_of(game, clock=clock), 0
    known = {seats: data(snapshot(room, seats, now)) for seats in SEATS}
    happened = []
    for kind, number, chosen_seat in wishes:
        now += number % 5_000
        seats = frozenset({room.position.to_move}) if chosen_seat == 2 else frozenset({chosen_seat})
        try:
            event = decide(room, seats, command(kind, room, number), now)
        except Refusal:
            continue
        happened.append(event)
        before, room = room, room.after(event)
        news = UpdateFrames(before, room, now)
        for seats in SEATS:
            message = data(update(before, room, seats, now))
            assert json.loads(news.frame(seats)) == message
            assert json.loads(news.frame(seats, 7)) == message | {"reply": 7}
            known[seats] = apply_update(known[seats], message)
            assert known[seats] == data(snapshot(room, seats, now))
    assert reduce(Room.after, happened, room_of(game, clock=clock)) == room


@given(choices=st.lists(st.integers(0, 100), max_size=30), distance=st.integers(1, 100))
def test_hidden_choice_does_not_change_messages_to_others(
    choices: list[int], distance: int
) -> None:
    room = room_of(duelbook.load("token-tactics"))
    for number in choices:
        legal = room.position.moves()
        if not legal:
            return
        attacks = [move for move in legal if move.startswith("attack")]
        if len(attacks) > 1:
            first_attack, second_attack = (
                attacks[number % len(attacks)],
                attacks[(number + distance) % len(attacks)],
            )
            rooms = [
                room.after(GameEvent("move", room.position.to_move, m))
                for m in (first_attack, second_attack)
            ]
            for seats in SEATS:
                if seats != {room.position.to_move}:
                    shown = [data(snapshot(after, seats, 0)) for after in rooms]
                    sent = [data(update(room, after, seats, 0)) for after in rooms]
                    assert shown[0] == shown[1]
                    assert sent[0] == sent[1]
        move = legal[number % len(legal)]
        room = room.after(GameEvent("move", room.position.to_move, move))


TOWERS = duelbook.load("tower-defense-duel")


def test_stale_or_invalid_move_is_refused() -> None:
    room = room_of(TOWERS)
    room = room.after(decide(room, frozenset({0}), p.Play("build 4", 0), 0))
    for seat, move, answers, code in [
        (1, "build 1", 0, "stale"),
        (0, "build 1", room.turn, "turn"),
        (1, "build 3", room.turn, "invalid"),
        (1, "fly", room.turn, "invalid"),
    ]:
        with pytest.raises(Refusal) as refusal:
            decide(room, frozenset({seat}), p.Play(move, answers), 0)
        assert refusal.value.code == code
    with pytest.raises(Refusal, match="watching"):
        decide(room, frozenset(), p.Play("build 1", room.turn), 0)


def test_takeback_request_does_not_make_a_move_stale() -> None:
    room = room_of(TOWERS)
    room = room.after(decide(room, frozenset({0}), p.Play("build 4", 0), 0))
    turn = room.turn
    room = room.after(decide(room, frozenset({0}), p.TakeBack(turn), 0))
    assert decide(room, frozenset({1}), p.Play("build 1", turn), 0).kind == "move"


def test_takeback_needs_the_opponents_consent() -> None:
    room = room_of(TOWERS)
    for seat, move in ((0, "build 4"), (1, "build 2")):
        room = room.after(decide(room, frozenset({seat}), p.Play(move, room.turn), 0))
    requested = room.after(decide(room, frozenset({0}), p.TakeBack(room.turn), 0))
    assert requested.takeback == 0
    assert requested.match.moves == ("build 4", "build 2")
    with pytest.raises(Refusal, match="already"):
        decide(requested, frozenset({0}), p.TakeBack(room.turn), 0)
    with pytest.raises(Refusal, match="request first"):
        decide(requested, frozenset({1}), p.TakeBack(room.turn), 0)
    with pytest.raises(Refusal, match="no request"):
        decide(requested, frozenset({0}), p.Agree(room.turn), 0)
    agreed = requested.after(decide(requested, frozenset({1}), p.Agree(room.turn), 0))
    assert agreed.match.moves == ()
    declined = requested.after(decide(requested, frozenset({1}), p.Decline(), 0))
    assert declined.match == room.match
    assert declined.takeback is None


def test_takeback_against_the_computer_is_immediate() -> None:
    room = room_of(TOWERS, players=(PERSON, "easy"))
    for seat, move in ((0, "build 4"), (1, "build 2")):
        room = room.after(decide(room, frozenset({seat}), p.Play(move, room.turn), 0))
    room = room.after(decide(room, frozenset({0}), p.TakeBack(room.turn), 0))
    assert room.match.moves == ()


def test_shared_device_takes_back_single_moves() -> None:
    room = room_of(TOWERS)
    for move in ("build 4", "build 2"):
        room = room.after(decide(room, BOTH, p.Play(move, room.turn), 0))
    room = room.after(decide(room, BOTH, p.TakeBack(room.turn), 0))
    assert room.match.moves == ("build 4",)


def test_clocks_run_from_the_third_move_and_add_the_increment() -> None:
    room = room_of(TOWERS, clock=(10_000, 2_000))
    for at, move in ((50_000, "build 1"), (90_000, "build 1"), (93_000, "build 1")):
        room = room.after(decide(room, BOTH, p.Play(move, room.turn), at))
    assert room.time_left_at(93_000) == (11_000, 12_000)  # first moves take no time and add theirs
    assert room.time_left_at(94_000) == (11_000, 11_000)
    assert room.deadline() == 105_000


def test_late_move_loses_on_time() -> None:
    room = room_of(TOWERS, clock=(10_000, 0))
    for move in ("build 1", "build 1"):
        room = room.after(decide(room, BOTH, p.Play(move, room.turn), 0))
    assert out_of_time(room, 9_999) is None
    event = decide(room, frozenset({0}), p.Play("build 1", room.turn), 10_000)
    assert (event.kind, event.seat) == ("time", 0)
    over = room.after(event)
    assert over.match.winner() == 1
    assert data(snapshot(over, BOTH, 20_000))["status"]["result"] == {
        "winner": 1,
        "by": "time",
        "why": "Ann runs out of time, so Bo wins.",
    }
    assert over.deadline() is None


def timed(clock: tuple[int, int], *moves: tuple[int, str]) -> Room:
    """A room after moves at these times."""
    room = room_of(TOWERS, clock=clock)
    for at, move in moves:
        room = room.after(decide(room, BOTH, p.Play(move, room.turn), at))
    return room


FOUR_MOVES = ((0, "build 1"), (0, "build 1"), (20_000, "build 1"), (50_000, "build 1"))


def test_takeback_removes_the_increment() -> None:
    room = timed((60_000, 10_000), *FOUR_MOVES)
    assert room.time_left_at(50_000) == (60_000, 50_000)  # 60 + 10 - 20 + 10 and 60 + 10 - 30 + 10
    requested = room.after(decide(room, frozenset({1}), p.TakeBack(room.turn), 57_000))
    agreed = requested.after(decide(requested, frozenset({0}), p.Agree(room.turn), 58_000))
    assert agreed.match.moves == ("build 1",) * 3
    # The side that asked has used the time; the other side gets its own time since then back.
    assert agreed.time_left_at(58_000) == (60_000, 40_000)
    assert agreed.time_left_at(59_000) == (60_000, 39_000)


def test_takeback_of_two_moves_restores_the_opponents_time() -> None:
    room = timed((60_000, 10_000), *FOUR_MOVES)
    requested = room.after(decide(room, frozenset({0}), p.TakeBack(room.turn), 57_000))
    agreed = requested.after(decide(requested, frozenset({1}), p.Agree(room.turn), 58_000))
    assert agreed.match.moves == ("build 1",) * 2
    assert agreed.time_left_at(58_000) == (42_000, 70_000)  # 60 + 10 - 20 - 8, and 60 + 10


def test_repeated_takebacks_gain_no_time() -> None:
    room = timed((60_000, 10_000), *FOUR_MOVES[:2])
    for _ in range(20):
        room = room.after(decide(room, BOTH, p.Play("build 1", room.turn), 1_000))
        room = room.after(decide(room, BOTH, p.TakeBack(room.turn), 1_000))
    assert room.time_left_at(1_000) == (69_000, 70_000)


def test_takeback_leaves_some_time() -> None:
    room = timed((5_000, 10_000), *FOUR_MOVES[:2], (14_000, "build 1"), (14_000, "build 1"))
    room = room.after(decide(room, BOTH, p.Play("build 1", room.turn), 24_000))
    assert room.time_left[0] == 11_000  # 15 - 14 + 10 - 10 + 10
    for _ in range(3):
        room = room.after(decide(room, BOTH, p.TakeBack(room.turn), 24_000))
    assert room.time_left_at(24_000)[0] > 0


def test_saved_moves_add_no_increment() -> None:
    terms = GameTerms("a game", TOWERS, clock=(60_000, 10_000), saved_moves=4)
    room = Room.begin(terms)
    for seat in (0, 1, 0, 1):
        room = room.after(GameEvent("move", seat, "build 1"))
    for seat in (0, 1):
        room = room.after(sit_event(room, seat, "AB"[seat], "hash", help=False, now=0))
    assert room.time_left_at(0) == (60_000, 60_000)
    room = room.after(decide(room, BOTH, p.Play("build 1", room.turn), 5_000))
    assert room.time_left_at(5_000) == (65_000, 60_000)


def test_server_downtime_costs_no_clock_time() -> None:
    room = timed((10_000, 0), (0, "build 1"), (0, "build 1"))
    resumed = room.after(GameEvent("resume", text="3600000", at=3_604_000))
    assert resumed.time_left_at(3_604_000) == (6_000, 10_000)
    assert resumed.time_left_at(3_605_000) == (5_000, 10_000)


def test_resume_events_of_older_servers_are_read() -> None:
    room = timed((10_000, 0), (0, "build 1"), (0, "build 1"))
    assert room.after(GameEvent("resume", at=3_600_000)).time_left_at(3_601_000) == (9_000, 10_000)


def test_seats_and_names_are_unique() -> None:
    room = Room.begin(GameTerms("a game", TOWERS))
    room = room.after(sit(room, "Ann", "hash 0", help=False, now=0))
    with pytest.raises(Refusal, match="Both players are called"):
        sit(room, "Ann", "hash 1", help=False, now=0)
    with pytest.raises(Refusal, match="not here yet"):
        decide(room, frozenset({0}), p.Play("build 1", 0), 0)
    room = room.after(sit(room, "", "hash 1", help=False, now=0))
    assert room.names == ("Ann", "Player 2")
    with pytest.raises(Refusal, match="taken"):
        sit(room, "Cy", "hash 2", help=False, now=0)


def test_help_needs_the_consent_of_both_players() -> None:
    room = room_of(TOWERS)
    room = room.after(decide(room, frozenset({0}), p.AllowHelp(on=True), 0))
    assert not room.allows_help
    room = room.after(decide(room, frozenset({1}), p.AllowHelp(on=True), 0))
    assert room.allows_help
    room = room.after(decide(room, frozenset({0}), p.AllowHelp(on=False), 0))
    assert not room.allows_help
    assert room_of(TOWERS, players=("hard", PERSON)).after(GameEvent("help", 1, "on")).allows_help


def until_refused(room: Room, *commands: tuple[frozenset[int], p.Command]) -> tuple[Room, str]:
    """Return the room after these commands again and again, and why one was refused."""
    for seats, wish in commands * 10_000:
        try:
            room = room.after(decide(room, seats, wish, 0))
        except Refusal as refusal:
            return room, str(refusal)
    pytest.fail("it was never refused")


def test_request_limit_does_not_block_moves() -> None:
    room = room_of(TOWERS, clock=(10_000, 0))
    for move in ("build 1", "build 1"):
        room = room.after(decide(room, BOTH, p.Play(move, room.turn), 0))
    flips = [(frozenset({1}), p.AllowHelp(on=on)) for on in (True, False)]
    room, why = until_refused(room, *flips)
    assert "you can still move" in why
    assert room.seq < 1_000
    honest = frozenset({0})
    assert decide(room, honest, p.AllowHelp(on=True), 0).kind == "help"
    assert decide(room, honest, p.TakeBack(room.turn), 0).kind == "offer"
    room = room.after(decide(room, honest, p.Play("build 1", room.turn), 0))
    assert decide(room, frozenset({1}), p.Play("build 1", room.turn), 0).kind == "move"
    assert decide(room, frozenset({1}), p.Resign(room.turn), 0).kind == "resign"


def test_request_limit_does_not_block_answers() -> None:
    room, asks, answers = room_of(TOWERS), frozenset({0}), frozenset({1})
    room = room.after(decide(room, asks, p.Play("build 1", room.turn), 0))
    room, why = until_refused(room, (asks, p.TakeBack(room.turn)), (answers, p.Decline()))
    assert "used up" in why
    assert room.requests[1] == 0
    assert decide(room, answers, p.Play("build 1", room.turn), 0).kind == "move"


def test_game_with_the_maximum_of_moves_is_a_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("duelbook.web.games.commands.MAX_MOVES", 4)
    room = room_of(TOWERS, clock=(10_000, 0))
    for _ in range(4):
        room = room.after(decide(room, BOTH, p.Play("build 1", room.turn), 0))
    for late in (1, 3_600_000):  # also if the server was not there to cut it at once
        cut = room.after(decide(room, frozenset({0}), p.Play("build 1", room.turn), late))
        result = data(snapshot(cut, BOTH, late))["status"]["result"]
        assert (result["winner"], result["by"]) == (None, "cut")
        assert cut.deadline() is None


def test_unrevealed_move_stays_hidden() -> None:
    room = room_of(duelbook.load("token-tactics"))
    room = room.after(GameEvent("move", 0, "attack 7"))
    room = room.after(GameEvent("resign", 1))
    for seats in (SEATS[0], SEATS[2], BOTH):
        shown = json.dumps(data(snapshot(replace(room), seats, 0)))
        assert "attack ?" in shown
        assert "attack 7" not in shown
        assert '"commit": 7' not in shown


def test_no_clock_runs_while_a_seat_is_open() -> None:
    """A game that continues from a save may have moves before it has both players."""
    room = Room.begin(GameTerms("a game", duelbook.load("tower-defense-duel"), clock=(5_000, 0)))
    room = room.after(sit_event(room, 0, "Ann", "hash 0", help=False, now=0))
    for seat in (0, 1):
        room = room.after(GameEvent("move", seat, "build 1", at=0))
    assert out_of_time(room, 1_000_000) is None
    room = room.after(sit(room, "Bo", "hash 1", help=False, now=1_000_000))
    assert out_of_time(room, 1_004_999) is None
    assert out_of_time(room, 1_005_000) is not None


# What is said to those who listen ----------------------------------------------------------------


def said(room: Room, seats: frozenset[int]) -> list[str]:
    texts: list[str] = data(snapshot(room, seats, 0))["said"]
    return texts


def test_sentences_address_each_receiver() -> None:
    room = room_of(TOWERS).after(GameEvent("move", 0, "build 4"))
    assert said(room, frozenset({0})) == ["You build 4 units, up to 4."]
    assert said(room, frozenset({1})) == said(room, frozenset()) == ["Ann builds 4 units, up to 4."]
    assert said(room, BOTH) == ["Ann builds 4 units, up to 4."]  # at one device nobody is `you`


def test_earlier_sentences_use_the_name_of_a_late_player() -> None:
    host = json.dumps({"name": "Ann", "holder": "a", "help": False})
    invited = json.dumps({"name": "your", "holder": "b", "help": False})
    room = Room.begin(GameTerms("brought", TOWERS, saved_moves=2)).after(GameEvent("sit", 0, host))
    for seat in (0, 1):
        room = room.after(GameEvent("move", seat, "build 1"))
    assert said(room, frozenset({0}))[1] == "Player 2 builds 1 unit, up to 1."
    after = room.after(GameEvent("sit", 1, invited))
    news = data(update(room, after, frozenset({0}), 0))
    assert json.loads(UpdateFrames(room, after, 0).frame(frozenset({0}))) == news
    known = apply_update(data(snapshot(room, frozenset({0}), 0)), news)
    assert known["said"] == ["You build 1 unit, up to 1.", "your builds 1 unit, up to 1."]
    assert known["moves"] == ["build 1", "build 1"]


def test_sentences_call_the_computer_the_computer() -> None:
    room = Room.begin(GameTerms("computer", TOWERS, first=1, players=("person", "easy")))
    room = room.after(GameEvent("move", 1, "build 2"))
    assert said(room, frozenset({0})) == ["The computer builds 2 units, up to 2."]


def test_game_with_failing_texts_continues(caplog: pytest.LogCaptureFixture) -> None:
    class Speechless(TOWERS):  # type: ignore[misc, valid-type] # a game that is known at run time
        def tell_to(self, *_: object) -> str:
            raise ValueError

        def why_won(self, *_: object) -> str:
            raise ValueError

    room = room_of(Speechless)
    for move in ("build 4", "build 1") * 4:
        room = room.after(GameEvent("move", room.position.to_move, move)) if not room.over else room
    shown = data(snapshot(room, frozenset({0}), 0))
    assert shown["said"][0] == "You play build 4."
    assert shown["status"]["result"]["why"] == "Bo wins."
    assert "failed: tell_to" in caplog.text
