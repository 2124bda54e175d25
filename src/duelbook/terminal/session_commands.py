"""The commands that people can type at a prompt of a local game."""

from __future__ import annotations

import textwrap

from duelbook.errors import DuelbookError, SaveError
from duelbook.play.match import check_hint
from duelbook.terminal.answer_hints import grouped
from duelbook.terminal.console.pager import show
from duelbook.terminal.console.signals import LeaveSession
from duelbook.terminal.local_console import LocalConsole

WIDTH = 78
CLAUSES = "--clauses"
COMMANDS = {
    "help": "this list",
    "rules": "the rules of the game; rules --clauses has the numbers and claims",
    "moves": "the legal moves, and the moves so far",
    "board": "the position",
    "hint": "the best move, and its result",
    "undo": "take back an answer, or else the last move",
    "save": "save the game, also as: save FILE",
    "resign": "resign this game",
    "quit": "save the game and leave",
}
ABOUT_PRIVATE_CARDS = ("moves", "hint")
"""The commands whose answer depends on the knowledge of the player to move."""
NOT_FOR_OTHERS = (*ABOUT_PRIVATE_CARDS, "resign")
"""The commands that only the player to move may give."""


class SessionCommands:
    """The commands of a console, and their effects on its series."""

    def __init__(self, console: LocalConsole) -> None:
        self.console = console
        self.local, self.screen, self.privacy = console.local, console.screen, console.privacy

    def run_command(self, command: str, rest: str) -> bool:
        """Carry out a command; return whether the position has changed."""
        if rest and command != "save" and (command, rest) != ("rules", CLAUSES):
            self.screen.refuse(f"Type only {command}, with nothing after it.")
            return False
        match command:
            case "help":
                self.screen.print("Answer the question, or type one of these:")
                for name, meaning in COMMANDS.items():
                    self.screen.print(f"  {name:<7} {meaning}")
            case "rules":
                self._show_rules(clauses=rest == CLAUSES)
            case "moves":
                self._list_moves()
            case "board":
                self.screen.print(self.console.shown.board())
                self.console.draw()
            case "undo":
                return self._undo()
            case "save":
                self._save_on_request(rest)
            case "resign":
                self.local.resign()
                self.privacy.show_to_both(self.console.series.match.ending())
                return True
            case "quit":
                raise LeaveSession
        return False

    def _show_rules(self, *, clauses: bool) -> None:
        from duelbook.play.rules_page import for_terminal  # not before the first prompt

        show(for_terminal(self.console.position.rules_page(), clauses=clauses), self.screen)

    def _list_moves(self) -> None:
        self.screen.print("You can play:")
        for start, lasts in grouped(self.console.position.moves()).items():
            self.screen.print(f"  {start} {', '.join(lasts)}" if start else f"  {', '.join(lasts)}")
        if played := self.local.known_to(self.console.viewer):
            self.screen.print(textwrap.fill(f"Played so far: {', '.join(played)}.", WIDTH))

    def hint(self, words: tuple[str, ...]) -> None:
        """Print a hint, also in the middle of a move."""
        from duelbook.analysis.hint import hint  # not before the first prompt
        from duelbook.players.levels import oracle_for
        from duelbook.terminal.console.progress import waiting

        seat = self.console.position.to_move
        try:
            check_hint(self.console.position, shared=self.console.viewer is None)
            with waiting(f"Studying {self.console.series.game.title}"):
                record = self.console.series.match.record(seat)
                best = hint(oracle_for(self.console.series.game), record.view, record)
            begun = best.move.split()[: len(words)] != list(words)
            self.screen.print(f"{best.text} Type undo first." if begun else best.text)
        except DuelbookError as refusal:
            self.screen.refuse(str(refusal))

    def _undo(self) -> bool:
        try:
            taken = self.local.undo()
        except DuelbookError as refusal:
            self.screen.refuse(str(refusal))
            return False
        self.privacy.show_to_both(f"Taken back: {', '.join(taken)}.")
        self.privacy.show_to_both(self.local.seen_by(self.local.only_person).board())
        return True

    def _save_on_request(self, name: str) -> None:
        try:
            self.local.save(name)
        except SaveError as refusal:
            self.screen.note(f"Not saved. {refusal}")
        else:
            self.screen.note(f"Saved to {self.local.file}.{self.local.left_out_note()}")
