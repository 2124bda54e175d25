"""All that a model is sent stands in the template file, and the switches do what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import duelbook
from duelbook.errors import DuelbookError
from duelbook.play.match import Match
from duelbook.players.failures import Kind
from duelbook.players.llm.prompt import DEFAULT, SECTIONS, Prompt, Switches
from duelbook.position import Position
from duelbook.secrecy import SeatRecord

DEFAULT_TEXT = DEFAULT.read_text()


def played(game: str, *moves: str, seat: int) -> SeatRecord:
    match = Match.begin(duelbook.load(game))
    for move in moves:
        match = match.play(move)
    return match.record(seat)


BATTLE = played("token-tactics", "fortify", "fortify", "attack 3", seat=1)


def test_a_prompt_has_the_rules_the_view_and_the_history() -> None:
    prompt = Prompt.read()
    system, turn = prompt.system(BATTLE), prompt.turn(BATTLE)
    assert "You are Player 2, and your opponent is Player 1." in system
    assert "- Fortifying adds 1 token from the bank to your reserve." in system
    assert "## Claims" not in system
    assert '{"move": "the words of your move"}' in system
    assert "Player 1 has committed tokens to an attack." in turn
    assert (
        "Player 1 adds 1 token to their reserve.\n"
        "You played: fortify\n"
        "Player 2 adds 1 token to their reserve.\n"
    ) in turn
    assert "Your legal moves are:\n\ndefend 0\ndefend 1\n" in turn


def test_the_history_has_all_moves_or_those_since_the_last_turn() -> None:
    prompt = Prompt.read()
    assert "Player 1 adds" in prompt.turn(BATTLE, since=0)
    assert "Player 1 adds" not in prompt.turn(BATTLE, since=1)
    assert "Player 2 adds" in prompt.turn(BATTLE, since=1)
    assert "You have heard nothing yet." in prompt.turn(BATTLE, since=3)


def test_without_history_the_prompt_has_only_the_position() -> None:
    turn = Prompt.read({"history": False}).turn(BATTLE)
    assert turn.startswith("The position now:\n\nPlayer 1 Tokens: 11\n")
    assert "adds" not in turn


def test_without_a_list_of_legal_moves_the_prompt_spells_all_moves() -> None:
    listed, unlisted = Prompt.read(), Prompt.read({"legal_moves": False})
    assert "attack 15" not in listed.system(BATTLE) + listed.turn(BATTLE)
    assert "defend 11" in listed.turn(BATTLE)
    assert "defend 11" not in unlisted.turn(BATTLE)
    assert "fortify, attack 1, attack 2, " in unlisted.system(BATTLE)


def test_the_language_of_thought_is_in_the_prompt_only_if_set() -> None:
    assert "Think in Esperanto." in Prompt.read({"language": "Esperanto"}).system(BATTLE)
    assert "Think in" not in Prompt.read().system(BATTLE)


def test_answers_can_be_restricted_to_json_or_to_the_legal_moves() -> None:
    assert Prompt.read().response_format(BATTLE.view) is None
    held = Prompt.read({"answers": "object"}).response_format(BATTLE.view)
    assert held == {"type": "json_object"}
    schema = json.dumps(Prompt.read({"answers": "schema"}).response_format(BATTLE.view))
    assert json.dumps(BATTLE.view.moves()) in schema


def test_all_text_of_the_prompt_comes_from_the_file() -> None:
    """A file without a word in it sends none."""
    lines = ['version = "1"']
    for section, texts in SECTIONS.items():
        lines.append(f"[{section}]")
        mark = "{}" if section == "response_formats" else "§"
        lines += [f"{name} = '{mark}'" for name in texts]
    prompt = Prompt.parse("\n".join(lines), Switches(language="Latin", answers="schema"))
    sent = [prompt.system(BATTLE), prompt.turn(BATTLE), prompt.answer("")]
    kinds: tuple[Kind, ...] = ("ILLEGAL", "UNPARSABLE", "EMPTY", "TRUNCATED")
    sent += [prompt.refusal(kind, "You have only 11 tokens.", BATTLE) for kind in kinds]
    assert sent == ["§"] * 7
    assert prompt.response_format(BATTLE.view) == {}


def test_another_prompt_file_has_another_hash(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        DEFAULT_TEXT.replace('version = "1"', 'version = "mine, for $$5"').replace(
            "You are playing", "For $$5 you are playing"
        )
    )
    custom, default = Prompt.read({"file": "mine.toml"}, tmp_path), Prompt.read()
    assert custom.system(BATTLE).startswith("For $5 you are playing Token Tactics")
    assert custom.version == "mine, for $$5"
    assert custom.hash != default.hash
    assert Prompt.read({"history": False}).hash == default.hash
    assert custom.as_data() == {
        "version": "mine, for $$5",
        "hash": custom.hash,
        "legal_moves": True,
        "history": True,
        "conversation": "fresh",
        "answers": "free",
        "language": "",
    }


def test_the_values_are_not_read_as_templates() -> None:
    class Dollars(Position):
        """Costs $5 and ${player}."""

        ACTIONS = ("pay $board",)

        def moves(self) -> list[str]:
            return ["pay $board"]

        def board(self) -> str:
            return "$title"

    prompt = Prompt.read()
    record = SeatRecord(0, Dollars())
    assert "Costs $5 and ${player}." in prompt.system(record)
    assert "$title" in prompt.turn(record)
    assert "pay $board" in prompt.turn(record)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('version = "1"', ""), "needs a version"),
        (("[parts]", "[part]"), "lacks parts"),
        (("told =", "said ="), "[messages] lacks told"),
        (("no_text =", "extra = ''\nno_text ="), "[messages] has no use for 'extra'"),
        (("$board", "$bord"), "turn in [messages] says $bord; it can say $all_moves"),
        (("$board", "$ board"), "turn in [messages] has a dollar sign without a name"),
        (('told = "$told"', "told = 3"), "told in [messages] must be a text"),
        (('told = "$told"', 'told = "$secret"'), "told in [messages] says $secret"),
        (('{"type": "json_object"}', "{"), "object in [response_formats] is not JSON"),
        (("[messages]", "[messages"), "is not TOML"),
    ],
)
def test_an_invalid_prompt_file_is_refused_with_the_reason(
    change: tuple[str, str], sentence: str
) -> None:
    text = DEFAULT_TEXT.replace(*change)
    assert text != DEFAULT_TEXT
    with pytest.raises(DuelbookError) as refusal:
        Prompt.parse(text, Switches())
    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"hints": True}, "no option 'hints'. The options are: legal_moves, history"),
        ({"history": "yes"}, "history must be true or false, not 'yes'"),
        ({"conversation": "two"}, 'conversation must be "fresh" or "one"'),
        ({"answers": "grammar"}, 'answers must be "free", "object" or "schema"'),
        ({"language": "a\nb"}, "language must be the name of a language"),
        ({"file": 3}, "file of a prompt must be a name"),
        ({"file": "none.toml"}, "none.toml cannot be read"),
    ],
)
def test_an_invalid_switch_is_refused_with_the_reason(
    table: dict[str, object], sentence: str
) -> None:
    with pytest.raises(DuelbookError) as refusal:
        Prompt.read(table)
    assert sentence in str(refusal.value)
