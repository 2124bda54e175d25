"""A game on a server in line mode, for pipes, screen readers and people who prefer lines."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from threading import Event
from time import monotonic

from duelbook import secrecy
from duelbook.catalog.registry import find
from duelbook.errors import DuelbookError
from duelbook.play import move_input
from duelbook.play.rules_page import for_terminal
from duelbook.position import Position, next_words
from duelbook.terminal.console.echo import echo_for
from duelbook.terminal.console.keyboard import Keyboard, echo_all
from duelbook.terminal.console.pager import show
from duelbook.terminal.console.screen import Screen
from duelbook.terminal.join_player import news as told_since
from duelbook.web import protocol as p
from duelbook.web.client.background import Background, News, result_of
from duelbook.web.client.fairness import fairness
from duelbook.web.client.game_client import GameClient

COMMANDS = {
    "help": "this list",
    "board": "the position",
    "moves": "the legal moves, and those played so far",
    "rules": "the rules of the game",
    "hint": "the best move, if both players allow hints",
    "undo": "ask to take your last move back",
    "agree": "accept the other player's request to take a move back",
    "decline": "decline that request, or withdraw your own",
    "resign": "resign the game",
    "quit": "leave; the seat stays yours",
}

WAIT_SECONDS = 30.0
"""The seconds before the next question about a player who does not move."""


class LineGame:
    """A game on a server: print each event when it happens, and ask for this player's moves."""

    def __init__(self, game: GameClient, screen: Screen, keyboard: Keyboard) -> None:
        self.screen, self.keyboard = screen, keyboard
        self._line = Background(game)
        self._news = self._line.first
        self._changed = Event()

    def play(self) -> None:
        """Play the game until it ends or this player leaves."""
        self._print_news(None, self._news)
        self._line.start(self._receive)
        secrets = secrecy.keeps_secrets(self._game)
        try:
            with self.keyboard.guarded() if secrets else nullcontext():
                while self._news.snapshot.status.result is None and not self._news.end:
                    self._take_turn() if self._is_asked() else self._wait()
        except EOFError:
            pass
        finally:
            self._line.close()

    @property
    def is_over(self) -> bool:
        """Return whether the game is over."""
        return self._news.snapshot.status.result is not None

    # Events -----------------------------------------------------------------------------------

    def _receive(self, news: News) -> None:
        """Print the changes; this runs in another thread, even during a question."""
        before, self._news = self._news, news
        self._print_news(before, news)
        self._changed.set()

    def _print_news(self, before: News | None, now: News) -> None:
        chairs = now.snapshot.status.chairs
        self.screen.names = chairs[0].name, chairs[1].name
        for text in told_since(before.snapshot if before else None, now.snapshot):
            self.screen.print(text)
        for text in self._notices(before, now):
            self.screen.refuse(text)

    def _notices(self, before: News | None, now: News) -> list[str]:
        """Return the notices about other changes that matter to this player."""
        asks, (seat, *_) = now.snapshot.status.takeback, now.snapshot.seats
        other = self.screen.names[1 - seat]
        earlier = before.snapshot.status.takeback if before else None
        notices = [now.refusal, now.end]
        if asks != earlier and asks == 1 - seat:
            notices.append(f"{other} asks to take the last move back: type agree or decline.")
        elif earlier == seat and asks is None:
            notices.append("Your request to take a move back was answered.")
        if before and now.is_lost != before.is_lost:
            lost = "The connection is lost. Trying to reconnect …"
            notices.append(lost if now.is_lost else "Reconnected.")
        if before and _is_here(before, 1 - seat) and not _is_here(now, 1 - seat):
            notices.append(f"{other} is not connected.")
        if now.snapshot.status.result and not (before and before.snapshot.status.result):
            notices.append(fairness(now.snapshot, now.commitment))
        return [text for text in notices if text]

    def _wait(self) -> None:
        """Wait for news, or until the other player is overdue."""
        late = self._news.overdue_at
        if late is not None and late <= monotonic():
            self._end_overdue()
            return
        self._changed.wait(None if late is None else late - monotonic())
        self._changed.clear()

    def _end_overdue(self) -> None:
        """Ask what to do about a player who does not move."""
        presence, turn = self._news.presence, self._news.snapshot.turn
        may = presence.overdue.may if presence and presence.overdue else ""
        answers = ("end", "wait") if may == "abort" else ("claim", "draw", "wait")
        self.screen.ask(f"The other player does not move. Type {', '.join(answers)}: ")
        match self.keyboard.line().strip().casefold():
            case "end" if may == "abort":
                self._send(p.Abort(turn))
            case "claim" | "draw" as wish if may == "claim":
                self._send(p.Claim("victory" if wish == "claim" else "draw", turn))
            case _:
                self._changed.wait(WAIT_SECONDS)
        self._changed.clear()

    # This player ------------------------------------------------------------------------------

    @property
    def _game(self) -> type[Position]:
        return find(self._news.snapshot.book)

    @property
    def _position(self) -> Position:
        return self._game.from_json(self._news.snapshot.view.position)

    def _is_asked(self) -> bool:
        snapshot = self._news.snapshot
        is_open = any(chair.kind == "open" for chair in snapshot.status.chairs)
        return snapshot.view.to_move in snapshot.seats and not is_open and not self._news.is_lost

    def _take_turn(self) -> None:
        """Ask until the words spell a move, and send it; stop when the position changes."""
        turn, view, position = self._news.snapshot.turn, self._news.snapshot.view, self._position
        self.screen.picture(position.scene())
        self.screen.print(f"\n{view.turn}" if view.turn else "")
        if secrecy.has_hidden(position):
            self.screen.print(view.board)
        words, answered = tuple[str, ...](), False
        while self._news.snapshot.turn == turn and not self.is_over and not self._news.end:
            words = _filled_in(position, view.legal, words, answered=answered)
            if " ".join(words) in view.legal:
                self._send(p.Play(" ".join(words), turn))
                words, answered = (), False
                continue
            self.screen.ask(position.ask(words) or "Enter your move: ")
            seen = echo_for(position, words, COMMANDS) if view.sealed else echo_all
            typed = self.keyboard.line(seen).strip()
            if self._news.snapshot.turn != turn or self.is_over:
                self.screen.refuse("The position has changed: your answer was not played.")
            elif typed.casefold() in COMMANDS.keys() - set(next_words(view.legal, words)):
                self._run_command(typed.casefold())
            else:
                try:
                    words = move_input.read(position, words, typed, quote=seen is echo_all)
                    answered = True
                except DuelbookError as refusal:
                    self.screen.refuse(str(refusal))

    def _run_command(self, command: str) -> None:
        """Carry out a command."""
        snapshot = self._news.snapshot
        match command:
            case "help":
                for name, about in COMMANDS.items():
                    self.screen.print(f"  {name:<8} {about}")
            case "board":
                self.screen.print(snapshot.view.board)
            case "moves":
                self.screen.print(f"Legal: {', '.join(snapshot.view.legal)}.")
                self.screen.print(f"Played: {', '.join(snapshot.moves) or 'nothing yet'}.")
            case "rules":
                show(for_terminal(self._game.rules_page(), clauses=False), self.screen)
            case "hint":
                try:
                    self.screen.print(result_of(self._line.ask(lambda game: game.hint())).said)
                except DuelbookError as refusal:
                    self.screen.refuse(str(refusal))
            case "quit":
                raise EOFError
            case _:
                self._send(_command(command, snapshot.turn))

    def _send(self, command: p.Command) -> None:
        """Send a command, and wait for the answer, which `_receive` prints."""
        self._line.send(command)
        with suppress(DuelbookError):  # `_receive` prints the reason
            result_of(self._line.ask(lambda _: None))  # this request waits for the command


def _command(name: str, turn: int) -> p.Command:
    match name:
        case "undo":
            return p.TakeBack(turn)
        case "agree":
            return p.Agree(turn)
        case "decline":
            return p.Decline()
        case _:
            return p.Resign(turn)


def _filled_in(
    position: Position, legal: list[str], words: tuple[str, ...], *, answered: bool
) -> tuple[str, ...]:
    """Return the words with forced words added; never answer the first question of a turn."""
    while len(options := next_words(legal, words)) == 1 and (answered or not position.ask(words)):
        words = (*words, *options)
    return words


def _is_here(news: News, seat: int) -> bool:
    return news.presence is None or news.presence.seats[seat]
