"""Saved games: one JSON file per series. Writes are atomic, and reads validate the file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from duelbook import chance
from duelbook.catalog import registry
from duelbook.errors import DuelbookError, SaveError, UnknownGame
from duelbook.play.chance_seeds import SeedCommitment, moves_to_save, seed_of_game
from duelbook.play.match import DRAWN_BY, LOST_BY, Match
from duelbook.play.names import check_names
from duelbook.play.series import PERSON, Series, now
from duelbook.position import CHANCE, Position, check_first, player
from duelbook.secrecy import HIDDEN_MARK
from duelbook.system import files

FORMAT = 1
MAX_FILE_BYTES = 64 * 2**20


def folder() -> Path:
    """Return the default folder of saved games."""
    return files.data_folder() / "saves"


def newest(*, unfinished: bool = False) -> Path:
    """Return the newest file of a known game, or the newest one with an unfinished game."""
    saved = [(f.stat().st_mtime_ns, f) for f in folder().glob("*.json") if f.is_file()]
    unknown: list[Path] = []
    for _, file in sorted(saved, reverse=True):
        try:
            if not read(file).is_over or not unfinished:
                return file
        except SaveError as error:
            if isinstance(error.__context__, UnknownGame):
                unknown.append(file)
            elif not unfinished:
                return file  # reading it reports the error
    if unknown and not unfinished:
        return unknown[0]
    what = "unfinished" if unfinished else "saved"
    more = " There are saves of unknown games: give the game's file with --game." if unknown else ""
    raise SaveError(f"There is no {what} game in {folder()}.{more}")


def new_file(series: Series) -> Path:
    """Return an unused file name from the game and its start time."""
    stem = f"{series.game.slug}-{re.sub('[^0-9]', '', series.started)}"
    names = (f"{stem}{extra}.json" for extra in ["", *(f"-{n}" for n in range(2, 10_000))])
    return next(file for name in names if not os.path.lexists(file := folder() / name))


# Writing ----------------------------------------------------------------------------------------


def write(series: Series, file: Path) -> None:
    """Write a series to a file, without moves that are still hidden."""
    files.write(file, text(series))


def text(series: Series, seen: Sequence[str] | None = None) -> str:
    """Return the content of the file for a series, without moves that are still hidden.

    `seen` is the result of `seen_by_everyone` for the last game, if the caller has it.
    """
    games = [_game(series, at) for at in range(len(series.matches) - 1)]
    games.append(_game(series, len(series.matches) - 1, seen))
    return json.dumps(_document(series, games), indent=2, ensure_ascii=False) + "\n"


def _document(series: Series, games: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": series.game.slug,
        "names": list(series.names),
        "players": list(series.players),
        "seed": series.seed,
        "best_of": series.best_of,
        "started": series.started,
        "saved": now(),
        "games": games,
    }


def _game(series: Series, at: int, seen: Sequence[str] | None = None) -> dict[str, Any]:
    moves = moves_to_save(series.matches[at], series.seed_of_draws(at), seen)
    match = series.matches[at].up_to(len(moves))
    game: dict[str, Any] = {
        "first": match.first + 1,
        "moves": list(moves),
        "result": _result(match),
    }
    commitment = series.draws_of(at)
    if commitment is not None:
        seed = {"seed": commitment.seed} if commitment.seed else {}
        game["draws"] = {"commitment": commitment.commitment, **seed}
    return game


def _result(match: Match) -> dict[str, Any] | None:
    outcome = match.outcome()
    if outcome is None:
        return None
    by_play = "draw" if outcome.winner is None else "play"
    result = {
        "winner": None if outcome.winner is None else outcome.winner + 1,
        "by": outcome.by if match.ending() else by_play,
    }
    return result if outcome.paid is None else {**result, "payoff": outcome.paid}


def _with_payoff_as_in(stored: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """Return a result with its payoff as in a file, which may omit it or write 2.0 for 2."""
    payoff = stored.get("payoff")
    if "payoff" not in stored:
        return {key: value for key, value in result.items() if key != "payoff"}
    same = type(payoff) in (int, float) and payoff == result.get("payoff")
    return {**result, "payoff": payoff} if same else result


# Reading ----------------------------------------------------------------------------------------


def read(file: Path) -> Series:
    """Return the series in a file, or refuse it and name the line at fault."""
    try:
        if file.exists() and not file.is_file():
            raise SaveError(f"{file} is not a file.")
        if file.stat().st_size > MAX_FILE_BYTES:
            raise SaveError(f"{file} is too large to be a saved game.")
        content = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SaveError(f"{file}, line {line}: this is not UTF-8 text.") from error
    except OSError as error:
        raise SaveError(f"{file} could not be read: {error.strerror}.") from error
    return parse(content, str(file))


def parse(content: str, name: str, max_moves: int | None = None) -> Series:
    """Return the series in a text, or refuse it and name the line at fault.

    `max_moves` limits the number of moves in all games, and so the time to read them.
    """
    try:
        data = json.loads(content)
    except json.JSONDecodeError as error:
        why = f"the file is damaged here ({error.msg})"
        raise SaveError(f"{name}, line {error.lineno}: {why}.") from error
    except (RecursionError, ValueError) as error:
        raise SaveError(f"{name}, line 1: this is not a saved game.") from error
    return _Reader(name, content, max_moves).series(data)


def _known(slug: str) -> type[Position]:
    """Return the game with this slug; a save never names a file to run."""
    try:
        return registry.find(slug)
    except UnknownGame as error:
        raise UnknownGame(f"{error} If it is your own game, give its file with --game.") from error


@dataclass(frozen=True)
class _Reader:
    """A validator that reads a document part by part and finds the line at fault."""

    name: str
    text: str
    max_moves: int | None = None

    def series(self, data: object) -> Series:
        if not isinstance(data, dict) or "format" not in data:
            self.refuse("this is not a saved game of Duelbook")
        version = self.value(data, int, "format")
        if version > FORMAT:
            self.refuse(f"it was saved by a newer Duelbook (format {version})", "format")
        if version != FORMAT:
            self.refuse(f"there is no format {version}", "format")
        slug = self.value(data, str, "game")
        with self.blaming("game"):
            game = _known(slug)
        names = self.value(data, list, "names")
        if len(names) != 2 or not all(isinstance(name, str) for name in names):
            self.refuse("there must be two names", "names")
        with self.blaming("names"):
            check_names((names[0], names[1]))
        players, seed = data.get("players", [PERSON, PERSON]), data.get("seed", 0)
        if not (isinstance(players, list) and [type(p) for p in players] == [str, str]):
            self.refuse("there must be two players", "players")
        if type(seed) is not int:
            self.refuse("the seed must be a number", "seed")
        best_of = self.value(data, int, "best_of")
        if best_of < 1 or best_of % 2 == 0:
            self.refuse("best_of must be an odd number", "best_of")
        started = self.value(data, str, "started")
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", started, re.ASCII):
            self.refuse("started must be a time", "started")
        games = self.value(data, list, "games")
        if not games:
            self.refuse("there must be a game", "games")
        series = Series((), (names[0], names[1]), best_of, started, (players[0], players[1]), seed)
        self.check_length(games)
        for at, entry in enumerate(games):
            series = self.with_game(series, game, entry, "games", at)
        self.check_order(series)
        return series if any(series.draws) else replace(series, draws=())

    def check_length(self, games: list[Any]) -> None:
        """Refuse too many moves before playing any."""
        so_far = 0
        for at, entry in enumerate(games):
            moves = entry.get("moves") if isinstance(entry, dict) else None
            so_far += len(moves) if isinstance(moves, list) else 0
            if self.max_moves is not None and so_far > self.max_moves:
                self.refuse(f"there may be at most {self.max_moves:,} moves in all", "games", at)

    def with_game(
        self, series: Series, game: type[Position], entry: object, *path: str | int
    ) -> Series:
        """Return the series with one more game."""
        if not isinstance(entry, dict):
            self.refuse("a game must have first, moves and result", *path)
        commitment = self.draws(entry, *path)
        seed = commitment.seed if commitment else seed_of_game(series.seed, len(series.matches) + 1)
        match = self.match(game, entry, seed, *path)
        if match.outcome() is None:
            commitment = None  # a resumed game draws from the seed of the series
        return replace(series, matches=(*series.matches, match), draws=(*series.draws, commitment))

    def draws(self, entry: dict[str, Any], *path: str | int) -> SeedCommitment | None:
        """Return the commitment to the chance outcomes of a game, if the file has one."""
        if "draws" not in entry:
            return None
        draws = self.value(entry, dict, *path, "draws")
        commitment = self.value(draws, str, *path, "draws", "commitment")
        seed = self.value(draws, str, *path, "draws", "seed") if "seed" in draws else ""
        return SeedCommitment(commitment, seed)

    def match(
        self, game: type[Position], entry: dict[str, Any], seed: str, *path: str | int
    ) -> Match:
        first = self.value(entry, int, *path, "first")
        if first not in (1, 2):
            self.refuse("first must be 1 or 2", *path, "first")
        match = Match.begin(game, first - 1)
        if match.first != first - 1:
            self.refuse(f"{player(match.first)} always starts", *path, "first")
        positions, moves = [*match.positions], self.value(entry, list, *path, "moves")
        for turn, move in enumerate(moves):
            if not isinstance(move, str):
                self.refuse("a move must be text", *path, "moves", turn)
            if move == HIDDEN_MARK and positions[-1].to_move == CHANCE:
                if not seed:
                    self.refuse(
                        "the file does not have the seed of this draw", *path, "moves", turn
                    )
                moves[turn] = chance.draw_from_seed(positions[-1], seed, turn)
            with self.blaming(*path, "moves", turn):
                positions.append(positions[-1].play(moves[turn]))
        match = Match(tuple(positions), tuple(moves))
        return self.result(match, entry.get("result"), *path, "result")

    def result(self, match: Match, result: object, *path: str | int) -> Match:
        """Return the match with its result, which must follow from the moves."""
        if isinstance(result, dict) and match.outcome() is None:
            winner, by = result.get("winner"), result.get("by")
            lost = next((reason for reason in LOST_BY if reason == by), None)
            drawn = next((reason for reason in DRAWN_BY if reason == by), None)
            if winner in (1, 2) and lost:
                match = match.resign(int(2 - winner), lost)
            elif winner is None and drawn:
                match = match.draw(drawn)
        expected = _result(match)
        if expected and isinstance(result, dict):
            expected = _with_payoff_as_in(result, expected)
        if json.dumps(expected, sort_keys=True) != json.dumps(result, sort_keys=True):
            self.refuse("the result does not follow from the moves", *path)
        return match

    def check_order(self, series: Series) -> None:
        """Refuse games in an impossible order, and games that the wrong player started."""
        with self.blaming("games", 0, "first"):
            check_first(series.game, series.matches[0].first)
        end = series.decided_after()
        for at, match in enumerate(series.matches[:-1]):
            if match.outcome() is None or at + 1 == end:
                self.refuse("another game cannot follow here", "games", at + 1)
            if series.matches[at + 1].first != series.next_after(match).first:
                self.refuse("the first move must alternate", "games", at + 1, "first")

    def value(self, data: dict[str, Any], kind: type, *path: str | int) -> Any:  # noqa: ANN401 # JSON
        value = data.get(str(path[-1]))
        if type(value) is not kind:
            self.refuse(f"{path[-1]} is missing, or has the wrong type", *path)
        return value

    @contextmanager
    def blaming(self, *path: str | int) -> Iterator[None]:
        """Turn a refusal inside the block into a `SaveError` that names the line of this part."""
        try:
            yield
        except DuelbookError as error:
            self.refuse(str(error).rstrip("."), *path)

    def refuse(self, why: str, *path: str | int) -> NoReturn:
        raise SaveError(f"{self.name}, line {line_of(self.text, path)}: {why}.")


TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[][{},:]|[^]\s[{},:"]+')


def line_of(text: str, path: tuple[str | int, ...]) -> int:
    """Return the line of the value at a path of keys and numbers in a JSON text.

    If there is no such value, return the line of the last value along the path.
    """
    at: list[str | int] = []  # the path to the next value
    line, deepest, key = 1, -1, ""
    for token in TOKENS.finditer(text):
        word = token[0]
        if word == ":":
            at[-1] = json.loads(key)
        elif word == ",":
            at[-1] = at[-1] + 1 if isinstance(at[-1], int) else ""
        elif word in ("}", "]"):
            at.pop()
        else:
            current = tuple(at)
            if current == path[: len(current)] and len(current) > deepest:
                line, deepest = text.count("\n", 0, token.start()) + 1, len(current)
            if word in ("{", "["):
                at.append("" if word == "{" else 0)
            key = word
    return line
