"""Let a computer player play a game on a server, and print each event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from duelbook.play.match import DRAWN_BY, LOST_BY
from duelbook.play.names import MAX_NAME_LENGTH, named
from duelbook.play.similar_names import alike
from duelbook.players.external.opponents import check, opponent, short_name
from duelbook.players.failures import Failure, ProviderError
from duelbook.position import Position, count, player
from duelbook.web import protocol as p
from duelbook.web.client.fairness import fairness
from duelbook.web.client.game_client import ClaimResult, GameClient
from duelbook.web.client.seats import take_seat

Say = Callable[[str], None]


def join(  # noqa: PLR0913 # one argument per option
    url: str,
    who: str,
    say: Say,
    *,
    name: str = "",
    seed: int | None = None,
    rematches: bool = False,
    claim: ClaimResult | None = None,
) -> None:
    """Play a game to its end from its open seat, or from the seat that this machine took before.

    If the opponent leaves, the player claims the result `claim`; without `claim`, it waits.
    """
    plays, random = opponent(who), Random(seed)
    game = _seated(url, name, who)
    try:
        while True:
            with game:
                known = None
                for snapshot in game.playing(plays, random, claim=claim):
                    for line in news(known, snapshot):
                        say(line)
                    known = snapshot
                if verdict := fairness(game.snapshot, game.commitment):
                    say(f"\n{verdict}")
                if not rematches:
                    return
                say("\nWaiting for a rematch.\n")
                following = game.rematch()
            game = following
    except KeyboardInterrupt:
        say("\nThe seat is still yours: the same command resumes it.")
        raise
    except (Failure, ProviderError):
        say("\nThe seat is still yours: the same command resumes it, also with another --player.")
        raise
    finally:
        plays.close()


def _seated(url: str, name: str, who: str) -> GameClient:
    """Take the seat; refuse a player that cannot play the game."""

    def arrive(snapshot: p.Snapshot, game_class: type[Position]) -> str:
        check(who, game_class)
        short = short_name(who)
        if not name and all(not alike(chair.name, short) for chair in snapshot.status.chairs):
            return short[:MAX_NAME_LENGTH]
        return name

    return take_seat(url, arrive, help=True)


# Texts -----------------------------------------------------------------------------------------


def news(before: p.Snapshot | None, now: p.Snapshot) -> Iterator[str]:
    """Yield texts about the changes since a snapshot, with names, without control characters."""
    names = now.status.chairs[0].name, now.status.chairs[1].name
    for line in _opening(now) if before is None else _since(before, now):
        yield _clean(named(line, names))
    ended = before is None or before.status.result is None
    if now.status.result and ended:
        yield from (_clean(named(line, names)) for line in _ending(now.status.result))


def _opening(now: p.Snapshot) -> Iterator[str]:
    yield f"{now.title}: {player(0)} against {player(1)}."
    if now.moves:
        yield f"\nAfter {count(len(now.moves), 'move')}:\n{now.view.board}"
    else:
        yield f"\n{now.welcome}"


def _since(before: p.Snapshot, now: p.Snapshot) -> Iterator[str]:
    chairs = zip(before.status.chairs, now.status.chairs, strict=True)
    for seat, (old, new) in enumerate(chairs):
        if old.kind == "open" and new.kind != "open":
            yield f"{player(seat)} sits down."
    same = [old == new for old, new in zip(before.told, now.told, strict=False)]
    unchanged = same.index(False) if False in same else len(same)
    if taken := before.moves[unchanged:]:
        yield f"\nTaken back: {', '.join(taken)}."
    for at in range(unchanged, len(now.moves)):
        yield f"\n{at + 1}. {player(now.movers[at])}: {now.moves[at]}"
        if text := now.told[at].strip("\n"):
            yield text


def _ending(result: p.Result) -> Iterator[str]:
    if result.winner is None and result.by in DRAWN_BY:
        yield f"\n{DRAWN_BY[result.by]}"
    elif result.winner is None:
        yield "\nThe game is over: it is a draw."
    elif result.by in LOST_BY:
        yield f"\n{player(1 - result.winner)} {LOST_BY[result.by]}.\n{player(result.winner)} wins!"
    else:
        score = f" {result.payoffs[result.winner]:g}" if result.payoffs else ""
        yield f"\nThe game is over: {player(result.winner)} has won{score}."


def _clean(text: str) -> str:
    """Return a text from the server without control characters."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
