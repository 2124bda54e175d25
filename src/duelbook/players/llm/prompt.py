"""The prompt: a template file with a version and a hash, and the switches of a tournament.

The file has all the words that a model receives. This module adds the rules page, the seat's view
and the seat's messages so far.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, Literal, Self, get_args

from duelbook.errors import DuelbookError
from duelbook.play.rules_page import for_players
from duelbook.players.failures import Kind
from duelbook.players.llm.option_checks import OptionChecks, check_options
from duelbook.position import Position, player
from duelbook.secrecy import SeatRecord

DEFAULT = Path(__file__).parent / "prompts" / "default.toml"
BLANK_LINES = re.compile(r"\n{3,}")

VALUES = {
    *("title", "rules", "player", "opponent", "board", "heard"),
    *("moves", "all_moves", "moves_in_json", "language"),
}
PARTS = {"history", "legal_moves", "spelling", "thinking"}
MESSAGES = {"system", "turn", "own_move", "told", "nothing_heard", "no_text"}
SECTIONS: dict[str, dict[str, set[str]]] = {
    "messages": {
        **dict.fromkeys(MESSAGES, VALUES | PARTS),
        "own_move": {"move"},
        "told": {"told"},
    },
    "parts": dict.fromkeys([*sorted(PARTS), "spelling_without_list"], VALUES),
    "refusals": dict.fromkeys(
        ["ILLEGAL", "UNPARSABLE", "EMPTY", "TRUNCATED"], VALUES | PARTS | {"reason"}
    ),
    "response_formats": {"object": {"moves_in_json"}, "schema": {"moves_in_json"}},
}
"""The texts of a template file, and the names that each may use after a dollar sign."""

Conversation = Literal["fresh", "one"]
Answers = Literal["free", "object", "schema"]


def _is_language(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and len(value) <= 40


SWITCHES: OptionChecks = {
    "legal_moves": ("true or false", lambda v: isinstance(v, bool)),
    "history": ("true or false", lambda v: isinstance(v, bool)),
    "conversation": ('"fresh" or "one"', lambda v: v in get_args(Conversation)),
    "answers": ('"free", "object" or "schema"', lambda v: v in get_args(Answers)),
    "language": ("the name of a language", _is_language),
}


@dataclass(frozen=True)
class Switches:
    """The contents of a prompt, and the form of the answers."""

    legal_moves: bool = True
    """Whether the prompt lists the legal moves."""
    history: bool = True
    """Whether the prompt lists the earlier moves and messages of the seat."""
    conversation: Conversation = "fresh"
    """`fresh`: each turn is a new conversation; `one`: the whole game is one conversation."""
    answers: Answers = "free"
    """The restriction of answers by `response_format`: none, to JSON, or to the legal moves."""
    language: str = ""
    """The language to think in; if empty, the prompt names none."""

    @classmethod
    def read(cls, table: Mapping[str, object]) -> Self:
        """Return the switches in a table."""
        check_options(table, SWITCHES, "A prompt")
        return cls(**dict(table))  # type: ignore[arg-type] # each was checked above


@dataclass(frozen=True)
class Prompt:
    """A template file with its switches set."""

    version: str
    text: str
    """The content of the file."""
    templates: Mapping[str, Mapping[str, str]]
    switches: Switches = Switches()

    # Reading ------------------------------------------------------------------------------------

    @classmethod
    def read(cls, table: Mapping[str, object] | None = None, folder: Path | None = None) -> Self:
        """Return the prompt of a table with a `file`, relative to a folder, and switches."""
        switches = dict(table or {})
        name = switches.pop("file", None)
        if name is not None and not isinstance(name, str):
            raise DuelbookError(f"The file of a prompt must be a name, not {name!r:.60}.")
        file = DEFAULT if name is None else (folder or Path()) / name
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DuelbookError(f"The prompt {file} cannot be read: {error}.") from error
        return cls.parse(text, Switches.read(switches), str(file))

    @classmethod
    def parse(cls, text: str, switches: Switches, where: str = "the prompt") -> Self:
        """Return the prompt in the text of a template file, or raise an error about the text."""
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise DuelbookError(f"{where} is not TOML: {error}.") from error
        version = data.pop("version", None)
        if not isinstance(version, str) or not version:
            raise DuelbookError(f'{where} needs a version, such as version = "1".')
        _check(data, where)
        return cls(version, text, data, switches)

    @property
    def hash(self) -> str:
        """The hash of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def as_data(self) -> dict[str, Any]:
        """Return the version, hash and switches of the prompt as JSON values."""
        return {"version": self.version, "hash": self.hash, **asdict(self.switches)}

    # Writing ------------------------------------------------------------------------------------

    def system(self, record: SeatRecord) -> str:
        """Return the first message; empty if there is none."""
        return self._message("messages", "system", self._values(record, 0))

    def turn(self, record: SeatRecord, since: int = 0) -> str:
        """Return the message that asks for a move, with the steps of the record from `since` on."""
        return self._message("messages", "turn", self._values(record, since))

    def refusal(self, kind: Kind, reason: str, record: SeatRecord) -> str:
        """Return the message after an answer that is not a legal move."""
        values = self._values(record, 0) | {"reason": reason}
        return self._message("refusals", kind, values)

    def answer(self, text: str) -> str:
        """Return the text of an answer in the conversation."""
        return text if text.strip() else self.templates["messages"]["no_text"]

    def response_format(self, view: Position) -> object:
        """Return the parameter that restricts answers to JSON or to legal moves, or None."""
        if self.switches.answers == "free":
            return None
        values = {"moves_in_json": json.dumps(view.moves())}
        template = self.templates["response_formats"][self.switches.answers]
        return json.loads(Template(template).substitute(values))

    def _values(self, record: SeatRecord, since: int) -> dict[str, str]:
        view, game = record.view, type(record.view)
        return {
            "title": game.title,
            "rules": _rules(game),  # type: ignore[arg-type] # a class can be hashed
            "player": player(record.seat),
            "opponent": player(1 - record.seat),
            "board": view.board(),
            "heard": self._steps(record, since),
            "moves": "\n".join(view.moves()),
            "all_moves": ", ".join(game.ACTIONS),
            "moves_in_json": json.dumps(view.moves()),
            "language": self.switches.language,
        }

    def _steps(self, record: SeatRecord, since: int) -> str:
        templates = self.templates["messages"]
        lines = []
        for own_move, text, _ in record.steps[since:]:
            if own_move:
                lines.append(Template(templates["own_move"]).substitute(move=own_move))
            if text.strip():
                lines.append(Template(templates["told"]).substitute(told=text.strip()))
        return "\n".join(lines) or templates["nothing_heard"]

    def _message(self, section: str, name: str, values: dict[str, str]) -> str:
        parts = self.templates["parts"]
        chosen = {
            "history": parts["history"] if self.switches.history else "",
            "legal_moves": parts["legal_moves"] if self.switches.legal_moves else "",
            "spelling": parts["spelling" if self.switches.legal_moves else "spelling_without_list"],
            "thinking": parts["thinking"] if self.switches.language else "",
        }
        filled = {part: Template(text).substitute(values) for part, text in chosen.items()}
        text = Template(self.templates[section][name]).substitute(values | filled)
        return BLANK_LINES.sub("\n\n", text).strip()


def _check(data: Mapping[str, object], where: str) -> None:
    """Refuse a template file with a missing or extra text, or an unknown name."""
    _same_names(data, set(SECTIONS), where)
    for section, texts in SECTIONS.items():
        section_texts = data[section]
        if not isinstance(section_texts, dict):
            raise DuelbookError(f"{where}: [{section}] must be a section.")
        _same_names(section_texts, set(texts), f"{where}: [{section}]")
        for name, allowed in texts.items():
            text, place = section_texts[name], f"{where}: {name} in [{section}]"
            if not isinstance(text, str):
                raise DuelbookError(f"{place} must be a text.")
            template = Template(text)
            if not template.is_valid():
                raise DuelbookError(f"{place} has a dollar sign without a name: write $$ for one.")
            if unknown := set(template.get_identifiers()) - allowed:
                raise DuelbookError(
                    f"{place} says ${min(unknown)}; it can say "
                    f"{', '.join(f'${name}' for name in sorted(allowed))}."
                )
            if section == "response_formats":
                _check_json(template.substitute(moves_in_json='["one"]'), place)


def _same_names(table: Mapping[str, object], names: set[str], where: str) -> None:
    if missing := names - table.keys():
        raise DuelbookError(f"{where} lacks {min(missing)}.")
    if more := table.keys() - names:
        raise DuelbookError(f"{where} has no use for {min(more)!r:.40}.")


def _check_json(text: str, place: str) -> None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        raise DuelbookError(f"{place} is not JSON: {error}.") from error


@cache
def _rules(game: type[Position]) -> str:
    """Return the rules for players; the result is cached."""
    return for_players(game.rules_page()).strip()
