"""Galaxy Conquest over arrays: a position is one number, the code, and a move adds to it.

The code consists of the planets in base 3 (free, Player 1's, Player 2's) and both fleets in base 2.
The seat to move follows from the first seat and the number of spent ships.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duelbook.games.galaxy_conquest import PLANETS_TO_WIN, GalaxyConquest

PLANETS, FLEETS = 3**7, 2**7
UNITS = (1, 3, 9, 27, 81, 243, 729)
SIZE = PLANETS * FLEETS * FLEETS
FLEET_UNIT = (FLEETS, 1)  # the weight of each seat's ship 1 in the code
PLANET_UNIT = FLEETS * FLEETS

_digits = np.arange(PLANETS)[:, None] // 3 ** np.arange(7) % 3
_conquests = np.stack([(_digits == 1).sum(1), (_digits == 2).sum(1)])
_planet, _ship = np.divmod(np.arange(49), 7)  # of each action, from 0

# The legal actions out of 49, by planets and own fleet.
_legal = (
    (_digits == 0)[:, None, :, None]
    & (np.arange(FLEETS)[:, None] >> np.arange(7) & 1).astype(bool)[None, :, None, :]
    & (_conquests.max(0) < PLANETS_TO_WIN)[:, None, None, None]
).reshape(PLANETS * FLEETS, 49)

# What each action adds to the code: the conquest, if the ship is strong enough, minus the ship.
_change = np.stack(
    [
        np.where(_ship >= _planet, (1 + seat) * 3**_planet * PLANET_UNIT, 0)
        - 2**_ship * FLEET_UNIT[seat]
        for seat in (0, 1)
    ]
).astype(np.int32)


# Whether the number of spent ships is odd, by both fleets together.
_odd = np.array([fleets.bit_count() % 2 for fleets in range(FLEETS * FLEETS)], np.int8)


def pack(position: GalaxyConquest) -> int:
    """Return the code of a position."""
    owners = [0 if owner is None else owner + 1 for owner in position.planets]
    planets = sum(UNITS[at] * owner for at, owner in enumerate(owners))
    fleets = [sum(1 << ship - 1 for ship in fleet) for fleet in position.ships]
    return (planets * FLEETS + fleets[0]) * FLEETS + fleets[1]


def unpack(code: int, first: int) -> GalaxyConquest:
    """Return the position with a code, given the first seat."""
    rest, second_fleet = divmod(int(code), FLEETS)
    planets, first_fleet = divmod(rest, FLEETS)
    return GalaxyConquest(
        to_move=first ^ int(_odd[code % PLANET_UNIT]),
        planets=tuple((None, 0, 1)[planets // unit % 3] for unit in UNITS),
        ships=(_ships(first_fleet), _ships(second_fleet)),
    )


def _ships(fleet: int) -> tuple[int, ...]:
    return tuple(ship for ship in range(1, 8) if fleet >> ship - 1 & 1)


def expand(codes: NDArray[np.int32], first: int) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """Return for each position and action whether it is legal, and the code after it."""
    mover = _odd[codes % PLANET_UNIT] ^ first
    fleet = np.where(mover == 0, codes >> 7, codes) & (FLEETS - 1)
    legal = _legal[(codes >> 14) * FLEETS + fleet]
    return legal, codes[:, None] + _change[mover]


def fields(codes: NDArray[np.int32], first: int) -> dict[str, NDArray[np.int8]]:
    """Return the fields of positions: -1 for None; a subset has 1 for each number in it."""
    both = np.stack([codes >> 7, codes], axis=1)[:, :, None] >> np.arange(7) & 1
    return {
        "to_move": _odd[codes % PLANET_UNIT] ^ np.int8(first),
        "planets": (_digits[codes >> 14] - 1).astype(np.int8),
        "ships": both.astype(np.int8),
    }


def outcome(
    codes: NDArray[np.int32], first: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]]:
    """Return the seat to move, the winner or -1, and whether only a ruling decides it."""
    mover = _odd[codes % PLANET_UNIT] ^ np.int8(first)
    ours, theirs = _conquests[:, codes >> 14]
    spent = codes % PLANET_UNIT == 0
    leader = np.where(ours > theirs, 0, np.where(theirs > ours, 1, 1 - mover))
    won = (ours >= PLANETS_TO_WIN) | (theirs >= PLANETS_TO_WIN)
    return mover, np.where(spent | won, leader, -1).astype(np.int8), spent & ~won
