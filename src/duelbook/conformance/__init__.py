"""Conformance: checks a game against the requirements on games, for its author.

Every breach comes with the shortest game that leads to it. In a test of your own:

    def test_my_game() -> None:
        assert check(MyGame).breaches == ()
"""

from __future__ import annotations

import json
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from duelbook import secrecy
from duelbook.catalog.faults import line_of, raised
from duelbook.conformance.rules import (
    Fault,
    faults_of_class,
    faults_of_moves,
    faults_of_odds,
    faults_of_payoff,
    faults_of_result,
)
from duelbook.encoding.observations import Observer, compare_fields
from duelbook.errors import DuelbookError
from duelbook.position import BOOK, CHANCE, Listener, Position, has_scores, next_words
from duelbook.solver.tables.array_rules import compare_vectors, vectors_of

MOST = 50_000
PLAYOUTS, LONGEST = 100, 300
LISTENERS = (Listener(seat=0), Listener(seat=1))
WORDS, RARELY = 2_000, 50  # the words of the first 2,000 positions are checked, then of one in 50
Progress = Callable[[int], object]
"""Called with the number of positions seen so far."""


@dataclass(frozen=True)
class Breach:
    """A breach of a requirement, and the moves from the start that lead to it."""

    kind: str
    text: str
    moves: tuple[str, ...] = ()
    first: int = 0
    """The seat that moves first in that game."""


@dataclass(frozen=True)
class ConformanceReport:
    """The extent of a check, and the first breach of each kind."""

    game: type[Position]
    positions: int
    complete: bool
    """Whether every position was checked."""
    breaches: tuple[Breach, ...]


def check(
    game: type[Position], *, most: int = MOST, seed: int = 0, progress: Progress | None = None
) -> ConformanceReport:
    """Check all positions of a game, or the first `most` and those of some random games."""
    checker = _Checker(game)
    checker.look_at_class()
    complete = True
    for first in (0,) if game.player_1_starts else (0, 1):
        complete &= checker.explore(first, most, progress)
        if not complete:
            checker.play_at_random(first, Random(seed))
    checker.look_at_vectors()
    breaches = sorted(checker.breaches.values(), key=lambda breach: len(breach.moves))
    return ConformanceReport(game, len(checker.known), complete, tuple(breaches))


def in_words(report: ConformanceReport) -> str:
    """Return the report as text."""
    seen = (
        f"all {report.positions:,} positions"
        if report.complete
        else (
            f"{report.positions:,} positions, not all: those nearest to the start, and those of "
            f"{PLAYOUTS} random games"
        )
    )
    head = f"{report.game.title}: checked {seen}."
    if not report.breaches:
        return f"{head}\nThere are no breaches."
    lines = [head]
    for breach in report.breaches:
        lines += ["", f"{breach.kind}: {breach.text}"]
        began = "" if breach.first == 0 else " (Player 2 moves first)"
        lines.append(f"  example: {', '.join(breach.moves) or 'the start'}{began}")
    return "\n".join(lines)


def as_data(report: ConformanceReport) -> dict[str, Any]:
    """Return the report as JSON values."""
    return {
        "game": report.game.slug,
        "positions": report.positions,
        "complete": report.complete,
        "breaches": [asdict(breach) for breach in report.breaches],
    }


class _Broken(Exception):  # noqa: N818 # nothing to catch outside this module
    """The author's code raised an error, which has been recorded."""


@dataclass
class _Node:
    """A position, and the move that reached it."""

    position: Position
    first: int
    parent: _Node | None = None
    move: str = ""

    def moves(self) -> tuple[str, ...]:
        """Return the moves from the start."""
        return () if self.parent is None else (*self.parent.moves(), self.move)


@dataclass
class _Checker:
    game: type[Position]
    breaches: dict[str, Breach] = field(default_factory=dict)
    known: dict[object, _Node] = field(default_factory=dict)
    examined: list[_Node] = field(default_factory=list)
    looks: dict[object, tuple[_Node, list[str]]] = field(default_factory=dict)
    looked: int = 0
    observer: Observer | None = None

    def look_at_class(self) -> None:
        """Check what does not depend on a position."""
        with suppress(Exception):  # a start that raises is found below
            self.record(None, faults_of_class(self.game))
        if self.game.RANGES:
            try:
                self.observer = Observer(self.game)
            except DuelbookError as error:
                self.breach("range", str(error), None)

    # Enumeration --------------------------------------------------------------------------------

    def explore(self, first: int, most: int, progress: Progress | None) -> bool:
        """Check positions by distance from the start; return whether those were all."""
        layer = list(self.begin(first))
        while layer:
            fresh: list[_Node] = []
            for node in layer:
                if len(self.known) >= most:
                    return False
                fresh += self.step(node)
                if progress:
                    progress(len(self.known))
            layer = fresh
        return True

    def play_at_random(self, first: int, random: Random) -> None:
        """Check the positions of random games."""
        for _ in range(PLAYOUTS):
            here = next(iter(self.begin(first, again=True)), None)
            for _ in range(LONGEST):
                if here is None:
                    break
                self.step(here)
                here = self.random_successor(here, random)

    def random_successor(self, node: _Node, random: Random) -> _Node | None:
        """Return the position after a random move, or None without one."""
        try:
            moves = self.call(node, node.position.moves)
            return self.after(node, random.choice(moves)) if moves else None
        except _Broken:
            return None

    def begin(self, first: int, *, again: bool = False) -> Iterator[_Node]:
        """Yield the start, if it is new and raises no error."""
        try:
            position = self.game.start(first)
        except Exception as error:  # the author's code may raise anything
            self.breach("raises", f"start raises {_told(self.game, error)}", None)
            return
        node = _Node(position, first)
        if again or self.remember(node):
            yield node

    def step(self, node: _Node) -> list[_Node]:
        """Check a position and its moves; return the new positions."""
        self.examined.append(node)
        try:
            return self._step(node)
        except _Broken:
            return []

    def _step(self, node: _Node) -> list[_Node]:
        position = node.position
        before = repr(position)
        moves = self.call(node, position.moves)
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            self.breach("moves", f"moves returns {moves!r:.80}, not a list of strings.", node)
            raise _Broken
        self.look_at_rules(node, moves, self.call(node, position.winner))
        self.look_at_fields(node)
        after = [self.after(node, move) for move in moves]
        if any(self.call(node, position.apply, one.move) != one.position for one in after):
            told = "the same move does not always lead to the same position. A die or a deck moves "
            self.breach("chance", f"{told}by itself, where to_move is CHANCE.", node)
        if repr(position) != before or self.call(node, position.moves) != moves:
            self.breach("changes", f"a position changes when a move is played: {before!r}.", node)
        if secrecy.keeps_secrets(self.game):
            self.look_at_secrets(node, moves, after)
        if len(self.known) < WORDS or not self.looked % RARELY:
            self.look_at_words(node, moves, after)
        self.looked += 1
        return [one for one in after if self.remember(one)]

    def after(self, node: _Node, move: str) -> _Node:
        """Return the position after a move."""
        reached = self.call(node, node.position.apply, move)
        if not isinstance(reached, self.game):
            self.breach("apply", f"{move!r} leads to {reached!r}, which is not a position.", node)
            raise _Broken
        return _Node(reached, node.first, node, move)

    def remember(self, node: _Node) -> bool:
        """Record a position; return whether it is new."""
        try:
            hash(node.position)
            key: object = node.position
        except TypeError as error:
            self.breach("unhashable", f"a position cannot be hashed: {error}.", node)
            key = repr(node.position)
        return self.known.setdefault(key, node) is node

    # Requirements -------------------------------------------------------------------------------

    def look_at_rules(self, node: _Node, moves: list[str], winner: object) -> None:
        position = node.position
        self.record(node, faults_of_result(position, moves, winner))
        self.record(node, faults_of_moves(position, moves))
        if position.to_move == CHANCE and moves:
            odds = self.call(node, position.odds)
            self.record(node, faults_of_odds(moves, odds))
            if self.call(node, position.odds) != odds:
                self.breach("odds", "the odds of a position are not always the same.", node)
        if has_scores(self.game):
            paid = self.call(node, position.payoff)
            self.record(node, faults_of_payoff(position, winner, paid))

    def record(self, node: _Node | None, faults: Iterable[Fault]) -> None:
        """Record faults as breaches."""
        for kind, text in faults:
            self.breach(kind, text, node)

    def look_at_fields(self, node: _Node) -> None:
        position = node.position
        try:
            again = type(position).from_json(_as_json(position.to_json()))
            if again != position:
                self.breach(
                    "json",
                    f"from_json(to_json()) changes the position: {position!r}.",
                    node,
                )
        except (TypeError, ValueError) as error:
            self.breach("json", f"a position cannot be written as JSON: {error}", node)
            return
        if self.observer:
            for seat in (0, 1):
                self.call(node, position.view, seat)
                try:
                    self.observer(position, seat)
                except DuelbookError as error:
                    self.breach("range", str(error), node)

    def look_at_secrets(self, node: _Node, moves: list[str], after: list[_Node]) -> None:
        position, mover = node.position, node.position.to_move
        self.look_at_views(node)
        if mover != CHANCE:
            view = position.view(mover)
            if self.call(node, view.moves) != moves:
                told = "the view of the player to move has different legal moves"
                self.breach("legality", f"{told}: {view!r}.", node)
            self.check_information_set("legality", "moves", node, moves)
        for seat in (0, 1):
            if seat != mover:
                self.look_at_what_is_told(node, after, seat)

    def look_at_views(self, node: _Node) -> None:
        position = node.position
        looks = [self.call(node, position.view, seat) for seat in (0, 1)]
        for seat, look in enumerate(looks):
            if self.call(node, look.view, seat) != look:
                self.breach("view", f"viewing a view again changes it: {look!r}.", node)
        public = [self.call(node, looks[seat].view, 1 - seat) for seat in (0, 1)]
        if public[0] != public[1]:
            told = "what both seats see depends on whose view is taken first"
            self.breach("view", f"{told}: {public[0]} and {public[1]}.", node)

    def look_at_what_is_told(self, node: _Node, after: list[_Node], seat: int) -> None:
        """Check that moves which look the same to a seat are told in the same words."""
        told: dict[Position, tuple[str, tuple[str, ...]]] = {}
        who = "a player" if node.position.to_move == CHANCE else "the opponent"
        for one in after:
            look = self.call(one, one.position.view, seat)
            if look != one.position:
                texts = self.texts_of(node, one, (LISTENERS[seat], BOOK))
                other, first_texts = told.setdefault(look, (one.move, texts))
                if texts != first_texts:
                    teller = "tell" if texts[0] != first_texts[0] else "tell_to"
                    told_apart = f"{other!r} and {one.move!r} look the same to {who}"
                    self.breach("reveals", f"{told_apart}, but {teller} says which it was.", node)

    def texts_of(self, node: _Node, one: _Node, listeners: Iterable[Listener]) -> tuple[str, ...]:
        """Return what is told of a move: the book's lines, and the words to each listener."""
        tell_to = node.position.tell_to
        words = (self.call(node, tell_to, heard, one.move, one.position) for heard in listeners)
        return (self.call(node, node.position.tell, one.move, one.position), *words)

    def look_at_words(self, node: _Node, moves: list[str], after: list[_Node]) -> None:
        position = node.position
        if node.parent is None:
            self.call(node, position.welcome)
        looks = [self.call(node, position.view, seat) for seat in (0, 1)]
        for view in (*looks, self.call(node, looks[0].view, 1)):
            self.call(node, view.board)
            self.call(node, view.scene)
            if moves:
                self.call(node, view.turn)
        for one in after:
            self.texts_of(node, one, (*LISTENERS, BOOK))
        winner = None if moves else self.call(node, position.winner)
        if winner in (0, 1):
            for look, listener in zip(looks, LISTENERS, strict=True):
                self.call(node, look.why_won, listener, winner)
        if not moves or position.to_move == CHANCE:
            return
        said = [self.call(node, position.turn)]
        for words in _entries(moves):
            said.append(self.call(node, position.ask, words))
            said.append(self.call(node, position.question, words))
            if words:
                said.append(self.call(node, position.hear, words))
        legal = set(moves)
        said += [
            self.call(node, position.why_not_to, LISTENERS[position.to_move], tuple(move.split()))
            for move in self.game.ACTIONS
            if move not in legal
        ]
        if secrecy.keeps_secrets(self.game):
            self.check_information_set("reveals", "words", node, said)

    def check_information_set(self, kind: str, what: str, node: _Node, found: list[str]) -> None:
        """Record a difference between positions of one information set."""
        position = node.position
        key = (what, position.to_move, position.view(position.to_move))
        other, known = self.looks.setdefault(key, (node, found))
        if known != found:
            self.breach(
                kind,
                f"{position!r} and {other.position!r} look the same to the player to move, "
                f"but have different {what}.",
                node,
            )

    def look_at_vectors(self) -> None:
        """Compare the rules over arrays with the game's own rules."""
        try:
            vectors = vectors_of(self.game)
        except Exception as error:  # as above
            self.breach("vectors", f"its vectors cannot be loaded: {error!r}.", None)
            return
        if vectors is None:
            return
        for first in (0, 1):
            found: dict[Position, _Node] = {}
            for node in self.examined:
                if node.first == first:
                    found.setdefault(node.position, node)
            try:
                at = compare_vectors(vectors, list(found), first)
                if at is None:
                    at = compare_fields(vectors, list(found), first)
            except Exception as error:  # as above
                self.breach("vectors", f"its vectors fail: {raised(error)}.", None)
                return
            if at is not None:
                number, what = at
                self.breach(
                    "vectors",
                    f"its vectors disagree with the rules about {what}.",
                    list(found.values())[number],
                )

    # Recording ----------------------------------------------------------------------------------

    def call(self, node: _Node, code: Callable[..., Any], *given: object) -> Any:  # noqa: ANN401 # the author's code may return anything
        """Run the author's code; record any error with the line in the author's file."""
        try:
            return code(*given)
        except (Exception, SystemExit) as error:
            doing = f"{code.__name__}({', '.join(map(repr, given))})"
            at = getattr(code, "__self__", node.position)  # often a view
            told = f"{doing} raises {_told(self.game, error)} at {at!r}."
            self.breach("raises", told, node)
            raise _Broken from error

    def breach(self, kind: str, text: str, node: _Node | None) -> None:
        """Record a breach, unless there is one of its kind with fewer moves."""
        moves = node.moves() if node else ()
        known = self.breaches.get(kind)
        if known is None or len(moves) < len(known.moves):
            self.breaches[kind] = Breach(kind, text, moves, node.first if node else 0)


def _entries(moves: Iterable[str]) -> list[tuple[str, ...]]:
    """Return all proper prefixes of these moves, word by word."""
    listed = list(moves)
    found: list[tuple[str, ...]] = [()]
    for words in found:
        longer = [(*words, word) for word in next_words(listed, words)]
        found += [one for one in longer if " ".join(one) not in listed]
    return found


def _as_json(data: object) -> object:
    return json.loads(json.dumps(data))


def _told(game: type[Position], error: BaseException) -> str:
    """Return what was raised, and in which line of the author's file."""
    file = getattr(sys.modules.get(game.__module__), "__file__", None)
    number = line_of(error, str(file))
    if number is None:
        return raised(error)
    return f"{raised(error)} (line {number}: {linecache.getline(str(file), number).strip()})"
