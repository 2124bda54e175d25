"""The report of a tournament: one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from math import isnan, log10
from string import Template

from duelbook import __version__
from duelbook.arena.measures.confidence_intervals import Interval
from duelbook.arena.measures.mistakes import Mistake
from duelbook.arena.measures.player_measures import (
    ALL,
    FORFEIT_POLICIES,
    ForfeitPolicy,
    Measures,
    Tally,
)
from duelbook.arena.report.standings import HEAD, expenses_table, figure, percent, short
from duelbook.arena.run.runner import Plan
from duelbook.catalog.registry import find
from duelbook.position import count, player

CLASSES: dict[ForfeitPolicy, str] = {"forfeits as losses": "losses", "legal moves only": "legal"}
MAX_CURVES = 8
"""The maximum number of curves in a chart; each has a colour, --c0 to --c7."""
MIN_MOVES_PER_POINT = 20
"""The minimum number of moves for a point of a curve."""


def page(
    plan: Plan, measures: Measures, mistakes: Iterable[Mistake], prompt: str, title: str
) -> str:
    """Return the page."""
    curves = measures.players[-MAX_CURVES:]
    template = files("duelbook.arena.report").joinpath("report.html").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=escape(title),
        about=escape(_about(plan, measures)),
        verdict=escape(_verdict(plan, measures)),
        charts="".join(
            _in(forfeit_policy, _charts(plan, measures, forfeit_policy))
            for forfeit_policy in FORFEIT_POLICIES
        ),
        tables="".join(
            _in(forfeit_policy, _tables(measures, forfeit_policy))
            for forfeit_policy in FORFEIT_POLICIES
        ),
        crosstables="".join(_in(c, _crosstable(measures, c)) for c in FORFEIT_POLICIES),
        key=_key(curves),
        depths="".join(_depths(measures, slug, curves) for slug in measures.slugs),
        mistakes="".join(map(_mistake, mistakes))
        or "<p>No move that was played gave anything away.</p>",
        expenses=_plain_table(*expenses_table(measures)),
        asked=_asked(plan, prompt),
        version=escape(__version__),
        games=f"{measures.games:,}",
    )


def _in(forfeit_policy: ForfeitPolicy, content: str) -> str:
    return f"<div class={CLASSES[forfeit_policy]}>{content}</div>"


def _about(plan: Plan, measures: Measures) -> str:
    games = ", ".join(game.title for game in plan.games)
    openings = sum(len(book.openings) for book in plan.books)
    return (
        f"{count(len(measures.players), 'player')} met in {measures.games:,} games of {games}: "
        f"{count(openings, 'opening')}, each from both seats, "
        f"{count(plan.tournament.rounds, 'round')}, {plan.tournament.pairings}."
    )


def _verdict(plan: Plan, measures: Measures) -> str:
    """Return a sentence about the least regret of a player, between its nearest anchors."""
    rows = {row.player: row for row in measures.rows("forfeits as losses")}
    anchors = {entry.label for entry in plan.tournament.players if entry.is_anchor}
    entered = [name for name in measures.players if name not in anchors]
    first = (entered or measures.players)[0]
    sentence = f"{first} gave away the least: {figure(rows[first].regret, '{:.4f}')} a move"
    if not entered or not anchors & rows.keys():
        return f"{sentence}."
    at = measures.players.index(first)
    better = [name for name in measures.players[:at] if name in anchors][-1:]
    worse = [name for name in measures.players[at:] if name in anchors][:1]
    places = [f"{name} ({rows[name].regret.figure:.4f})" for name in better + worse]
    if len(places) == 2:
        return f"Of those who were entered, {sentence}, between {places[0]} and {places[1]}."
    side = "more than" if better else "less than"
    return f"Of those who were entered, {sentence}, {side} {places[0]}."


# Charts -----------------------------------------------------------------------------------------


def _charts(plan: Plan, measures: Measures, forfeit_policy: ForfeitPolicy) -> str:
    anchors = {item.label for item in plan.tournament.players if item.is_anchor}
    regrets = {row.player: row.regret for row in measures.rows(forfeit_policy)}
    rated = measures.ratings(forfeit_policy).players
    low_first = {name: regrets[name] for name in measures.players}
    high_first = dict(sorted(rated.items(), key=lambda item: -item[1].figure))
    return _dots(low_first, anchors, "Regret a move, with intervals of 95 %") + _dots(
        high_first, anchors, "Bradley-Terry ratings in Elo points, around a mean of 0"
    )


def _dots(figures: Mapping[str, Interval], anchors: set[str], caption: str) -> str:
    """Return a chart of figures with intervals, one line each; anchors have their own colour."""
    shown = {name: interval for name, interval in figures.items() if not isnan(interval.figure)}
    if not shown:
        return ""
    ends = [
        end
        for interval in shown.values()
        for end in (interval.low, interval.high, interval.figure)
        if not isnan(end)
    ]
    smallest, largest = min([0.0, *ends]), max([0.0, *ends])
    ticks = _ticks(smallest, largest)
    smallest, largest = min(smallest, ticks[0]), max(largest, ticks[-1], smallest + 1e-9)
    left, wide, step = 190, 560, 26
    high = step * len(shown)

    def x(value: float) -> float:
        return left + (value - smallest) / (largest - smallest) * (wide - left - 20)

    grid = "".join(
        f'<line class=grid x1="{x(t):.1f}" x2="{x(t):.1f}" y1=0 y2="{high}"/>'
        f'<text x="{x(t):.1f}" y="{high + 16}" text-anchor=middle>{t:g}</text>'
        for t in ticks
    )
    lines = ""
    for at, (name, interval) in enumerate(shown.items()):
        y = step * (at + 0.5)
        mark = " class=anchor" if name in anchors else ""
        span = (
            ""
            if isnan(interval.low)
            else (
                f'<line class=span x1="{x(interval.low):.1f}" x2="{x(interval.high):.1f}" y1="{y}" y2="{y}"/>'
            )
        )
        lines += (
            f'<g{mark} data-player="{escape(name)}"><title>{escape(name)}: {interval.figure:.4g} '
            f"[{interval.low:.4g}, {interval.high:.4g}]</title>"
            f'<text x="{left - 10}" y="{y + 4}" text-anchor=end>{escape(short(name, 26))}</text>{span}'
            f'<circle class=dot cx="{x(interval.figure):.1f}" cy="{y}" r=5 /></g>'
        )
    return (
        f"<figure><svg viewBox='0 0 {wide} {high + 24}' role=img aria-label='{escape(caption)}'>"
        f"{grid}{lines}</svg><figcaption>{escape(caption)}</figcaption></figure>"
    )


def _ticks(smallest: float, largest: float) -> list[float]:
    """Return about five round numbers that cover a range."""
    rough = max(largest - smallest, 1e-9) / 4
    size = 10.0 ** int(log10(rough) - (rough < 1))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    first = int(smallest / step) - (smallest < 0 and smallest % step > 0)
    ticks = [first * step]
    while ticks[-1] < largest:
        ticks.append(ticks[-1] + step)
    return [round(tick, 10) for tick in ticks]


def _key(names: Sequence[str]) -> str:
    """Return the legend: the colour of each player."""
    items = (
        f'<li data-player="{escape(name)}"><i style="background:var(--c{at})"></i>{escape(name)}</li>'
        for at, name in enumerate(names)
    )
    return f"<ul class=key>{''.join(items)}</ul>"


def _depths(measures: Measures, slug: str, names: Sequence[str]) -> str:
    """Return a chart of the regret of each player by the number of the move."""
    curves: dict[str, list[tuple[int, Tally]]] = {}
    for (name, game, ply), tally in sorted(measures.depths.items(), key=lambda item: item[0]):
        if game == slug:
            curves.setdefault(name, []).append((ply, tally))
    size = max(2, -(-max((ply for curve in curves.values() for ply, _ in curve), default=0) // 12))
    points = {name: _binned(curves.get(name, []), size) for name in names}
    title = escape(find(slug).title)
    if not any(points.values()):
        return f"<p>{title}: too few moves were played for a curve.</p>"
    last = max((ply for curve in points.values() for ply, _ in curve), default=0) + size // 2
    largest = max((value for curve in points.values() for _, value in curve), default=0.0)
    ticks = _ticks(0.0, largest or 1.0)
    wide, high = 560, 200

    def y(value: float) -> float:
        return high - value / ticks[-1] * (high - 12)

    grid = "".join(
        f'<line class=grid x1=52 x2="{wide - 10}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        f'<text x=46 y="{y(tick) + 4:.1f}" text-anchor=end>{tick:g}</text>'
        for tick in ticks
    )
    lines = ""
    for at, name in enumerate(names):
        places = [
            (f"{52 + ply / last * (wide - 62):.1f}", f"{y(value):.1f}")
            for ply, value in points[name]
        ]
        path = " ".join(f"{x},{y}" for x, y in places)
        dots = "".join(f'<circle class=point cx="{x}" cy="{y}" r=3 />' for x, y in places)
        lines += (
            f'<g data-player="{escape(name)}" style="color:var(--c{at})"><title>{escape(name)}</title>'
            f'<polyline class=path points="{path}"/>{dots}</g>'
        )
    return (
        f"<figure><svg viewBox='0 0 {wide} {high + 24}' role=img aria-label='Regret by depth in {title}'>"
        f'{grid}<text x=52 y="{high + 20}">move 1</text>'
        f'<text x="{wide - 10}" y="{high + 20}" text-anchor=end>move {last}</text>'
        f"{lines}</svg><figcaption>{title}: mean regret by the number of the move</figcaption></figure>"
    )


def _binned(curve: Sequence[tuple[int, Tally]], size: int) -> list[tuple[int, float]]:
    """Return the mean regret per bin of a few plies, for a smooth line with few games."""
    bins: dict[int, Tally] = {}
    for ply, tally in curve:
        bins.setdefault(ply // size, Tally()).add(tally)
    shown = [(at, tally) for at, tally in bins.items() if tally.moves >= MIN_MOVES_PER_POINT]
    return [(at * size + size // 2, tally.regret / tally.moves) for at, tally in shown]


# Tables -----------------------------------------------------------------------------------------


def _tables(measures: Measures, forfeit_policy: ForfeitPolicy) -> str:
    slugs = [ALL, *(measures.slugs if len(measures.slugs) > 1 else [])]
    return "".join(_table(measures, forfeit_policy, slug) for slug in slugs)


def _table(measures: Measures, forfeit_policy: ForfeitPolicy, slug: str) -> str:
    rated = measures.ratings(forfeit_policy).players if slug == ALL else {}
    rows = sorted(
        measures.rows(forfeit_policy, slug), key=lambda row: (row.regret.figure, row.player)
    )
    body = ""
    for row in rows:
        cells = [_cell(row.player, row.player), _cell(f"{row.games:,}", row.games)]
        cells.append(_interval(row.regret, figure(row.regret, "{:.4f}")))
        cells += [
            _interval(interval, percent(interval))
            for interval in (row.best, row.right, row.wins_kept, row.losses_saved, row.score)
        ]
        if rated:
            rating = rated.get(row.player)
            cells.append(_interval(rating, figure(rating, "{:.0f}")) if rating else _cell("-", ""))
        body += f'<tr data-player="{escape(row.player)}">{"".join(cells)}</tr>'
    heads = "".join(
        f"<th><button>{title}</button></th>" for title in (HEAD if rated else HEAD[:-1])
    )
    title = "All games" if slug == ALL else find(slug).title
    return (
        f"<h3>{escape(title)}</h3><div class=scroll><table class=sorts><thead><tr>{heads}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(text: str, key: object) -> str:
    return f'<td data-key="{escape(str(key))}">{escape(text)}</td>'


def _interval(interval: Interval, text: str) -> str:
    main, _, rest = text.partition(" [")
    small = f" <small>[{escape(rest)}</small>" if rest else ""
    key = "" if isnan(interval.figure) else interval.figure
    return f'<td data-key="{key}">{escape(main)}{small}</td>'


def _crosstable(measures: Measures, forfeit_policy: ForfeitPolicy) -> str:
    sums: dict[tuple[str, str], list[float]] = {}
    for result in measures.results[forfeit_policy]:
        first, second = result.players
        scores = {(first, second): result.score, (second, first): 1 - result.score}
        for pairing, score in scores.items():
            cell = sums.setdefault(pairing, [0.0, 0.0])
            cell[0] += score
            cell[1] += 1
    names = measures.players
    head = "".join(f"<th>{escape(short(name, 26))}</th>" for name in names)
    body = ""
    for row in names:
        cells = ""
        for column in names:
            points, games = sums.get((row, column), (0.0, 0.0))
            share = f"{100 * points / games:.0f} %" if games else ""
            title = f"{points:g} of {games:g}" if games else ""
            met = f' class=met style="--share:{100 * points / games:.0f}%"' if games else ""
            cells += f'<td{met} title="{title}">{share}</td>'
        body += f'<tr data-player="{escape(row)}"><th scope=row>{escape(row)}</th>{cells}</tr>'
    return f"<div class=scroll><table class=cross><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _plain_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f"<th><button>{escape(title)}</button></th>" for title in head)
    body = "".join(
        f'<tr data-player="{escape(row[0])}">{"".join(f"<td>{escape(cell)}</td>" for cell in row)}</tr>'
        for row in rows
    )
    return f"<table class=sorts><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


# Words ------------------------------------------------------------------------------------------


def _mistake(mistake: Mistake) -> str:
    few = [
        *mistake.best[:3],
        *([count(len(mistake.best) - 3, "other")] if len(mistake.best) > 3 else []),
    ]
    best = " or ".join(filter(None, [", ".join(few[:-1]), few[-1]]))
    reply = (
        f"<details><summary>What it said</summary><pre>{escape(mistake.said)}</pre></details>"
        if mistake.said
        else ""
    )
    return (
        f'<section class=mistake data-player="{escape(mistake.player)}"><p><b>{escape(mistake.player)}</b>, '
        f"{escape(player(mistake.seat))} against {escape(mistake.opponent)} in {escape(mistake.title)}, move {mistake.number}: "
        f"<b>{escape(mistake.move)}</b> gave away {mistake.regret:.3g}; best: {escape(best)}.</p>"
        f"<pre>{escape(mistake.board)}</pre>{reply}</section>"
    )


def _asked(plan: Plan, prompt: str) -> str:
    text = f"<h3>The tournament</h3><pre>{escape(plan.text)}</pre>"
    return text + (f"<h3>The prompt</h3><pre>{escape(prompt)}</pre>" if prompt else "")
