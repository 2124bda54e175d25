"""Logs: one JSON object per line, without secrets and without game ids."""

from __future__ import annotations

import io
import json
import logging
import logging.config
import sys
import threading
from typing import Any

LOG = logging.getLogger(__name__)


class JsonFormatter(logging.Formatter):
    """A formatter that writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        data: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "said": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            data["trace"] = self.formatException(record.exc_info)
        return json.dumps(data, default=str)  # ASCII has no other line breaks


def log(message: str, level: int = logging.INFO, **facts: object) -> None:
    """Write a log line."""
    LOG.log(level, message, extra={"facts": facts})


CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "duelbook.system.json_logs.JsonFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        LOG.name: {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}


def start() -> None:
    """Log everything that Python itself would print as text: warnings and errors."""
    logging.config.dictConfig(CONFIG)
    logging.raiseExceptions = False  # print nothing if the log cannot be written
    logging.captureWarnings(capture=True)
    sys.excepthook = lambda *error: LOG.critical("failed: the process", exc_info=error)
    threading.excepthook = _log_thread_error
    sys.unraisablehook = _log_unraisable


def _log_thread_error(args: threading.ExceptHookArgs) -> None:
    if args.exc_value and not isinstance(args.exc_value, SystemExit):
        name = args.thread.name if args.thread else "a thread"
        LOG.critical("failed: %s", name, exc_info=args.exc_value)


def _log_unraisable(args: sys.UnraisableHookArgs) -> None:
    LOG.error("%s", args.err_msg or "ignored", exc_info=args.exc_value)


class LogStream(io.TextIOBase):
    """An output stream that logs each line that a program prints."""

    def __init__(self) -> None:
        self._incomplete_line = ""

    def writable(self) -> bool:
        """Return True: the stream is writable."""
        return True

    def write(self, text: str) -> int:
        """Log each complete line; store the rest."""
        *lines, self._incomplete_line = (self._incomplete_line + text).split("\n")
        for line in lines:
            log("printed", line=line)
        return len(text)


def capture_output() -> None:
    """Log printed text too, in a process that runs other people's code."""
    start()
    sys.stdout = sys.stderr = LogStream()
