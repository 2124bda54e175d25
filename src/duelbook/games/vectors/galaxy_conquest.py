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
FLEETS_MASK = PLANET_UNIT - 1

Codes = NDArray[np.int64]

_digits = np.arange(PLANETS)[:, None] // 3 ** np.arange(7) % 3
_conquests = np.stack([(_digits == 1).sum(1), (_digits == 2).sum(1)]).astype(np.int8)

# The free planets by planets, as a fleet is written; none once a player has won.
_free = (_digits == 0) @ (1 << np.arange(7)) * (_conquests.max(0) < PLANETS_TO_WIN)

# The legal actions by free planets and own fleet, one list after the other, and where each begins.
_subsets = (np.arange(FLEETS)[:, None] >> np.arange(7) & 1).astype(bool)
_legal = (_subsets.repeat(7, axis=1)[:, None] & np.tile(_subsets, 7)).reshape(-1, 49)
_actions = (np.flatnonzero(_legal) % 49).astype(np.uint8)
_counts = _legal.sum(1)
_begins = np.cumsum(_counts) - _counts

# What each seat's actions add to the code: minus the ship, and a conquest if it is strong enough.
_planet, _ship = np.divmod(np.arange(49), 7)  # of each action, from 0
_changes = np.concatenate(
    [
        np.where(_ship >= _planet, (1 + seat) * 3**_planet * PLANET_UNIT, 0)
        - 2**_ship * FLEET_UNIT[seat]
        for seat in (0, 1)
    ]
)

# Whether the number of spent ships is odd, by both fleets together.
_odd = np.array([fleets.bit_count() % 2 for fleets in range(FLEETS * FLEETS)], np.uint8)


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


def expand(codes: Codes, first: int) -> tuple[Codes, NDArray[np.uint8], Codes]:
    """Return how many moves each position has, and each move and the code after it."""
    mover = _odd[codes & FLEETS_MASK] ^ np.uint8(first)
    fleet = codes >> 7 * (1 - mover) & (FLEETS - 1)
    kind = _free[codes >> 14] * FLEETS + fleet
    counts = _counts[kind]
    ends = np.cumsum(counts)
    actions = _actions[np.repeat(_begins[kind] - ends + counts, counts) + np.arange(ends[-1])]
    changes = _changes[actions + np.repeat(mover * np.uint8(49), counts)]
    return counts, actions, np.repeat(codes, counts) + changes


def fields(codes: Codes, first: int) -> dict[str, NDArray[np.int8]]:
    """Return the fields of positions: -1 for None; a subset has 1 for each number in it."""
    both = np.stack([codes >> 7, codes], axis=1)[:, :, None] >> np.arange(7) & 1
    return {
        "to_move": _odd[codes % PLANET_UNIT] ^ np.int8(first),
        "planets": (_digits[codes >> 14] - 1).astype(np.int8),
        "ships": both.astype(np.int8),
    }


def outcome(
    codes: Codes, first: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]]:
    """Return the seat to move, the winner or -1, and whether only a ruling decides it."""
    fleets = codes & FLEETS_MASK
    mover = (_odd[fleets] ^ np.uint8(first)).astype(np.int8)
    ours, theirs = _conquests[0][codes >> 14], _conquests[1][codes >> 14]
    spent = fleets == 0
    leader = np.where(ours > theirs, 0, np.where(theirs > ours, 1, 1 - mover))
    won = np.maximum(ours, theirs) >= PLANETS_TO_WIN
    return mover, np.where(spent | won, leader, -1).astype(np.int8), spent & ~won
