"""What a model costs comes from a table that someone gave, or is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbook.errors import DuelbookError
from duelbook.players.llm.prices import Price, Prices


def test_a_price_belongs_to_a_model_or_to_a_model_at_an_address(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(
        '["small"]\ninput = 1\noutput = 2.5\ncached_input = 0\n'
        '["small@http://here/v1"]\ninput = 0\noutput = 0\n'
    )
    prices = Prices.read(file)
    assert prices.of("small", "https://elsewhere/v1") == Price(1, 2.5, 0)
    assert prices.of("small", "http://here/v1") == Price(0, 0)
    assert prices.of("large", "http://here/v1") is None


@pytest.mark.parametrize(
    "text",
    [
        '["m"]\ninput = 1\n',
        '["m"]\ninput = 1\noutput = -1\n',
        '["m"]\ninput = 1\noutput = "2"\n',
        '["m"]\ninput = 1\noutput = nan\n',
        '["m"]\ninput = 1\noutput = true\n',
        '["m"]\ninput = 1\noutput = 2\ncache = 3\n',
        "m = 3\n",
    ],
)
def test_an_invalid_price_is_refused_with_the_reason(text: str, tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text)
    with pytest.raises(DuelbookError, match=r"The prices of 'm' must be `input` and `output`"):
        Prices.read(file)


def test_an_invalid_price_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(DuelbookError, match="cannot be read"):
        Prices.read(tmp_path / "none.toml")
    (tmp_path / "prices.toml").write_text("input: 3")
    with pytest.raises(DuelbookError, match="not a table of prices in TOML"):
        Prices.read(tmp_path / "prices.toml")
