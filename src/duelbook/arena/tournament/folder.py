"""The folder of a tournament: its settings and its results. The logs only grow.

- `tournament.toml`: the tournament as its author wrote it
- `lock.json`: the dependencies of the results: versions, hashes of the rules and of the prompt
- `games.jsonl`: a line for each played game
- `calls.jsonl.zst`: a line for each call of a language model, compressed in frames

The next run cuts off a line or frame that a killed run left unfinished.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from duelbook.arena.run.game_record import GameRecord, validated
from duelbook.arena.tournament.tournament_file import CURRENT_NAME, refuse_earlier_folder
from duelbook.errors import DuelbookError
from duelbook.system import files

try:
    import fcntl
except ImportError:  # on Windows, nothing prevents a second run
    fcntl = None  # type: ignore[assignment]

LOCK, GAMES, CALLS = "lock.json", "games.jsonl", "calls.jsonl.zst"
COMPRESSION_LEVEL = 9
"""The level is high, because calls are large and alike."""
LockData = dict[str, Any]


class Folder:
    """The folder of a tournament."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def tournament(self) -> str:
        """The text of the tournament."""
        return self._text(CURRENT_NAME)

    @property
    def lock(self) -> LockData:
        """The dependencies of the results."""
        try:
            data = json.loads(self._text(LOCK))
        except ValueError as error:
            raise DuelbookError(f"{self.path / LOCK} is damaged: {error}.") from error
        if not isinstance(data, dict):
            raise DuelbookError(f"{self.path / LOCK} is damaged.")
        return data

    def _text(self, name: str) -> str:
        try:
            return (self.path / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DuelbookError(
                f"{self.path} is not the folder of a tournament: {error}."
            ) from error

    def create_or_check(self, tournament: str, lock: LockData) -> None:
        """Write the settings into a folder, after a comparison with those of an earlier run."""
        refuse_earlier_folder(self.path)
        if (self.path / LOCK).exists():
            _compare(self.lock, lock, self.path)
        files.write(self.path / CURRENT_NAME, tournament)
        files.write(self.path / LOCK, json.dumps(lock, indent=2, sort_keys=True) + "\n")

    def copy_files(self, named: Mapping[str, Path]) -> None:
        """Copy the files that the tournament names, so that the folder is complete."""
        for name, file in named.items():
            inside = not Path(name).is_absolute() and ".." not in Path(name).parts
            if inside and file != self.path / name:
                files.write(self.path / name, file.read_bytes())

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder against a second run; remove an unfinished line or frame."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / ".lock").open("w") as lock:
            _lock_file(lock, self.path)
            _cut(self.path / GAMES, _length_of_lines)
            _cut(self.path / CALLS, _length_of_frames)
            try:
                yield
            finally:
                _sync(self.path / GAMES, self.path / CALLS)

    # Games ------------------------------------------------------------------------------------

    def games(self) -> Iterator[GameRecord]:
        """Yield the played games; skip duplicates."""
        seen: set[str] = set()
        for game in _records(self.path / GAMES):
            if game["id"] not in seen:
                seen.add(game["id"])
                yield game

    def add_games(self, games: Iterable[GameRecord]) -> None:
        """Append games."""
        text = "".join(f"{_compact(game)}\n" for game in games)
        _append(self.path / GAMES, text.encode())

    # Calls ------------------------------------------------------------------------------------

    def calls(self) -> Iterator[dict[str, Any]]:
        """Yield the calls of language models; skip duplicates."""
        if not (self.path / CALLS).exists():
            return
        import zstandard  # in the extra `arena`

        seen: set[str] = set()
        with (self.path / CALLS).open("rb") as file:
            reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
            for line in io.TextIOWrapper(reader, encoding="utf-8"):
                call = json.loads(line)
                if call["id"] not in seen:
                    seen.add(call["id"])
                    yield call

    def add_calls(self, calls: Iterable[Mapping[str, Any]]) -> None:
        """Append calls as one frame."""
        text = "".join(f"{_compact(call)}\n" for call in calls)
        if text:
            import zstandard  # in the extra `arena`

            pack = zstandard.ZstdCompressor(COMPRESSION_LEVEL, write_checksum=True)
            _append(self.path / CALLS, pack.compress(text.encode()))


def _lock_file(file: IO[str], folder: Path) -> None:
    if fcntl is not None:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # forked processes do not hold it
        except OSError as error:
            raise DuelbookError(f"Another run is writing to {folder}.") from error


def _compact(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _append(file: Path, data: bytes) -> None:
    """Append to a file without a buffer, so that a killed process loses nothing."""
    try:
        with file.open("ab", buffering=0) as out:
            out.write(data)
    except OSError as error:
        raise DuelbookError(f"{file} could not be written: {error.strerror}.") from error


def _sync(*files: Path) -> None:
    for file in files:
        if file.exists():
            with file.open("rb") as data:
                os.fsync(data.fileno())


def _records(file: Path) -> Iterator[GameRecord]:
    """Yield the records of a file; ignore an unfinished last line."""
    if not file.exists():
        return
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                record = validated(json.loads(line))
            except ValueError as error:
                raise DuelbookError(f"{file}, line {number}, is damaged: {error}.") from error
            yield record


def _cut(file: Path, length_of: Any) -> None:  # noqa: ANN401 # one of the two functions below
    if file.exists():
        with file.open("r+b") as data:
            data.truncate(length_of(data))


def _length_of_lines(data: Any) -> int:  # noqa: ANN401 # a binary file
    """Return the length of a file up to the end of its last line."""
    end: int = data.seek(0, os.SEEK_END)
    while end:
        begin = max(0, end - 65_536)
        data.seek(begin)
        newline = data.read(end - begin).rfind(b"\n")
        if newline >= 0:
            return begin + int(newline) + 1
        end = begin
    return 0


def _length_of_frames(data: Any) -> int:  # noqa: ANN401 # a binary file
    """Return the length of a file up to the end of its last whole frame."""
    import zstandard  # in the extra `arena`

    end = at = 0
    frame = zstandard.ZstdDecompressor().decompressobj()
    while chunk := data.read(65_536):
        at += len(chunk)
        while chunk:
            try:
                frame.decompress(chunk)
            except zstandard.ZstdError:
                return end
            if not frame.eof:
                break
            chunk = frame.unused_data
            end = at - len(chunk)
            frame = zstandard.ZstdDecompressor().decompressobj()
    return end


def _compare(stored: LockData, lock: LockData, path: Path) -> None:
    """Refuse to resume a tournament whose rules or prompt have changed."""
    for key in ("books", "prompt"):
        if stored.get(key) != lock.get(key):
            changed = "The prompt has" if key == "prompt" else "The rules have"
            raise DuelbookError(
                f"{changed} changed since {path} was created: name another folder with --folder."
            )
