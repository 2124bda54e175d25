"""Gym-style files for tests, from one pattern: correct, faulty and hostile files."""

from __future__ import annotations

PATTERN = '''
import {gym} as gym
from {gym} import spaces
import numpy as np
{top}

class {name}(gym.Env):
    """Add 1 or 2 to a total; the player who makes it {goal} wins."""

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Box(low=0, high=100, shape=(1,), dtype=np.int64)
        self.reset()

    def reset(self, seed=None, options=None):
        {reset}
        self.total = np.zeros(1, dtype=np.int64)
        self.current_player = 1
        self.done = False
        return self.total.copy(), {{}}

    def valid_moves(self):
        {valid}

    def step(self, action):
        {step}
        if action not in self.valid_moves():
            {invalid}
        self.total[0] += action + 1
        {added}
        if self.total[0] == {goal}:
            self.done = True
            return self.total.copy(), {prize}, True, False, {{}}
        {switch}
        return self.total.copy(), 0, False, False, {{}}

    def render(self):
        {render}
'''
USUAL = {
    "gym": "gymnasium",
    "top": "",
    "name": "RaceEnv",
    "goal": "7",
    "reset": "pass",
    "valid": "return [a for a in (0, 1) if self.total[0] + a + 1 <= {goal}]",
    "step": "pass",
    "invalid": "return self.total.copy(), -10, False, False, {}",
    "added": "pass",
    "prize": "1",
    "switch": "self.current_player = 3 - self.current_player",
    "render": 'return f"Total: {self.total[0]}"',
}


def race(**changes: str) -> str:
    """Return the text of a Gym-style file: a race to a total, with some lines changed."""
    parts = USUAL | changes
    parts["valid"] = parts["valid"].replace("{goal}", parts["goal"])
    return PATTERN.format(**parts)
