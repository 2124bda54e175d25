"""One game between two computer players."""

from __future__ import annotations

from random import Random

from duelbook.chance import draw
from duelbook.play.match import Match
from duelbook.players import Player
from duelbook.players.asking import ask
from duelbook.position import CHANCE, Position
from duelbook.secrecy import SeatRecord, keeps_secrets


def play_out(
    game: type[Position], players: tuple[Player, Player], random: Random, *, limit: int
) -> Match:
    """Play a game to its end or to a limit of plies; each player receives what its seat knows."""
    positions, moves = [game.start()], list[str]()
    secrets = keeps_secrets(game)
    records = [SeatRecord(seat, positions[0].view(seat)) for seat in (0, 1)]
    while len(moves) < limit and positions[-1].moves():
        position = positions[-1]
        seat = position.to_move
        move = (
            draw(position, random) if seat == CHANCE else ask(players[seat], records[seat], random)
        )
        moves.append(move)
        positions.append(position.play(move))
        if secrets:
            records = [record.after(position, move, positions[-1]) for record in records]
        else:
            records = [SeatRecord(seat, positions[-1]) for seat in (0, 1)]
    return Match(tuple(positions), tuple(moves))
