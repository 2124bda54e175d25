"""Train MaskablePPO to beat perfect play, and evaluate its policy exactly.

    pip install sb3-contrib     # sb3-contrib and PyTorch, which are large
    python examples/maskable_ppo.py [PICTURE]

The player who moves first wins Island Conquest, so the learner moves first, against `perfect`: one
mistake loses the game. At regular intervals the program asks the network for its probabilities in
all positions of the game, and `duelbook.evaluate` computes the value of this policy against perfect
play and against a best response.
"""

from __future__ import annotations

import sys

import gymnasium
import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

import duelbook
import duelbook.adapters.gymnasium
from duelbook.encoding.observations import TableObserver
from duelbook.research.evaluation_results import PolicyEvaluation
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.tables.position_table import Table

try:
    from sb3_contrib import MaskablePPO
except ModuleNotFoundError:
    sys.exit("This example needs sb3-contrib and PyTorch: pip install sb3-contrib")

GAME = "island-conquest"
ROUNDS, STEPS = 16, 1024
LEARNER = 0


def policy_of(model: MaskablePPO, table: Table) -> NDArray[np.float32]:
    """Return the network's probabilities, positions by actions."""
    import torch

    all_positions = np.arange(len(table), dtype=np.int32)
    observations = torch.as_tensor(TableObserver(table)(all_positions, table.mover))
    masks = np.zeros((len(table), len(table.game.ACTIONS)), np.bool_)
    masks[table.sources, table.actions] = True
    masks[np.diff(table.rows) == 0] = True  # terminal positions have no legal action
    with torch.no_grad():
        actions = model.policy.get_distribution(observations, action_masks=masks)
    probabilities: NDArray[np.float32] = actions.distribution.probs.numpy()
    return probabilities


def main(picture: str = "maskable_ppo.png") -> None:
    """Learn, evaluate and plot."""
    env = gymnasium.make("duelbook/IslandConquest-v0", opponent="perfect", seat=LEARNER)
    table = enumerate_game(duelbook.load(GAME))
    model = MaskablePPO("MlpPolicy", env, n_steps=STEPS, learning_rate=1e-3, seed=1, device="cpu")
    steps, evaluations = [0], [duelbook.evaluate(table, policy_of(model, table), against="perfect")]
    for _ in range(ROUNDS):
        model.learn(STEPS, reset_num_timesteps=False)
        steps.append(model.num_timesteps)
        evaluations.append(duelbook.evaluate(table, policy_of(model, table), against="perfect"))
        value = evaluations[-1].values[LEARNER]
        print(f"{steps[-1]:>7,} steps: value {value:+.3f} against perfect play")
    draw(picture, steps, evaluations)


def draw(picture: str, steps: list[int], evaluations: list[PolicyEvaluation]) -> None:
    """Plot the progress of the network."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(steps, [each.values[LEARNER] for each in evaluations], label="against perfect play")
    axes.plot(
        steps, [each.worst_case[LEARNER] for each in evaluations], label="against the best response"
    )
    axes.set(
        title=f"{duelbook.load(GAME).title}: MaskablePPO as Player {LEARNER + 1}",
        xlabel="steps",
        ylabel="value: wins minus losses",
        ylim=(-1.05, 1.05),
    )
    axes.legend(loc="lower right")
    figure.savefig(picture, dpi=120)
    print(f"Wrote {picture}")


if __name__ == "__main__":
    main(*sys.argv[1:])
