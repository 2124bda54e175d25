"""A game that agents play: the players, the match so far, and the view of each seat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from duelbook.chance import draw_from_seed
from duelbook.errors import DuelbookError, IllegalMove
from duelbook.mcp_server.tool_results import Ending, GameView
from duelbook.play.match import Match
from duelbook.position import CHANCE, PLY_LIMIT, Position, check_first, put, result_text
from duelbook.secrecy import HIDDEN_MARK, Memory, has_hidden, keeps_secrets, public_view

SEAT = "seat"
"""The name of a player that is an agent with a handle, not a computer player."""
MAX_TRIED_MOVES = 2_000
"""The maximum number of moves to try when a seat deduces hidden moves; the rest stay `?`."""


@dataclass(frozen=True)
class AgentGame:
    """An immutable game; each event returns a new one."""

    match: Match
    players: tuple[str, str]
    """The player of each seat: the name of a computer player, or `SEAT`."""
    seed: str
    """The secret seed of chance and of the computer's random choices."""
    help: bool
    is_open: bool = False
    """True if the second seat waits for an agent."""
    memories: tuple[Memory, ...] = ()
    """The moves as each seat knows them, if the game has hidden information."""
    told: tuple[str, ...] = ()
    failed: str = ""
    """The reason why the computer cannot continue, or an empty string."""

    @classmethod
    def create(  # noqa: PLR0913 # the options of a game
        cls,
        game: type[Position],
        *,
        seat: int = 0,
        opponent: str = SEAT,
        first: int = 0,
        seed: str = "",
        help: bool = False,  # noqa: A002 # the word that agents use
    ) -> AgentGame:
        """Return a new game with the agent in this seat, after the first chance outcomes."""
        check_first(game, first)
        match = Match.begin(game, first)
        secret = keeps_secrets(game)
        memories = [Memory.begin(match.position, s) for s in (0, 1) if secret]
        players = put((opponent, opponent), seat, SEAT)
        new = cls(match, players, seed, help, opponent == SEAT, tuple(memories))
        return new._after_chance()

    @property
    def position(self) -> Position:
        """The current position; a seat may see only its `view`."""
        return self.match.position

    @property
    def over(self) -> bool:
        """Return whether the game is over."""
        return self.match.outcome() is not None or not self.position.moves()

    @property
    def computer_to_move(self) -> str:
        """The name of the computer player to move, or an empty string."""
        if self.over or self.failed:
            return ""
        name = self.players[self.position.to_move]
        return "" if name == SEAT else name

    @property
    def seed_of_move(self) -> str:
        """The seed of the computer's next choice."""
        return f"{self.seed} {self.position.to_move} {len(self.match.moves)}"

    # Events ---------------------------------------------------------------------------------

    def play(self, seat: int, move: str, turn: int | None = None) -> AgentGame:
        """Return the game after a seat's move and the chance outcomes that follow.

        Raise IllegalMove if the seat may not make this move.
        """
        if self.over:
            raise IllegalMove("The game is over.")
        if self.is_open:
            raise IllegalMove("The other seat is not taken yet: another agent must join first.")
        if turn not in (None, len(self.match.moves)):
            raise IllegalMove(f"The game has moved on: it is at turn {len(self.match.moves)}.")
        if self.position.to_move != seat:
            raise IllegalMove("It is not your turn.")
        after = self._after(move)
        return after._after_chance()  # noqa: SLF001 # of the same class

    def resign(self, seat: int) -> AgentGame:
        """Return the game lost by a seat."""
        if self.over:
            raise IllegalMove("The game is over.")
        return replace(self, match=self.match.resign(seat), is_open=False)

    def with_second_agent(self) -> AgentGame:
        """Return the game with the second seat taken."""
        return replace(self, is_open=False)

    def with_failure(self, why: str) -> AgentGame:
        """Return the game with the reason why the computer cannot continue."""
        return replace(self, failed=why)

    def _after(self, move: str) -> AgentGame:
        before, match = self.position, self.match.play(move)
        after = match.position
        if len(match.moves) >= PLY_LIMIT and after.moves():
            match = match.draw("cut")
        return replace(
            self,
            match=match,
            memories=tuple(
                m.after(before, move, after, max_tries=MAX_TRIED_MOVES) for m in self.memories
            ),
            told=(*self.told, before.tell(move, after)),
        )

    def _after_chance(self) -> AgentGame:
        game = self
        while game.position.to_move == CHANCE and not game.over:
            turn = len(game.match.moves)
            game = game._after(draw_from_seed(game.position, game.seed, turn))
        return game

    # Views ----------------------------------------------------------------------------------

    def view_of(self, seat: int) -> GameView:
        """Return the game as a seat may see it."""
        view, positions = self.position.view(seat), self.match.positions
        is_turn = not self.over and self.position.to_move == seat
        own_turns = [at for at, position in enumerate(positions[:-1]) if position.to_move == seat]
        return GameView(
            game=view.slug,
            you="Player 2" if seat else "Player 1",
            opponent=self.players[1 - seat],
            turn=len(self.match.moves),
            to_move="nobody" if self.over else "you" if is_turn else "opponent",
            board=view.board(),
            position=view.to_json(),
            legal=view.moves() if is_turn else [],
            moves=list(self._known_to(seat)),
            told=list(self.told[own_turns[-1] if own_turns else 0 :]),
            help=self.help,
            note=self._note(),
            ending=self._ending(seat),
        )

    def _note(self) -> str:
        if self.failed and not self.over:
            return f"The computer cannot continue: {self.failed} You can resign."
        if self.is_open:
            return "The other seat is not taken yet."
        return "The computer is still thinking." if self.computer_to_move else ""

    def _ending(self, seat: int) -> Ending | None:
        outcome = self.match.outcome()
        if outcome is None:
            return None
        winner: dict[int | None, Literal["you", "opponent", "nobody"]]
        winner = {seat: "you", 1 - seat: "opponent", None: "nobody"}
        return Ending(
            winner=winner[outcome.winner],
            by=outcome.by,
            paid=outcome.payoffs[seat],
            said=self.match.ending() or result_text(outcome),
        )

    # Help -----------------------------------------------------------------------------------

    def check_help(self, seat: int) -> None:
        """Refuse help without permission, after the end, or when it is not the seat's turn."""
        if not self.help:
            raise DuelbookError("This game is played without help.")
        if self.over:
            raise DuelbookError("The game is over.")
        if self.position.to_move != seat:
            raise DuelbookError("It is not your turn: ask again on your turn.")

    def open_position(self, seat: int) -> Position | None:
        """Return the position if nothing is hidden from this seat or known only to it, or None."""
        view = self.position.view(seat)
        sealed = any(HIDDEN_MARK in known for known in self._known_to(seat))
        return None if sealed or has_hidden(view) or public_view(view) != view else view

    def _known_to(self, seat: int) -> tuple[str, ...]:
        return self.memories[seat].moves() if self.memories else self.match.moves
