"""Explore a game: check all positions, or the nearest ones and those of random games."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from duelbook import secrecy
from duelbook.conformance.breach_log import AuthorCodeError, BreachLog, Node
from duelbook.conformance.report import ConformanceReport
from duelbook.conformance.rule_checks import (
    faults_of_class,
    faults_of_moves,
    faults_of_odds,
    faults_of_payoff,
    faults_of_result,
)
from duelbook.conformance.text_checks import check_pictures, prompts_of
from duelbook.conformance.vector_checks import check_vectors
from duelbook.conformance.view_checks import InformationSets, check_views
from duelbook.encoding.observations import Observer
from duelbook.errors import DuelbookError
from duelbook.position import CHANCE, Position, has_scores

MAX_POSITIONS = 50_000
PLAYOUTS, PLAYOUT_PLIES = 100, 300
TEXT_POSITIONS, TEXT_INTERVAL = 2_000, 50
"""Check the texts of the first 2,000 positions, and then of every 50th position."""
Progress = Callable[[int], object]
"""A function that gets the number of positions so far."""


def check(
    game: type[Position],
    *,
    max_positions: int = MAX_POSITIONS,
    seed: int = 0,
    progress: Progress | None = None,
) -> ConformanceReport:
    """Check all positions of a game, or the first `max_positions` and those of random games."""
    explorer = _Explorer(game)
    explorer.check_class()
    complete = True
    for first in (0,) if game.player_1_starts else (0, 1):
        complete &= explorer.explore(first, max_positions, progress)
        if not complete:
            explorer.play_at_random(first, Random(seed))
    check_vectors(explorer.log, explorer.examined)
    playouts = 0 if complete else PLAYOUTS
    return ConformanceReport(game, len(explorer.known), playouts, explorer.log.sorted())


@dataclass
class _Explorer:
    """The positions visited so far, and the breaches among them."""

    game: type[Position]
    known: dict[object, Node] = field(default_factory=dict)
    examined: list[Node] = field(default_factory=list)
    checked: int = 0
    observer: Observer | None = None

    def __post_init__(self) -> None:
        self.log = BreachLog(self.game)
        self.information_sets = InformationSets(self.log)

    def check_class(self) -> None:
        """Check the requirements that do not depend on a position."""
        with suppress(Exception):  # `explore` records a start that raises
            self.log.add_all(None, faults_of_class(self.game))
        if self.game.RANGES:
            try:
                self.observer = Observer(self.game)
            except DuelbookError as error:
                self.log.add("range", str(error), None)

    def explore(self, first: int, max_positions: int, progress: Progress | None) -> bool:
        """Check positions in the order of their distance; return whether these were all."""
        start = self.start(first)
        layer = [start] if start and self.remember(start) else []
        while layer:
            new_nodes: list[Node] = []
            for node in layer:
                if len(self.known) >= max_positions:
                    return False
                new_nodes += self.visit(node)
                if progress:
                    progress(len(self.known))
            layer = new_nodes
        return True

    def play_at_random(self, first: int, random: Random) -> None:
        """Check the positions of random games."""
        for _ in range(PLAYOUTS):
            node = self.start(first)
            for _ in range(PLAYOUT_PLIES):
                if node is None:
                    break
                self.visit(node)
                node = self.random_successor(node, random)

    def random_successor(self, node: Node, random: Random) -> Node | None:
        """Return the position after a random move, or None if there is none."""
        try:
            moves = self.log.call(node, node.position.moves)
            return self.after(node, random.choice(moves)) if moves else None
        except AuthorCodeError:
            return None

    def start(self, first: int) -> Node | None:
        """Return the start, or None if it raises an error."""
        try:
            return Node(self.game.start(first), first)
        except Exception as error:  # the author's code may raise anything
            self.log.add("raises", f"start raises {self.log.describe(error)}", None)
            return None

    def visit(self, node: Node) -> list[Node]:
        """Check a position and its moves; return the new positions."""
        self.examined.append(node)
        try:
            return [child for child in self.check_position(node) if self.remember(child)]
        except AuthorCodeError:
            return []

    def check_position(self, node: Node) -> list[Node]:
        """Check a position and its moves; return the positions after them."""
        log, position = self.log, node.position
        before = repr(position)
        moves = log.call(node, position.moves)
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            log.add("moves", f"moves returns {moves!r:.80}, not a list of strings.", node)
            raise AuthorCodeError
        self.check_rules(node, moves, log.call(node, position.winner))
        self.check_fields(node)
        after = [self.after(node, move) for move in moves]
        if any(log.call(node, position.apply, child.move) != child.position for child in after):
            text = "the same move does not always lead to the same position. A die or a deck moves "
            log.add("chance", f"{text}by itself, where to_move is CHANCE.", node)
        if repr(position) != before or log.call(node, position.moves) != moves:
            log.add("changes", f"a position changes when a move is played: {before!r}.", node)
        keeps_secrets = secrecy.keeps_secrets(self.game)
        if keeps_secrets:
            check_views(log, self.information_sets, node, moves, after)
        if len(self.known) < TEXT_POSITIONS or not self.checked % TEXT_INTERVAL:
            check_pictures(log, node, moves, after)
            prompts = prompts_of(log, node, moves)
            if keeps_secrets and prompts:
                self.information_sets.compare("reveals", "words", node, prompts)
        self.checked += 1
        return after

    def after(self, node: Node, move: str) -> Node:
        """Return the position after a move."""
        reached = self.log.call(node, node.position.apply, move)
        if not isinstance(reached, self.game):
            self.log.add("apply", f"{move!r} leads to {reached!r}, which is not a position.", node)
            raise AuthorCodeError
        return Node(reached, node.first, node, move)

    def remember(self, node: Node) -> bool:
        """Record a position; return whether it is new."""
        try:
            hash(node.position)
            key: object = node.position
        except TypeError as error:
            self.log.add("unhashable", f"a position cannot be hashed: {error}.", node)
            key = repr(node.position)
        return self.known.setdefault(key, node) is node

    def check_rules(self, node: Node, moves: list[str], winner: object) -> None:
        """Check the moves, the result, the odds and the payoff of a position."""
        log, position = self.log, node.position
        log.add_all(node, faults_of_result(position, moves, winner))
        log.add_all(node, faults_of_moves(position, moves))
        if position.to_move == CHANCE and moves:
            odds = log.call(node, position.odds)
            log.add_all(node, faults_of_odds(moves, odds))
            if log.call(node, position.odds) != odds:
                log.add("odds", "the odds of a position are not always the same.", node)
        if has_scores(self.game):
            payoff = log.call(node, position.payoff)
            log.add_all(node, faults_of_payoff(position, winner, payoff))

    def check_fields(self, node: Node) -> None:
        """Check that JSON and RANGES can represent a position."""
        log, position = self.log, node.position
        try:
            if type(position).from_json(json.loads(json.dumps(position.to_json()))) != position:
                text = f"from_json(to_json()) changes the position: {position!r}."
                log.add("json", text, node)
        except (TypeError, ValueError) as error:
            log.add("json", f"a position cannot be written as JSON: {error}", node)
            return
        if self.observer:
            for seat in (0, 1):
                log.call(node, position.view, seat)
                try:
                    self.observer(position, seat)
                except DuelbookError as error:
                    log.add("range", str(error), node)
