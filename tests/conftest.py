from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import signal
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner, Result
from hypothesis import Phase, settings
from playwright.sync_api import Browser, sync_playwright

from duelbook.catalog import registry
from duelbook.cli import main
from servers import (
    DUELBOOK,
    TIMEOUT_SECONDS,
    PostgreSQL,
    Redis,
    Server,
    SpawnedServer,
    running,
    wait_until,
)

# No deadline: bench/ measures speed, not the tests.
settings.register_profile("test", max_examples=100, deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
# Each mutant gets the same examples, and no smaller ones after a failure.
settings.register_profile(
    "mutation",
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))

Run = Callable[..., Result]
Serve = Callable[..., Server]
SHARED = "DUELBOOK_TESTS_SHARED"
"""The environment variable for the folder that the processes of a run share."""


def pytest_configure(config: pytest.Config) -> None:
    """Create a folder that all processes of this run share, and remove it at the end."""
    # With fragmented memory, Linux takes longer to assemble a huge page than NumPy to fill it.
    # NumPy reads the variable on import.
    os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")
    if config.option.write_durations and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Durations())
    if SHARED not in os.environ:
        os.environ[SHARED] = tempfile.mkdtemp(prefix="duelbook-tests-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(SHARED)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a skipped test fail in CI; elsewhere a test may be skipped if a program is missing."""
    report = yield
    if report.skipped and os.environ.get("CI"):
        report.outcome, report.longrepr = "failed", f"Skipped in CI: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the number of skipped tests for each reason."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"SKIPPED {count}: {reason}")


LEFT_OUT = {"not slow": "slow", "not slow and not integration": "slow|integration"}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import a module if its marker leaves out all of its tests."""
    markers = LEFT_OUT.get(config.option.markexpr)
    if markers is None or collection_path.suffix != ".py":
        return None
    marked = re.search(
        rf"^pytestmark = .*\b({markers})\b", collection_path.read_text(), re.MULTILINE
    )
    return bool(marked) or None


# The order of the files -------------------------------------------------------------------------

DURATIONS = Path(__file__).with_name("durations.json")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that measure and order the files of tests."""
    parser.addoption("--write-durations", action="store_true", help=f"write {DURATIONS.name}")
    parser.addoption("--fastest-first", action="store_true", help="to see a failure soon")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Start the files that take longest first, so that all processes end at about the same time."""
    seconds = json.loads(DURATIONS.read_text())
    sign = 1 if config.option.fastest_first else -1
    items.sort(key=lambda item: sign * seconds.get(item.location[0], 0))


class Durations:
    """The seconds that each file of tests takes."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the set-up, the call or the teardown of a test."""
        self.seconds[report.location[0]] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Write the files that take more than a second."""
        rounded = {file: round(self.seconds[file]) for file in sorted(self.seconds)}
        longer = {file: seconds for file, seconds in rounded.items() if seconds}
        DURATIONS.write_text(json.dumps(longer, indent=1) + "\n")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a separate folder for saved games."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DUELBOOK_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def forget_loaded_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the games that a test loads from files, after the test."""
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))  # noqa: SLF001 # no other way


@pytest.fixture
def no_loaded_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide games that other tests have loaded from files."""
    monkeypatch.setattr(registry, "_loaded", {})


@pytest.fixture(scope="module")
def reuse_memory() -> Iterator[None]:
    """Let large arrays reuse freed memory: new memory takes longer than the computation."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallopt"):  # of the GNU C library
        yield
        return
    trim_threshold, mmap_max = -1, -4
    library.mallopt(mmap_max, 0)
    library.mallopt(trim_threshold, 2**31 - 1)
    yield
    library.mallopt(mmap_max, 65_536)
    library.mallopt(trim_threshold, 128 << 10)
    library.malloc_trim(0)


@pytest.fixture
def run() -> Run:
    """Run a command with lines piped in."""

    def run(*arguments: str, typed: str | bytes = "") -> Result:
        return CliRunner().invoke(main, arguments, input=typed, catch_exceptions=False)

    return run


def close(child: pexpect.spawn) -> None:
    """Kill the program in a terminal; its end may take longer than the timeout of pexpect."""
    child.kill(signal.SIGKILL)
    wait_until(lambda: not child.isalive(), lambda: "The program does not end.")
    child.close()


class Terminal:
    """A real terminal with `duelbook` in it."""

    def __init__(self, *arguments: str, home: Path, plain: bool = True, columns: int = 80) -> None:
        environment = dict(os.environ, DUELBOOK_HOME=str(home), TERM="dumb" if plain else "xterm")
        environment.pop("NO_COLOR", None)
        self.child = pexpect.spawn(
            DUELBOOK,
            list(arguments),
            env=environment,
            encoding="utf-8",
            dimensions=(50, columns),
            timeout=TIMEOUT_SECONDS,
            # A background shell may have turned Ctrl-C off for all child processes.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.child.delaybeforesend = None
        self.everything = ""

    def expect(self, text: str) -> None:
        """Expect exactly this text next, and nothing before it."""
        expected = text.replace("\n", "\r\n")
        try:
            self.child.expect_exact(expected)
        except (pexpect.TIMEOUT, pexpect.EOF):
            pytest.fail(f"Expected:\n{text}\n\nOn the screen:\n{self.child.before}")
        assert self.child.before == "", f"before {text!r} came {self.child.before!r}"
        self.everything += expected

    def wait_for(self, text: str) -> str:
        """Wait for this text; return the text before it."""
        self.child.expect_exact(text)
        self.everything += self.child.before + text
        return str(self.child.before)

    def type(self, line: str) -> None:
        self.child.sendline(line)

    def end(self) -> str:
        """Wait for the program to end; return the rest of its output."""
        self.child.expect(pexpect.EOF)
        self.everything += self.child.before
        wait_until(lambda: not self.child.isalive(), lambda: "The program does not end.")
        self.child.close()
        return str(self.child.before).replace("\r\n", "\n")

    def close_window(self) -> None:
        """Close the terminal, and wait for the end of the program."""
        self.child.ptyproc.fileobj.close()
        wait_until(
            lambda: not self.child.isalive(), lambda: "The program continues without a terminal."
        )

    def follow(self, transcript: str) -> None:
        """Play a transcript: «3» is typed with echo, ‹3› is typed without echo."""
        for piece in re.split(r"(«.*?»|‹.*?›)", transcript):
            if piece[:1] in {"«", "‹"}:
                self.type(piece[1:-1])
                if piece[0] == "«":
                    self.expect(piece[1:-1])
            elif piece:
                self.expect(piece)


@pytest.fixture
def terminal(home: Path) -> Iterator[Callable[..., Terminal]]:
    """Open terminals, and close them after the test."""
    opened: list[Terminal] = []

    def open_terminal(*arguments: str, plain: bool = True) -> Terminal:
        opened.append(Terminal(*arguments, home=home, plain=plain))
        return opened[-1]

    yield open_terminal
    for opened_terminal in opened:
        close(opened_terminal.child)


# The games in a browser -------------------------------------------------------------------------

CHROMIUM = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
    # Chromium no longer treats a page that a test intercepts as a page of this machine.
    "--disable-features=LocalNetworkAccessChecks",
)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run asynchronous tests in asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Start a PostgreSQL cluster that the tests share; each test has a separate database."""
    with running(PostgreSQL()) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    """Start Redis; a test may stop and restart it."""
    with running(Redis(tmp_path_factory.mktemp("redis"))) as server:
        yield server


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers, and end them after the test."""
    started: list[Server] = []

    def serve(*options: str, database: str = "", spawned: bool = False) -> Server:
        kind = SpawnedServer if spawned else Server
        started.append(kind(tmp_path, *options, database=database))
        return started[-1].start()

    yield serve
    for server in started:
        server.close()


@pytest.fixture(scope="module")  # its event loop disturbs other modules
def browser() -> Iterator[Browser]:
    """Start Debian's Chromium; the headless version, if installed, takes two thirds of the time."""
    installed = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    chromium = installed or pytest.skip("chromium-headless-shell is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM))
        yield browser
        browser.close()
