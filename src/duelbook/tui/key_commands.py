"""The commands of the TUI: their keys, their buttons, and their lines in the menu."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """A button: its name in the program, and its label for people."""

    name: str
    label: str


BY_KEY = {
    "escape": "menu",
    "question_mark": "keys",
    "f1": "keys",
    "f2": "hint",
    "f3": "undo",
    "f4": "bar",
    "f5": "yes",
    "f6": "save",
    "f7": "resign",
    "f8": "rules",
    "f9": "no",
    "f10": "leave",
}
BY_LETTER = {"h": "hint", "u": "undo", "e": "bar", "?": "keys"}
MENU = {
    "hint": "Hint: the best move here",
    "undo": "Undo the last choice",
    "bar": "Show or hide the evaluation bar",
    "rules": "Rules of the game",
    "names": "Names of the players",
    "level": "Change the level of the computer",
    "look": "Change between dark and light",
    "save": "Save",
    "saveas": "Save to a file of your choice",
    "resign": "Resign",
    "other": "Save, and choose another game",
    "leave": "Save and leave",
}
_CHOOSING = """\
Choosing a move
  arrows, Enter      select a choice
  digits, letters    type the choice: 4, build 4, or b and Enter
  mouse              click a choice, or a shape on the board
  Backspace          take back a part of the choice

Commands
"""
_LETTERS = (
    "If a choice begins with a letter, the letter means the choice. Hidden choices are not shown.\n"
)
KEYS = f"""\
{_CHOOSING}\
  F2 or h   hint                  F6         save
  F3 or u   undo                  F7         resign
  F4 or e   evaluation bar        F8         rules
  Esc       menu                  F10        save and leave
  ?         these keys            Page Up and Page Down scroll the log

{_LETTERS}\
Every game is saved after every move."""
ONLINE_KEYS = f"""\
{_CHOOSING}\
  F2 or h   hint, if both allow   F6         save a copy here
  F3 or u   ask to take back      F7         resign
  F4 or e   evaluation bar        F8         rules
  F5, F9    answer the other player, when a line says so
  Esc       menu                  F10        leave; the seat stays yours
  ?         these keys            Page Up and Page Down scroll the log

{_LETTERS}\
The server stores the game. If the connection is lost, the program tries to reconnect."""


def buttons(*names: str, **labels: str) -> tuple[Item, ...]:
    """Return buttons in this order; `labels` replaces the default label of some."""
    return tuple(Item(name, labels.get(name) or _LABELS[name]) for name in names)


_LABELS = {
    "menu": "Esc Menu",
    "keys": "? Keys",
    "hint": "F2 Hint",
    "undo": "F3 Undo",
    "bar": "F4 Bar",
    "save": "F6 Save",
    "resign": "F7 Resign",
    "leave": "F10 Leave",
    "again": "Again",
    "swap": "Swap seats",
    "review": "Review",
    "other": "Other game",
    "next": "Next game",
    "rematch": "Rematch",
}
