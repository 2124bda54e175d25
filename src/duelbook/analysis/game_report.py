"""A report on a game: one self-contained HTML page with pictures."""

from __future__ import annotations

from collections import Counter
from html import escape
from importlib.resources import files
from itertools import groupby
from random import Random
from string import Template

from duelbook.analysis.claims import Finding, Proof, witness
from duelbook.analysis.heat_maps import HeatMap, heat_maps
from duelbook.analysis.strength import MAX_PLIES, Score
from duelbook.analysis.verdict import after_chance, openings, verdict
from duelbook.play.match import Match
from duelbook.players.play_out import play_out
from duelbook.players.simple_players import RandomPlayer
from duelbook.position import CHANCE, Position, count, player
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution
from duelbook.solver.oracle import TOP

RANDOM_GAMES = 2000


def page(proof: Proof, scores: list[Score]) -> str:
    """Return the page."""
    game, start = proof.game, proof.table.positions[0]
    maps = "".join(_map(heat_map) for heat_map in heat_maps(proof.solution))
    template = files("duelbook.analysis").joinpath("game_report.html").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=escape(game.title),
        about=escape(" ".join((game.__doc__ or "").split())),
        verdict=escape(verdict(proof.solution, start)),
        claims="".join(_finding(game, finding) for finding in proof.findings),
        metrics=_rows(proof.metrics),
        readings=_readings(proof),
        openings=_openings(proof, start),
        maps=maps or "<p>No field of this game holds a number for each player.</p>",
        lengths=_lengths(game),
        distances=_distances(proof),
        levels=_levels(scores),
    )


def _rows(pairs: dict[str, str]) -> str:
    return "".join(
        f"<tr><th scope=row>{escape(name)}</th><td>{escape(value)}</td></tr>"
        for name, value in pairs.items()
    )


def _finding(game: type[Position], finding: Finding) -> str:
    state = "holds" if finding.holds else "refuted"
    shown = ""
    if finding.witness is not None:
        match = witness(game, finding)
        shown = f"<details><summary>Step through an example game</summary>{_game(match)}</details>"
    return (
        f'<section class="claim {state}"><h3><span class=mark>{state}</span> '
        f"{escape(finding.claim.number)}: {escape(finding.claim.text)}</h3>"
        f"<p>{escape(finding.reason[:1].upper() + finding.reason[1:])}.</p>{shown}</section>"
    )


def _game(match: Match) -> str:
    """Return a game as a list of moves and positions."""
    steps = [f"<li><pre>{escape(match.positions[0].board())}</pre></li>"]
    for before, move, after in zip(match.positions, match.moves, match.positions[1:], strict=False):
        turn = escape(f"{player(before.to_move)}: {move}")
        steps.append(f"<li><b>{turn}</b><pre>{escape(after.board())}</pre></li>")
    return f"<ol start=0 class=steps>{''.join(steps)}</ol>"


def _readings(proof: Proof) -> str:
    if not proof.readings:
        return "<p>No ruling decides the result of this game.</p>"
    return f"<table>{_rows(proof.readings)}</table>"


def _openings(proof: Proof, start: Position) -> str:
    """Return the first moves, grouped by result; after a deal, by the view of the player."""
    if start.to_move == CHANCE:
        text = dict(after_chance(proof.solution, start))
        return f"<table class=wide><tr><th>seen</th><th>best play</th></tr>{_rows(text)}</table>"
    listed = openings(proof.solution, start)
    body = ""
    for (best, text, score), group in groupby(listed, key=lambda o: (o.best, o.text, o.score)):
        moves = "".join(f"<li>{escape(opening.move)}</li>" for opening in group)
        label = f"{text} (best)" if best else text
        body += f'<tr class="{_class(score)}"><th scope=row>{label}</th>'
        body += f"<td><ul class=moves>{moves}</ul></td></tr>"
    return f"<table class=wide><tr><th>result</th><th>first moves</th></tr>{body}</table>"


def _class(score: float) -> str:
    return "win" if score > 0 else "loss" if score < 0 else "equal"


def _map(heat_map: HeatMap) -> str:
    columns = sorted({cell[0] for cell in heat_map.cells})
    rows = sorted({cell[1] for cell in heat_map.cells})
    size, margin = (22 if len(columns) > 8 else 40), 30
    width, height = margin + size * len(columns) + 8, 20 + size * len(rows)
    squares = "".join(
        f'<rect x="{margin + size * columns.index(a)}" y="{size * (len(rows) - 1 - rows.index(b))}" '
        f'width="{size - 1}" height="{size - 1}" fill="{_colour(value)}"><title>'
        f"{heat_map.name} {a} against {b}: {_share(value)} (of {count(positions, 'position')})</title></rect>"
        for (a, b), (value, positions) in heat_map.cells.items()
    )
    below, beside = size * len(rows), size / 2 + 5
    labels = "".join(
        f'<text x="{margin + size * (at + 0.5)}" y="{below + 15}" text-anchor="middle">{a}</text>'
        for at, a in enumerate(columns)
        if _labelled(at, len(columns))
    ) + "".join(
        f'<text x="{margin - 6}" y="{size * (len(rows) - 1 - at) + beside}" text-anchor="end">{b}</text>'
        for at, b in enumerate(rows)
        if _labelled(at, len(rows))
    )
    name = escape(heat_map.name.replace("_", " "))
    return (
        f"<figure><svg viewBox='0 0 {width} {height}' style='max-width:{width * 1.3:.0f}px' role=img "
        f"aria-label='Who wins, by {name}'>{squares}{labels}"
        "</svg>"
        f"<figcaption>Who wins, by <b>{name}</b>: Player 1's, who is to move, on the "
        "horizontal axis and Player 2's on the vertical. Blue favours Player 1, orange favours Player 2, "
        "and white neither on average.</figcaption></figure>"
    )


def _labelled(at: int, total: int) -> bool:
    return total <= 16 or at % 5 == 0


def _share(value: float) -> str:
    return f"{(1 + value) / 2:.0%} for Player 1"


def _colour(value: float) -> str:
    """Return a colour from orange through white to blue, a scale that is safe for colour blindness."""
    end = (33, 102, 172) if value > 0 else (214, 96, 13)
    part = abs(value)
    return "#" + "".join(f"{round(247 + (channel - 247) * part):02x}" for channel in end)


def _bars(lengths: Counter[int], title: str) -> str:
    if not lengths:
        return f"<p>{title}: none.</p>"
    highest, last = max(lengths.values()), max(lengths)
    first = min(lengths)
    wide, high = 640, 150
    step = wide / (last - first + 1)
    bars = "".join(
        f'<rect x="{(at - first) * step:.1f}" y="{high - high * n / highest:.1f}" width="{max(step - 1, 1):.1f}" '
        f'height="{high * n / highest:.1f}"><title>{count(at, "turn")}: {n:,}</title></rect>'
        for at, n in sorted(lengths.items())
    )
    return (
        f"<figure><svg class=bars viewBox='0 0 {wide} {high + 22}' role=img aria-label='{title}'>{bars}"
        f"<text x=0 y={high + 16}>{first}</text>"
        f"<text x={wide} y={high + 16} text-anchor=end>{count(last, 'turn')}</text></svg>"
        f"<figcaption>{title}</figcaption></figure>"
    )


def _lengths(game: type[Position]) -> str:
    lengths: Counter[int] = Counter()
    wins, drawn, unfinished, anyone = [0, 0], 0, 0, RandomPlayer()
    for number in range(RANDOM_GAMES):
        match = play_out(game, (anyone, anyone), Random(number), limit=MAX_PLIES)
        outcome = match.outcome()
        if outcome is None:
            unfinished += 1
            continue
        lengths[len(match.moves)] += 1
        if outcome.winner is None:
            drawn += 1
        else:
            wins[outcome.winner] += 1
    mean = sum(n * times for n, times in lengths.items()) / max(1, sum(lengths.values()))
    text = (
        f"{RANDOM_GAMES:,} games of random moves: {mean:.1f} turns on average; {player(0)}, who moves first, "
        f"won {wins[0] / RANDOM_GAMES:.0%}, {player(1)} {wins[1] / RANDOM_GAMES:.0%}"
    )
    text += f"; {drawn / RANDOM_GAMES:.0%} were drawn" if drawn else ""
    text += f", and {unfinished:,} were cut off after {MAX_PLIES} turns" if unfinished else ""
    return _bars(lengths, text)


def _distances(proof: Proof) -> str:
    if isinstance(proof.solution, EquilibriumSolution):
        return "<p>With private information, no win counts as forced.</p>"
    scores = proof.solution.scores
    decided = scores[(scores != 0) & (abs(scores) < TOP)]
    lengths = Counter((TOP - abs(decided.astype(int))).tolist())
    return _bars(lengths, "Turns to the end under best play, over all decided positions")


def _levels(scores: list[Score]) -> str:
    body = "".join(
        f"<tr><th scope=row>{s.stronger} against {s.weaker}</th><td>{s.won}</td><td>{s.lost}</td>"
        f"<td>{s.drawn}</td><td>{s.unfinished}</td><td>{s.p_value:.1e}</td></tr>"
        for s in scores
    )
    return (
        "<table><tr><th>levels</th><th>won</th><th>lost</th><th>drawn</th><th>unfinished</th>"
        f"<th>p-value</th></tr>{body}</table>"
    )
