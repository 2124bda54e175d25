"""Random play in Duelbook and in other libraries: rates and ratios, alternately in one run.

The benchmark needs a separate environment with JAX, Pgx and PettingZoo's classic games.
"""

from __future__ import annotations

import ctypes
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.classic import tictactoe_v3

import duelbook
from duelbook import Position, VectorEnv, simulate
from duelbook.adapters.openspiel import register
from duelbook.adapters.pettingzoo import env as duelbook_env
from duelbook.position import PLY_LIMIT
from duelbook.research.expectation import expectation
from duelbook.research.kernels.compiled_playouts import PackedSampler
from duelbook.research.playouts import NARROW, MoveSampler
from duelbook.research.policies import Policy, Shares, joint_policy
from duelbook.research.simulation import BLOCK, cores
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.tables.position_table import Table

TURNS = 5  # runs of each measurement; the fastest counts
BATCHES = (1, 1_000, 100_000)
GAMES, C_BLOCKS = 20_000_000, 100
EVEN, UNEVEN = ("random", "random"), ("random", "perfect:0.5")
Run = Callable[[], float]
"""A function that plays for a while and returns the number of steps."""


def main() -> None:
    """Print one line for each pair."""
    slugs = ("tower-defense-duel", "token-tactics", "galaxy-conquest")
    tower, token, galaxy = games = [duelbook.load(slug) for slug in slugs]
    tables = {game: enumerate_game(game) for game in games}
    bulk = simulation(tables[tower], GAMES)
    print(f"{'steps per second':<62}{'ours':>15}{'theirs':>15}{'ratio':>10}  goal")
    if which("gcc"):
        with TemporaryDirectory() as folder:
            library = compiled(Path(folder))
            compare_with_c(library, "bulk simulation", tables[tower], EVEN, 0.7)
            for game in (tower, token):
                compare_with_c(library, f"uneven, {game.title}", tables[game], UNEVEN, 0.5)
            compare_with_c(library, f"bulk, {galaxy.title}", tables[galaxy], EVEN, 0.5)
    else:
        print("gcc is missing, so there is no comparison with a C loop.")
    for batch in BATCHES:
        goal = 300 if batch == BATCHES[-1] else None
        compare(f"bulk simulation: Pgx, {batch:,} at once", bulk, pgx(batch), goal)
    compare("bulk simulation: Pgx, 100,000, a loop compiled as one", bulk, pgx(100_000, whole=True))
    compare("bulk simulation: the rules in Python", bulk, plain(tower))
    compare(
        "bulk simulation, Galaxy Conquest: the rules in Python",
        simulation(tables[galaxy], GAMES),
        plain(galaxy),
        100,
    )
    for batch in BATCHES:
        goal = {1_000: 10, 100_000: 20}.get(batch)
        many = vectors(tables[tower], batch)
        compare(f"VectorEnv: Pgx, {batch:,} at once", many, pgx(batch), goal)
    compare(
        "VectorEnv, Galaxy Conquest: Pgx, 100,000 at once",
        vectors(tables[galaxy], BATCHES[-1]),
        pgx(BATCHES[-1]),
    )
    compare(
        "through PettingZoo: its tictactoe",
        petting(lambda: duelbook_env(tower)),
        petting(tictactoe_v3.env),
        2,
    )
    tictactoe = spiel(pyspiel.load_game("tic_tac_toe"))
    compare("the rules in Python: OpenSpiel's tic_tac_toe (C++)", plain(tower), tictactoe)
    in_spiel = spiel(pyspiel.load_game(register(tower)))
    compare("through OpenSpiel: its tic_tac_toe (C++)", in_spiel, tictactoe)


def compare(what: str, ours: Run, theirs: Run, goal: float | None = None) -> None:
    """Run both alternately, and print the best rate of each."""
    ours(), theirs()  # compile before the measurement
    best = [0.0, 0.0]
    for _ in range(TURNS):
        for which_one, run in enumerate((ours, theirs)):
            begin = perf_counter()
            steps = run()
            best[which_one] = max(best[which_one], steps / (perf_counter() - begin))
    wanted = "" if goal is None else f"  {goal}"
    print(f"{what:<62}{best[0]:>15,.0f}{best[1]:>15,.0f}{best[0] / best[1]:>10.2f}{wanted}")
    sys.stdout.flush()


def compare_with_c(
    library: ctypes.CDLL, what: str, table: Table, players: tuple[str, str], goal: float
) -> None:
    """Compare a simulation, including its preparation, with the C loops over a prepared table."""
    policy = joint_policy(table, players)  # the measurement excludes the search for perfect play
    given: tuple[Policy, Policy] = EVEN if players == EVEN else (policy, policy)
    for name in ("one_by_one", "all_at_once"):
        peer = c_loop(library, name, table, policy)
        compare(
            f"{what}: a C loop, {name.replace('_', ' ')}",
            simulation(table, GAMES, given),
            peer,
            goal,
        )


# Ours -------------------------------------------------------------------------------------------


def simulation(table: Table, games: int, players: tuple[Policy, Policy] = EVEN) -> Run:
    """Return a simulation of many games, on all threads."""
    return lambda: simulate(table, games=games, players=players).plies


def vectors(table: Table, batch: int) -> Run:
    """Return a VectorEnv that takes random legal actions."""
    env, rng = VectorEnv(table, batch), np.random.default_rng(1)
    steps = max(20, min(20_000, 5_000_000 // batch))

    def run() -> float:
        for _ in range(steps):
            env.step(env.sample(rng))
        return steps * batch

    return run


def plain(game: type[Position]) -> Run:
    """Return random play with the rules alone."""

    def run() -> float:
        rng, steps, start = random.Random(1), 0, perf_counter()
        while perf_counter() - start < 1:
            position = game()
            while moves := position.moves():
                position = position.apply(rng.choice(moves))
                steps += 1
        return steps

    return run


# Others -----------------------------------------------------------------------------------------


def compiled(folder: Path) -> ctypes.CDLL:
    """Compile the C loops for this machine."""
    source, library = Path(__file__).with_name("playout.c"), folder / "playout.so"
    gcc = str(which("gcc"))
    options = ["-O3", "-march=native", "-shared", "-fPIC", f"-DNARROW={NARROW}"]
    subprocess.run([gcc, *options, str(source), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def c_loop(library: ctypes.CDLL, name: str, table: Table, policy: Shares) -> Run:
    """Return the C loop, with the block size and the threads of our simulation."""
    words = PackedSampler.of(MoveSampler.of(table, policy))
    aliases = words.aliases.ctypes.data if len(words.aliases) else None
    playout = getattr(library, name)
    playout.restype = ctypes.c_uint64

    def block(number: int, ends: NDArray[np.int64] | None = None) -> int:
        room = np.empty(BLOCK, np.uint32)
        ends = np.zeros((PLY_LIMIT, 2), np.int64) if ends is None else ends
        steps: int = playout(
            ctypes.c_uint32(int(words.start)),
            ctypes.c_void_p(words.after.ctypes.data),
            ctypes.c_void_p(aliases),
            ctypes.c_int64(BLOCK),
            ctypes.c_int64(PLY_LIMIT),
            ctypes.c_uint64(1_000_003 * number),
            ctypes.c_void_p(room.ctypes.data),
            ctypes.c_void_p(ends.ctypes.data),
        )
        return steps

    ends = np.zeros((PLY_LIMIT, 2), np.int64)
    block(0, ends)
    share = ends[:, 0].sum() / BLOCK
    expected = expectation(table, policy).wins[0, 0]
    if ends.sum() != BLOCK or abs(share - expected) > 0.01:
        raise SystemExit(f"The C loop plays a different game: {share:.3f} won, not {expected:.3f}.")

    def run() -> float:
        with ThreadPoolExecutor(cores()) as pool:
            return sum(pool.map(block, range(C_BLOCKS)))

    return run


def pgx(batch: int, *, whole: bool = False) -> Run:
    """Return Pgx's tic-tac-toe, step by step or as one compiled loop."""
    import jax
    import jax.numpy as jnp
    import pgx as pgx_games
    from pgx.experimental import auto_reset

    env = pgx_games.make("tic_tac_toe")
    step = jax.vmap(auto_reset(env.step, env.init))
    length = max(20, min(20_000, 1_000_000 // batch))

    def one(carry: Any, _: None) -> tuple[Any, None]:  # noqa: ANN401 # JAX's types
        state, key = carry
        key, choose, begin = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choose, logits, axis=-1)
        return (step(state, actions, jax.random.split(begin, batch)), key), None

    loop = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length)[0])
    step_once = jax.jit(lambda carry: one(carry, None)[0])
    keys = jax.random.split(jax.random.PRNGKey(1), batch)
    start = (jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(2))

    def run() -> float:
        if whole:
            jax.block_until_ready(loop(start))
            return length * batch
        carry, steps = start, max(20, length // 10)
        for _ in range(steps):
            carry = step_once(carry)
        jax.block_until_ready(carry)
        return steps * batch

    return run


def petting(make: Callable[[], AECEnv]) -> Run:
    """Return play through PettingZoo, as in its documentation."""
    env = make()

    def run() -> float:
        steps, start = 0, perf_counter()
        while perf_counter() - start < 1:
            env.reset()
            for agent in env.agent_iter():
                look, _, terminated, truncated, _ = env.last()
                over = terminated or truncated
                env.step(None if over else env.action_space(agent).sample(look["action_mask"]))
                steps += not over
        return steps

    return run


def spiel(game: pyspiel.Game) -> Run:
    """Return play through OpenSpiel from Python."""

    def run() -> float:
        rng, steps, start = random.Random(1), 0, perf_counter()
        while perf_counter() - start < 1:
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
        return steps

    return run


if __name__ == "__main__":
    main()
