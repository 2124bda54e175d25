"""Galaxy Conquest over arrays: a position is one number, and a move adds to it.

The number is made of the planets in base 3 (nobody's, Player 1's, Player 2's), both fleets in
base 2, and the seat to move.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duelbook.games.galaxy_conquest import PLANETS_TO_WIN, GalaxyConquest

PLANETS, FLEETS = 3**7, 2**7
UNITS = (1, 3, 9, 27, 81, 243, 729)
SIZE = PLANETS * FLEETS * FLEETS * 2
FLEET_UNIT = (FLEETS * 2, 2)  # what ship 1 of either seat is worth in the number
PLANET_UNIT = FLEETS * FLEETS * 2

_digits = np.arange(PLANETS)[:, None] // 3 ** np.arange(7) % 3
_conquests = np.stack([(_digits == 1).sum(1), (_digits == 2).sum(1)])
_planet, _ship = np.divmod(np.arange(49), 7)  # of each action, counted from 0

# Which of the 49 actions are open to a mover, by planets and own fleet.
_legal = (
    (_digits == 0)[:, None, :, None]
    & (np.arange(FLEETS)[:, None] >> np.arange(7) & 1).astype(bool)[None, :, None, :]
    & (_conquests.max(0) < PLANETS_TO_WIN)[:, None, None, None]
).reshape(PLANETS * FLEETS, 49)

# What each action adds to the number: a conquest where the ship is strong enough, less the ship.
_change = np.stack(
    [
        np.where(_ship >= _planet, (1 + seat) * 3**_planet * PLANET_UNIT, 0)
        - 2**_ship * FLEET_UNIT[seat]
        + (1 - 2 * seat)
        for seat in (0, 1)
    ]
).astype(np.int32)


def pack(position: GalaxyConquest) -> int:
    """Return the number of a position."""
    owners = [0 if owner is None else owner + 1 for owner in position.planets]
    planets = sum(UNITS[at] * owner for at, owner in enumerate(owners))
    fleets = [sum(1 << ship - 1 for ship in fleet) for fleet in position.ships]
    return ((planets * FLEETS + fleets[0]) * FLEETS + fleets[1]) * 2 + position.to_move


def unpack(code: int) -> GalaxyConquest:
    """Return the position of a number."""
    rest, to_move = divmod(int(code), 2)
    rest, second = divmod(rest, FLEETS)
    planets, first = divmod(rest, FLEETS)
    return GalaxyConquest(
        to_move=to_move,
        planets=tuple((None, 0, 1)[planets // 3**at % 3] for at in range(7)),
        ships=(_ships(first), _ships(second)),
    )


def _ships(fleet: int) -> tuple[int, ...]:
    return tuple(ship for ship in range(1, 8) if fleet >> ship - 1 & 1)


def expand(codes: NDArray[np.int32]) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """Return for each position and action whether it is legal, and where it leads."""
    mover = codes & 1
    fleet = np.where(mover == 0, codes >> 8, codes >> 1) & (FLEETS - 1)
    legal = _legal[(codes >> 15) * FLEETS + fleet]
    return legal, codes[:, None] + _change[mover]


def outcome(codes: NDArray[np.int32]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return the seat to move and the winner, or -1, of each position."""
    mover = (codes & 1).astype(np.int8)
    first, second = _conquests[:, codes >> 15]
    spent = codes & (PLANET_UNIT - 2) == 0
    leader = np.where(first > second, 0, np.where(second > first, 1, 1 - mover))
    done = spent | (first >= PLANETS_TO_WIN) | (second >= PLANETS_TO_WIN)
    return mover, np.where(done, leader, -1).astype(np.int8)
