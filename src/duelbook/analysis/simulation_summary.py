"""A simulation as text: the wins and the lengths of the games."""

from __future__ import annotations

from math import sqrt

from duelbook.position import player
from duelbook.research.simulation import Simulation

ROWS, WIDTH = 12, 40


def as_text(simulation: Simulation, players: tuple[str, str]) -> str:
    """Return a table of wins and a histogram of game lengths."""
    size = f"{_count(simulation.games, 'game')}, {_count(simulation.plies, 'ply')}"
    title = f"{simulation.table.game.title}: {size}"
    return "\n".join([title, "", *_wins(simulation, players), "", *_lengths(simulation)])


def _wins(simulation: Simulation, players: tuple[str, str]) -> list[str]:
    names = [f"{player(seat)} ({players[seat]})" for seat in (0, 1)]
    counts = list(zip(names, simulation.wins, strict=True))
    if simulation.draws:
        counts.append(("drawn", simulation.draws))
    if simulation.unfinished:
        counts.append(
            (f"unfinished after {_count(len(simulation.ends), 'ply')}", simulation.unfinished)
        )
    wide = max(len(name) for name, _ in counts)
    lines = [f"{name:<{wide}}{n:>15,}{_share(n, simulation.games)}" for name, n in counts]
    if simulation.paid is not None:
        mean = f"{simulation.mean_payoffs[0]:>+15.4f} ± {simulation.payoff_error:.4f} a game"
        lines.append(f"{f'paid to {player(0)}':<{wide}}{mean}")
    return [*lines, f"{'':<{wide}}{'':>15}  (± one standard error)"]


def _count(number: int, thing: str) -> str:
    many = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{number:,} {thing if number == 1 else many}"


def _share(number: int, of: int) -> str:
    """Return a percentage with its standard error."""
    share = number / of
    return f"{100 * share:>9.3f} % ± {100 * sqrt(share * (1 - share) / of):.3f}"


def _lengths(simulation: Simulation) -> list[str]:
    lengths = simulation.lengths
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
        f"Plies: {simulation.mean_length:.2f} on average, {shortest} to {longest}",
        *(
            f"  {head:>{wide}}  {'#' * round(WIDTH * n / max(counts)):<{WIDTH}}  {n:,}"
            for head, n in zip(heads, counts, strict=True)
        ),
    ]
