"""A simulation as text: who won, and how long the games lasted."""

from __future__ import annotations

from math import sqrt

from duelbook.position import player
from duelbook.research.simulation import Simulation

ROWS, WIDTH = 12, 40


def in_words(found: Simulation, players: tuple[str, str]) -> str:
    """Return a table of wins and a histogram of game lengths."""
    title = f"{found.table.game.title}: {_count(found.games, 'game')}, {_count(found.plies, 'ply')}"
    return "\n".join([title, "", *_wins(found, players), "", *_lengths(found)])


def _wins(found: Simulation, players: tuple[str, str]) -> list[str]:
    names = [f"{player(seat)} ({players[seat]})" for seat in (0, 1)]
    counts = list(zip(names, found.wins, strict=True))
    if found.draws:
        counts.append(("drawn", found.draws))
    if found.unfinished:
        counts.append((f"unfinished after {_count(len(found.ends), 'ply')}", found.unfinished))
    wide = max(len(name) for name, _ in counts)
    lines = [f"{name:<{wide}}{n:>15,}{_share(n, found.games)}" for name, n in counts]
    if found.paid is not None:
        mean = f"{found.mean_payoffs[0]:>+15.4f} ± {found.payoff_error:.4f} a game"
        lines.append(f"{f'paid to {player(0)}':<{wide}}{mean}")
    return [*lines, f"{'':<{wide}}{'':>15}  (± one standard error)"]


def _count(number: int, thing: str) -> str:
    many = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{number:,} {thing if number == 1 else many}"


def _share(number: int, of: int) -> str:
    """Return a percentage with its standard error."""
    share = number / of
    return f"{100 * share:>9.3f} % ± {100 * sqrt(share * (1 - share) / of):.3f}"


def _lengths(found: Simulation) -> list[str]:
    lengths = found.lengths
    if not lengths.any():
        return ["No game ended."]
    shortest, longest = int(lengths.nonzero()[0][0]), len(lengths) - 1
    step = -(-(longest - shortest + 1) // ROWS)
    begins = range(shortest, longest + 1, step)
    counts = [int(lengths[begin : begin + step].sum()) for begin in begins]
    lasts = [min(begin + step - 1, longest) for begin in begins]
    pairs = zip(begins, lasts, strict=True)
    heads = [f"{begin}" if begin == last else f"{begin}-{last}" for begin, last in pairs]
    wide = max(len(head) for head in heads)
    return [
        f"Plies: {found.mean_length:.2f} on average, {shortest} to {longest}",
        *(
            f"  {head:>{wide}}  {'#' * round(WIDTH * n / max(counts)):<{WIDTH}}  {n:,}"
            for head, n in zip(heads, counts, strict=True)
        ),
    ]
