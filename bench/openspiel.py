"""Random play inside OpenSpiel: our games beside tic-tac-toe, which OpenSpiel has in C++."""

from __future__ import annotations

import random
from time import perf_counter

import pyspiel

import duelbook
from duelbook.adapters.openspiel import register

SECONDS = 1.0  # of play at a time
TURNS = 5  # of which the fastest counts


def steps_per_second(spiel: pyspiel.Game) -> float:
    """Return how many random moves are made in a second."""
    rng, steps, start = random.Random(1), 0, perf_counter()
    while perf_counter() - start < SECONDS:
        state = spiel.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
    return steps / (perf_counter() - start)


def main() -> None:
    """Print a line a game."""
    names = ["tic_tac_toe", *(register(game) for game in duelbook.games())]
    games = {name: pyspiel.load_game(name) for name in names}
    speeds = dict.fromkeys(names, 0.0)
    for _ in range(TURNS):
        for name, spiel in games.items():
            speeds[name] = max(speeds[name], steps_per_second(spiel))
    print(f"{'random play in OpenSpiel':<30}{'steps/s':>10}{'ratio':>8}")
    for name, speed in speeds.items():
        print(f"{name:<30}{speed:>10,.0f}{speed / speeds['tic_tac_toe']:>8.2f}")


if __name__ == "__main__":
    main()
