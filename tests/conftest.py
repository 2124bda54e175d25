from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner, Result
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

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

settings.register_profile("duelbook", deadline=None)  # how fast is for bench/, not for tests
settings.load_profile("duelbook")

Run = Callable[..., Result]
Serve = Callable[..., Server]
SHARED = "DUELBOOK_TESTS_SHARED"
"""The environment variable for the folder that the processes of a run share."""


def pytest_configure(config: pytest.Config) -> None:
    """Give all processes of this run a folder to share, which goes when the first one ends."""
    # Where memory is in small pieces, as it is beside browsers and servers, Linux takes longer to
    # put a huge page together than NumPy to fill it. Read when NumPy is imported.
    os.environ.setdefault("NUMPY_MADVISE_HUGEPAGE", "0")
    if SHARED not in os.environ:
        os.environ[SHARED] = tempfile.mkdtemp(prefix="duelbook-tests-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(SHARED)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """On a person's machine a test may be skipped for want of something; not where CI says so."""
    report = yield
    if report.skipped and os.environ.get("CI"):
        report.outcome, report.longrepr = "failed", f"Skipped in CI: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line for each reason that tests were skipped, with their number."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"SKIPPED {count}: {reason}")


SLOW_MODULE = re.compile(r"^pytestmark = .*\bslow\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a module of slow tests, and what it needs, if they are left out."""
    leaves_out = config.option.markexpr == "not slow" and collection_path.suffix == ".py"
    return bool(leaves_out and SLOW_MODULE.search(collection_path.read_text())) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, so that nobody waits for them at the end."""
    items.sort(key=lambda item: item.get_closest_marker("longest") is None)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games are saved to a folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DUELBOOK_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(scope="module")
def kept_memory() -> Iterator[None]:
    """Let large arrays take the memory of earlier ones: new memory takes longer than their sums."""
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
    """End what runs in a terminal, which may take longer than pexpect waits for it."""
    child.kill(signal.SIGKILL)
    wait_until(lambda: not child.isalive(), lambda: "It lives on.")
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
        """See exactly this text next, and nothing before it."""
        wanted = text.replace("\n", "\r\n")
        try:
            self.child.expect_exact(wanted)
        except (pexpect.TIMEOUT, pexpect.EOF):
            pytest.fail(f"Expected:\n{text}\n\nOn the screen:\n{self.child.before}")
        assert self.child.before == "", f"before {text!r} came {self.child.before!r}"
        self.everything += wanted

    def wait_for(self, text: str) -> str:
        """See this text at last; return what came before it."""
        self.child.expect_exact(text)
        self.everything += self.child.before + text
        return str(self.child.before)

    def type(self, line: str) -> None:
        self.child.sendline(line)

    def end(self) -> str:
        """Wait for the program to end; return what it printed since."""
        self.child.expect(pexpect.EOF)
        self.everything += self.child.before
        wait_until(lambda: not self.child.isalive(), lambda: "It says nothing, and does not end.")
        self.child.close()
        return str(self.child.before).replace("\r\n", "\n")

    def close_window(self) -> None:
        """Take the screen away from the program, and wait for its end."""
        self.child.ptyproc.fileobj.close()
        wait_until(lambda: not self.child.isalive(), lambda: "It goes on without a screen.")

    def follow(self, transcript: str) -> None:
        """Play a transcript: «3» is typed and seen, ‹3› is typed and must not be seen."""
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
    for one in opened:
        close(one.child)


# The games in a browser -------------------------------------------------------------------------

CHROMIUM = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
    # A page that a test has read on its way is no longer trusted to be of this machine.
    "--disable-features=LocalNetworkAccessChecks",
)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Asynchronous tests run in asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Tests share a cluster, and have a database each."""
    with running(PostgreSQL()) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    """A test may stop it and start it again."""
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


@pytest.fixture(scope="module")  # its event loop is in the way of others
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without its windows if that is there: it takes two thirds of the time."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    chromium = found or pytest.skip("chromium-headless-shell is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM))
        yield browser
        browser.close()
