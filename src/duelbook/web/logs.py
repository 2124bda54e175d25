"""Logs: one JSON object a line, without secrets and without game ids."""

from __future__ import annotations

import json
import logging
from typing import Any

LOG = logging.getLogger("duelbook.web")


class Lines(logging.Formatter):
    """Formats a record as one line of JSON."""

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
        return json.dumps(data, ensure_ascii=False)


def log(said: str, level: int = logging.INFO, **facts: object) -> None:
    """Write a log line."""
    LOG.log(level, said, extra={"facts": facts})


CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"lines": {"()": "duelbook.web.logs.Lines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "loggers": {
        "duelbook.web": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}
