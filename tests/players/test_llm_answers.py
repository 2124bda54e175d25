"""An answer is the last JSON object with `move`, and nothing else."""

from __future__ import annotations

import pytest

from duelbook.players.llm.answer_parsing import MAX_BROKEN_OBJECTS, move_in


@pytest.mark.parametrize(
    "text",
    [
        '{"move": "attack 3"}',
        'I could attack.\n\n```json\n{"move": "attack 3"}\n```\nGood chance!',
        '{"why": "strong", "move": "attack 3"}',
        '{"move": "defend 1"} is weak, so {"move": "attack 3"}',
        '{"move": "attack 3", "others": [{"move": "defend 1"}, {"move": "defend 2"}]}',
        '{"others": {"move": "defend 1"}, "move": "attack 3"} {"note": "without a move"}',
        '{"thoughts": "two\nlines", "move": "attack 3"}',
        'In sets {a, b} and \\boxed{{"move": "attack 3"}}',
        '<think>{"move": "defend 1"}</think>{"move": "attack 3"}',
        'no opening tag {"move": "defend 1"}</think>\n{"move": "attack 3"}',
        '{"move": " Attack   3 \\n"}',
        '{"size": ' + "9" * 10_000 + ', "move": "attack 3"}',
    ],
)
def test_the_last_object_with_move_is_the_answer(text: str) -> None:
    assert move_in(text) == "attack 3"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "attack 3",
        "I play attack 3, not attack 4 or defend 1.",
        "**Move:** attack 3",
        '"move": "attack 3"',
        "{'move': 'attack 3'}",
        '{"answer": {"move": "attack 3"}}',
        '[{"action": "attack 3"}]',
        '{"move": 3}',
        '{"move": null}',
        '{"move": ["attack 3"]}',
        '{"move": "attack 3"} or rather {"move": 4}',
    ],
)
def test_text_without_such_an_object_is_no_answer(text: str) -> None:
    assert move_in(text) is None


@pytest.mark.parametrize(
    "text",
    [
        '{"rejected": {"move": "defend 1"}, "move": "attack 3",}',
        '{"rejected": {"move": "defend 1"}, "move": "attack 3"',
        '{"why": "not {"move": "defend 1"}", "move": "attack 3"}',
        '{"move": "defend 1"} no: {"move": "attack 3}',
        '<think>{"move": "defend 1"}</think>',
        '<think>{"move": "defend 1"} or',
    ],
)
def test_a_rejected_move_in_a_broken_answer_is_ignored(text: str) -> None:
    assert move_in(text) is None


@pytest.mark.parametrize("hostile", ['{"a":', '{"a":[1,', '{"', '{"a": 1', '{"\\"', '{ "a":{'])
def test_a_deeply_nested_answer_is_refused(hostile: str) -> None:
    assert move_in('{"move": "attack 3"}' + hostile * 200_000) is None  # in no time


def test_many_brackets_do_not_hide_the_answer() -> None:
    assert move_in('{"move": "attack 3"}' + "{" * 1_000_000) == "attack 3"


def test_an_answer_with_very_many_broken_objects_is_not_read() -> None:
    assert move_in('{"a" ' * MAX_BROKEN_OBJECTS + '{"move": "attack 3"}') == "attack 3"
    assert move_in('{"a" ' * (MAX_BROKEN_OBJECTS + 1) + '{"move": "attack 3"}') is None
