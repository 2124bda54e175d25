"""PettingZoo, Gymnasium and OpenSpiel check the books, the examples and the tutorial game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import gymnasium
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo import test as checks
from pettingzoo.utils.env import AECEnv

import duelbook
import tutorial
from duelbook import DuelbookError
from duelbook.adapters import openspiel
from duelbook.adapters.gymnasium import ANY_GAME
from duelbook.adapters.pettingzoo import env, raw_env
from paths import ROOT
from strategies import GAMES

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("no_loaded_games")]

BOOKS = [game.slug for game in GAMES]
EXAMPLES = sorted(map(str, (ROOT / "examples" / "games").glob("*.py")))
TUTORIAL = "tutorial"


@pytest.fixture(params=[*BOOKS, *EXAMPLES, TUTORIAL], ids=lambda name: Path(name).stem)
def name(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The name or the file of a game."""
    return str(tutorial.write(tmp_path) if request.param == TUTORIAL else request.param)


# PettingZoo suppresses these three warnings for its own games, by name.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.parametrize("create", [env, raw_env])
def test_the_pettingzoo_api_test_passes(name: str, create: Callable[[str], AECEnv]) -> None:
    checks.api_test(create(name), num_cycles=1000 if name in BOOKS else 50)


def test_the_pettingzoo_seed_test_passes(name: str) -> None:
    checks.seed_test(partial(env, name), num_cycles=500 if name in BOOKS else 50)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_gymnasium_check_passes(name: str, seat: int) -> None:
    if name in BOOKS:
        environment = gymnasium.make(f"duelbook/{duelbook.load(name).__name__}-v0", seat=seat)
    else:
        environment = gymnasium.make(ANY_GAME, game=name, seat=seat)
    check_env(environment.unwrapped)


@pytest.mark.parametrize("first", [0, 1])
def test_the_openspiel_simulation_test_passes(name: str, first: int) -> None:
    game = duelbook.load(name)
    parameters = {"first": first, "limit": 100 if name in BOOKS else 150}
    if first and game.player_1_starts:
        with pytest.raises(DuelbookError, match="the rules say that Player 1 starts"):
            pyspiel.load_game(openspiel.register(game), parameters)
        return
    loaded = pyspiel.load_game(openspiel.register(game), parameters)
    pyspiel.random_sim_test(loaded, num_sims=5, serialize=True, verbose=False)
