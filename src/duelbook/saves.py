"""Saved games: one JSON file a series, written whole or not at all, and read with suspicion."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from duelbook import registry
from duelbook.errors import DuelbookError, SaveError
from duelbook.match import Match
from duelbook.position import Position
from duelbook.series import Series, check_names, now

FORMAT = 1
LARGEST = 64 * 2**20


def folder() -> Path:
    """Return where games are saved unless a file is named."""
    home = os.environ.get("DUELBOOK_HOME")
    if home:
        return Path(home) / "saves"
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "duelbook" / "saves"


def named(name: str) -> Path:
    """Return the file that a person means by a name, `~` included."""
    if not name.isprintable():
        raise SaveError("The name of a file may not have control characters in it.")
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise SaveError(f"There is no such home folder: {name}.") from error


def free(file: Path, *, ours: Path | None) -> Path:
    """Return the file, unless writing to it would destroy something that is not ours."""
    if file != ours and os.path.lexists(file):
        raise SaveError(f"{file} is there already: choose another name.")
    return file


def newest(*, unfinished: bool = False) -> Path:
    """Return the file that was saved last, or the last one whose series is not over."""
    files = [(file.stat().st_mtime_ns, file) for file in folder().glob("*.json")]
    for _, file in sorted(files, reverse=True):
        if not unfinished or _goes_on(file):
            return file
    raise SaveError(f"There is no {'unfinished' if unfinished else 'saved'} game in {folder()}.")


def _goes_on(file: Path) -> bool:
    try:
        return read(file).winner() is None
    except SaveError:
        return False


def new_file(series: Series) -> Path:
    """Return a free name in the folder, made of the game and when it started."""
    stem = f"{series.game.slug}-{re.sub('[^0-9]', '', series.started)}"
    names = (f"{stem}{extra}.json" for extra in ["", *(f"-{n}" for n in range(2, 10_000))])
    return next(file for name in names if not (file := folder() / name).exists())


# Writing ----------------------------------------------------------------------------------------


def write(series: Series, file: Path) -> None:
    """Write a series, whole or not at all; moves that are still secret are left out."""
    text = json.dumps(_document(series), indent=2, ensure_ascii=False) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f".{file.name[:100]}.{os.getpid()}")
        try:
            with draft.open("x", encoding="utf-8") as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = getattr(error, "strerror", None) or error
        raise SaveError(f"{file} could not be written: {reason}.") from error


def _document(series: Series) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "game": series.game.slug,
        "names": list(series.names),
        "best_of": series.best_of,
        "started": series.started,
        "saved": now(),
        "games": [_game(match.without_secrets()) for match in series.matches],
    }


def _game(match: Match) -> dict[str, Any]:
    winner = match.winner()
    by = "play" if match.resigned is None else "resignation"
    result = None if winner is None else {"winner": winner + 1, "by": by}
    return {"first": match.first + 1, "moves": list(match.moves), "result": result}


# Reading ----------------------------------------------------------------------------------------


def read(file: Path) -> Series:
    """Return the series in a file, or refuse the file and name the line at fault."""
    try:
        if file.stat().st_size > LARGEST:
            raise SaveError(f"{file} is too large to be a saved game.")
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SaveError(f"{file}, line {line}: this is not text.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SaveError(f"{file} could not be read: {reason}.") from error
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        why = f"the file is damaged here ({error.msg})"
        raise SaveError(f"{file}, line {error.lineno}: {why}.") from error
    except (RecursionError, ValueError) as error:
        raise SaveError(f"{file}, line 1: this is no saved game.") from error
    return _Reader(file, text).series(data)


@dataclass(frozen=True)
class _Reader:
    """Checks a document piece by piece, and finds the line of the piece at fault."""

    file: Path
    text: str

    def series(self, data: object) -> Series:
        if not isinstance(data, dict) or "format" not in data:
            self.refuse("this is no saved game of Duelbook")
        version = self.value(data, "format", int)
        if version > FORMAT:
            self.refuse(f"it was saved by a newer Duelbook (format {version})", "format")
        if version != FORMAT:
            self.refuse(f"there is no format {version}", "format")
        with self.blaming("game"):
            game = registry.load(self.value(data, "game", str))
        names = self.value(data, "names", list)
        if len(names) != 2 or not all(isinstance(name, str) for name in names):
            self.refuse("there must be two names", "names")
        with self.blaming("names"):
            check_names((names[0], names[1]))
        best_of = self.value(data, "best_of", int)
        if best_of < 1 or best_of % 2 == 0:
            self.refuse("best_of must be an odd number", "best_of")
        games = self.value(data, "games", list)
        if not games:
            self.refuse("there must be a game", "games")
        matches = tuple(self.match(game, entry, at) for at, entry in enumerate(games))
        started = self.value(data, "started", str)
        series = Series(matches, (names[0], names[1]), best_of, started)
        self.check_order(series)
        return series

    def match(self, game: type[Position], entry: object, at: int) -> Match:
        if not isinstance(entry, dict):
            self.refuse("a game must have first, moves and result", "games")
        first = self.value(entry, "first", int, at)
        if first not in (1, 2):
            self.refuse("first must be 1 or 2", "first", at)
        match = Match.begin(game, first - 1)
        for number, move in enumerate(self.value(entry, "moves", list, at)):
            with self.blaming("moves", at, number):
                if not isinstance(move, str):
                    raise SaveError("a move must be text")
                match = match.play(move)
        return self.result(match, entry.get("result"), at)

    def result(self, match: Match, result: object, at: int) -> Match:
        """Return the match with its result, which must be what writing it again would give."""
        if isinstance(result, dict) and result.get("by") == "resignation":
            loser = 2 - result["winner"] if result.get("winner") in (1, 2) else None
            match = match if loser is None or match.winner() is not None else match.resign(loser)
        if _game(match)["result"] != result:
            self.refuse("the result does not follow from the moves", "result", at)
        return match

    def check_order(self, series: Series) -> None:
        """Refuse games after the end, or before another has ended."""
        for at, match in enumerate(series.matches[:-1]):
            so_far = Series(series.matches[: at + 1], series.names, series.best_of)
            if match.winner() is None or so_far.winner() is not None:
                self.refuse("another game cannot follow here", "first", at + 1)
            if series.matches[at + 1].first == match.first:
                self.refuse("the first move must alternate", "first", at + 1)

    def value(self, data: dict[str, Any], key: str, kind: type, at: int = 0) -> Any:  # noqa: ANN401 # JSON
        value = data.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            self.refuse(f"{key} is missing or not what it should be", key, at)
        return value

    @contextmanager
    def blaming(self, key: str, at: int = 0, item: int = -1) -> Iterator[None]:
        """Refuse the file at this place when what is done with it is refused."""
        try:
            yield
        except DuelbookError as error:
            self.refuse(str(error).rstrip("."), key, at, item)

    def refuse(self, why: str, key: str = "", at: int = 0, item: int = -1) -> NoReturn:
        raise SaveError(f"{self.file}, line {self.line(key, at, item)}: {why}.")

    def line(self, key: str, at: int, item: int) -> int:
        """Return the line of the key in the game numbered `at`, or of an item of its list."""
        places = [found.end() for found in re.finditer(rf'(?<!\\)"{key}"\s*:', self.text)]
        if not key or at >= len(places):
            return 1
        place = places[at]
        if item >= 0:
            strings = re.finditer(r'"(?:[^"\\]|\\.)*"|[^\s,\[\]]+', self.text[place:])
            for number, found in enumerate(strings):
                if number == item:
                    place += found.start()
        return self.text.count("\n", 0, place) + 1
