"""One game between two computer players."""

from __future__ import annotations

from random import Random

from duelbook.chance import draw
from duelbook.play.match import Match
from duelbook.play.playthrough import Playthrough
from duelbook.players import MoveChooser, adapt
from duelbook.position import CHANCE, Position


def play_out(
    game: type[Position], players: tuple[MoveChooser, MoveChooser], random: Random, *, limit: int
) -> Match:
    """Play a game to its end or to a limit of plies; each player gets the record of its seat."""
    playthrough, both = Playthrough(game.start()), [adapt(player) for player in players]
    while len(playthrough.moves) < limit and playthrough.position.moves():
        seat = playthrough.position.to_move
        if seat == CHANCE:
            playthrough.play(draw(playthrough.position, random))
        else:
            record = playthrough.record(seat, remembers=both[seat].remembers)
            playthrough.play(both[seat].choose_from_record(record, random))
    return Match(tuple(playthrough.positions), tuple(playthrough.moves))
