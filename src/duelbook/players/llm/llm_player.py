"""A language model as a player: ask it, read its answer, refuse a wrong answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from duelbook.players.asking import reason_against
from duelbook.players.failures import Failure, ProviderError
from duelbook.players.llm.answer_parsing import move_in
from duelbook.players.llm.calls import Call
from duelbook.players.llm.client import Client, Message
from duelbook.players.llm.journal import Journal
from duelbook.players.llm.model_settings import ModelSettings
from duelbook.players.llm.prices import Prices
from duelbook.players.llm.prompt import Prompt
from duelbook.players.player import Player
from duelbook.position import Position
from duelbook.secrecy import SeatRecord

MAX_QUOTE_LENGTH = 500  # characters of an answer in a failure; its end, where the move should be


class LlmPlayer(Player):
    """Plays one seat of one game; it remembers its conversation."""

    def __init__(self, client: Client, prompt: Prompt) -> None:
        self.prompt = prompt
        self.calls: list[Call] = []
        """All calls so far; the caller may remove them."""
        self._client = client
        self._conversation: list[Message] = []
        self._last_record: SeatRecord | None = None
        """The record of the seat at its last move."""

    def __repr__(self) -> str:
        settings = self._client.settings
        return f"llm:{settings.model}@{settings.base_url}"

    def prepare(self, game: type[Position]) -> None:  # noqa: ARG002 # a model plays any game
        """Refuse to start without the key."""
        self._client.key()

    def choose(self, view: Position, random: Random) -> str:
        """Return the model's move, given a view alone."""
        seat = view.to_move
        return self.choose_from_record(SeatRecord(seat, view.view(seat)), random)

    def choose_from_record(self, record: SeatRecord, random: Random) -> str:
        """Return the model's move, given the record of its seat."""
        view, messages = record.view, self._question(record)
        form, turn = self.prompt.response_format(view), random.getrandbits(31)
        for attempt in range(self._client.settings.corrections + 1):
            call = self._client.ask(messages, turn, attempt, form)
            try:
                move = _move(call, view)
            except ProviderError:
                self.calls.append(call)
                raise
            except Failure as failure:
                self.calls.append(replace(call, failure=failure.kind))
                if failure.kind == "TIMEOUT":
                    raise
                failed = failure
                messages.append(_message("assistant", self.prompt.answer(call.said)))
                refusal = self.prompt.refusal(failure.kind, failure.reason, record)
                messages.append(_message("user", refusal))
            else:
                self.calls.append(call)
                messages.append(_message("assistant", call.said))
                self._conversation, self._last_record = messages, record
                return move
        raise failed

    def _question(self, record: SeatRecord) -> list[Message]:
        """Return the messages that ask for a move."""
        last_record = self._last_record
        if (
            self.prompt.switches.conversation == "one"
            and last_record
            and record.continues(last_record)
        ):
            turn = self.prompt.turn(record, since=len(last_record.steps))
            return [*self._conversation, _message("user", turn)]
        system = self.prompt.system(record)
        first = [_message("system", system)] if system else []
        return [*first, _message("user", self.prompt.turn(record))]


def llm_player(
    name: str,
    options: Mapping[str, object] | None = None,
    prompt: Prompt | None = None,
    prices: Prices | None = None,
    journal: Journal | None = None,
) -> LlmPlayer:
    """Return the player `llm:MODEL@BASE_URL`, with the options of a table."""
    settings = ModelSettings.read(name, options)
    price = prices.of(settings.model, settings.base_url) if prices else None
    return LlmPlayer(Client(settings, price, journal), prompt or Prompt.read())


def _move(call: Call, view: Position) -> str:
    """Return the legal move that an answer names, or raise its failure."""
    match call.failure:
        case "":
            move = move_in(call.said)
        case "TIMEOUT":
            raise Failure("TIMEOUT", call.said)
        case "EMPTY":
            raise Failure("EMPTY", "The answer has no text.")
        case "TRUNCATED":
            raise Failure("TRUNCATED", f"The answer was cut off: {_end(call.said)}")
        case _:
            raise ProviderError(call.said)
    if move is None:
        raise Failure("UNPARSABLE", f"The answer names no move: {_end(call.said)}")
    if move not in view.moves():
        raise Failure("ILLEGAL", reason_against(view, move))
    return move


def _end(text: str) -> str:
    return text if len(text) <= MAX_QUOTE_LENGTH else f"…{text[-MAX_QUOTE_LENGTH:]}"


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
