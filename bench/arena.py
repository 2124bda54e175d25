"""Measure the arena: games per second beside other loops, overhead per model call, memory.

All loops play noughts and crosses between random players. They take turns in one run.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep

import numpy as np
import pyspiel
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.uniform_random import UniformRandomBot

from duelbook import load
from duelbook.arena.run.runner import Plan, plan, run_tournament
from duelbook.arena.tournament.folder import Folder
from duelbook.research.simulation import cores

GAME = Path(__file__).parent.parent / "examples" / "games" / "noughts_and_crosses.py"
REPEATS = 3  # runs of each measurement; the fastest counts
GAMES = 4_000
CALL_SECONDS = 0.1  # the time of the model for an answer
MAX_HARNESS_SHARE = 0.05
LONG_TOURNAMENT = 100_000  # games
MAX_MEMORY_GROWTH = 1.05
"""The maximum growth factor of the memory after the first fifth of the games."""
BOT = """
import json, random, sys
for line in sys.stdin:
    print(random.choice(json.loads(line)["legal"]), flush=True)
"""
Loop = Callable[[], int]
"""A function that plays for a while and returns the number of games."""


def main() -> None:
    """Print all figures; the exit code is 1 if a goal is missed."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{'games a second of noughts and crosses, random players':<70}{'rate':>10}")
        rates(folder)
        missed = overhead(folder) + memory(folder)
    sys.exit(missed)


# Games a second ---------------------------------------------------------------------------------


def rates(folder: Path) -> None:
    """Print the games per second of the arena and of other loops."""
    (folder / "bot.py").write_text(BOT)
    bot = f"{sys.executable} -S -E {folder / 'bot.py'}"
    loops: dict[str, Loop] = {
        f"the arena, {cores()} processes, every game in the log": arena(folder, GAMES),
        "the arena, 1 process": arena(folder, GAMES, concurrency=1),
        "OpenSpiel's evaluate_bots, its tic_tac_toe in C++": open_spiel,
        "the arena, programs over pipes, started for each game": arena(folder, 40, bot=bot),
        "a loop like cutechess's, programs over pipes, started once": over_pipes(bot.split()),
    }
    best = dict.fromkeys(loops, 0.0)
    for _ in range(REPEATS):
        for name, loop in loops.items():
            start = perf_counter()
            games = loop()
            best[name] = max(best[name], games / (perf_counter() - start))
    for name, rate in best.items():
        print(f"{name:<70}{rate:>10,.0f}")
    sys.stdout.flush()


def arena(folder: Path, games: int, *, concurrency: int = 0, bot: str = "") -> Loop:
    """Return a loop that plays a tournament between two random players from its start."""
    players = [f"cmd:{bot}"] * 2 if bot else ["random"] * 2
    planned = tournament(folder, players, games, concurrency=concurrency)

    def loop() -> int:
        with TemporaryDirectory(dir=folder) as name:
            return run_tournament(planned, Folder(Path(name))).played

    return loop


def tournament(folder: Path, players: list[str], games: int, **keys: int) -> Plan:
    """Return a tournament of two players with this number of games."""
    player_list = ", ".join(
        f"{{player = {json.dumps(player)}, label = '{index}'}}"
        for index, player in enumerate(players)
    )
    other_keys = "".join(f"{key} = {value}\n" for key, value in keys.items())
    (folder / "tournament.toml").write_text(
        f"games = [{json.dumps(str(GAME))}]\nanchors = false\nplayers = [{player_list}]\n"
        f"rounds = {games // 2}\n{other_keys}"
    )
    return plan(folder / "tournament.toml")


def open_spiel() -> int:
    """Play games with OpenSpiel's own loop and bots."""
    game, rng = pyspiel.load_game("tic_tac_toe"), np.random.RandomState(1)
    bots = [UniformRandomBot(seat, rng) for seat in (0, 1)]
    for _ in range(GAMES // 4):
        evaluate_bots(game.new_initial_state(), bots, rng)
    return GAMES // 4


def over_pipes(command: list[str]) -> Loop:
    """Return a loop of games between two programs that run through all games."""
    game = load(str(GAME))

    def loop() -> int:
        with start_program(command) as first, start_program(command) as second:
            for _ in range(GAMES // 8):
                position = game.start()
                while legal := position.moves():
                    program = (first, second)[position.to_move]
                    assert program.stdin  # noqa: S101 # for the type checker: both ends are pipes
                    assert program.stdout  # noqa: S101 # as above
                    program.stdin.write(json.dumps({"legal": legal}) + "\n")
                    position = position.apply(program.stdout.readline().strip())
        return GAMES // 8

    return loop


def start_program(command: list[str]) -> subprocess.Popen[str]:
    """Start a program that reads and writes lines; it ends with its input."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)


# Overhead per model call --------------------------------------------------------------------------


def overhead(folder: Path) -> int:
    """Print the share of the time that the harness takes; return 1 if it is above the limit."""
    with model() as (url, calls, busy):
        players = [f"llm:mock@{url}", "random"]
        run_tournament(
            tournament(folder, players, 2, concurrency=1), Folder(folder / "first")
        )  # the first run imports modules
        planned = tournament(folder, players, 30, concurrency=1)
        shares = []
        for repeat in range(REPEATS):
            calls_before, busy_before = calls.value, busy.value
            start, cpu = perf_counter(), process_time()
            run_tournament(planned, Folder(folder / f"model{repeat}"))
            elapsed, cpu = perf_counter() - start, process_time() - cpu
            call_count, busy_seconds = calls.value - calls_before, busy.value - busy_before
            shares.append((1 - busy_seconds / elapsed, elapsed / call_count, cpu / call_count))
    share, elapsed, cpu = min(shares)
    print(
        f"\ncalls of {1000 * CALL_SECONDS:.0f} ms: {1000 * elapsed:.1f} ms a move, "
        f"{100 * share:.1f} % of it in the harness (goal: below {100 * MAX_HARNESS_SHARE:.0f} %), "
        f"with {1000 * cpu:.1f} ms of processor time"
    )
    return int(share >= MAX_HARNESS_SHARE)


@contextmanager
def model() -> Iterator[tuple[str, Synchronized[int], Synchronized[float]]]:
    """Serve a model in another process; yield its address, its calls, and its busy seconds."""
    context = get_context("spawn")
    calls, busy, port = context.Value("i", 0), context.Value("d", 0.0), context.Value("i", 0)
    process = context.Process(target=serve, args=(calls, busy, port), daemon=True)
    process.start()
    while not port.value:
        sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port.value}/v1", calls, busy
    finally:
        process.kill()
        process.join()


def serve(calls: Synchronized[int], busy: Synchronized[float], port: Synchronized[int]) -> None:
    """Answer every request with a legal move, after the time of a model call."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            """Wait, and send an answer."""
            start = perf_counter()
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            listed = body["messages"][-1]["content"].partition("Your legal moves are:\n\n")[2]
            answer = {"role": "assistant", "content": json.dumps({"move": listed.split("\n")[0]})}
            usage = {"prompt_tokens": 100, "completion_tokens": 10}
            choice = {"index": 0, "message": answer, "finish_reason": "stop"}
            data = json.dumps({"choices": [choice], "usage": usage}).encode()
            sleep(CALL_SECONDS)
            with calls.get_lock():
                calls.value += 1
                busy.value += perf_counter() - start
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 # the name in the base class
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    port.value = server.server_port
    server.serve_forever()


# Memory -----------------------------------------------------------------------------------------


def memory(folder: Path) -> int:
    """Print the memory of a long tournament; return 1 if it grows too much.

    The growth is from the first fifth of the games to the end.
    """
    planned = tournament(folder, ["random", "random"], LONG_TOURNAMENT)
    megabytes: dict[int, float] = {}

    def measure(done: int, total: int) -> None:
        if done >= total // 5 and not megabytes:
            megabytes[20] = resident()
        if done == total:
            megabytes[100] = resident()

    start = perf_counter()
    run_tournament(planned, Folder(folder / "many"), progress=measure)
    seconds = perf_counter() - start
    growth = megabytes[100] / megabytes[20]
    print(
        f"\n{LONG_TOURNAMENT:,} games in {seconds:.0f} s: {megabytes[20]:.0f} MB after a fifth, "
        f"{megabytes[100]:.0f} MB at the end, {growth:.3f} times "
        f"(goal: at most {MAX_MEMORY_GROWTH})"
    )
    return int(growth > MAX_MEMORY_GROWTH)


def resident() -> float:
    """Return the memory of this process and its child processes, in MB."""
    children = [
        int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    ]
    pages = (Path(f"/proc/{pid}/statm").read_text().split()[1] for pid in (os.getpid(), *children))
    return sum(map(int, pages)) * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    random.seed(1)
    main()
