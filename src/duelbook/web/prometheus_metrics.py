"""Metrics for Prometheus."""

from __future__ import annotations

import os

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

SHARED_FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The library's environment variable for the folder that the workers share."""


class Metrics:
    """The counters of one server process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.games = Counter(
            "duelbook_games", "Games started.", ["book", "mode"], registry=self.registry
        )
        self._events = Counter(
            "duelbook_events", "Events in games.", ["kind"], registry=self.registry
        )
        self.refused = Counter("duelbook_refused", "Refusals.", ["code"], registry=self.registry)
        self.requests = Counter(
            "duelbook_requests", "HTTP requests.", ["status"], registry=self.registry
        )
        self.connections = Gauge(
            "duelbook_connections",
            "Open connections.",
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self.rooms = Gauge(
            "duelbook_rooms",
            "Games in memory.",
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self.commits = Histogram(
            "duelbook_commit_seconds", "The duration of a commit.", registry=self.registry
        )
        self.commit_events = Histogram(
            "duelbook_commit_events",
            "The events in a commit.",
            registry=self.registry,
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
        )
        self.store_failures = Counter(
            "duelbook_store_failures",
            "Failures of the database.",
            ["what"],
            registry=self.registry,
        )
        self.backup_time = Gauge(
            "duelbook_backup_time_seconds",
            "The time of the last backup.",
            registry=self.registry,
            multiprocess_mode="livemax",
        )
        self._uncounted: dict[str, int] = {}

    def count_event(self, kind: str) -> None:
        """Count an event; add it to the slow Prometheus counter at the next commit."""
        self._uncounted[kind] = self._uncounted.get(kind, 0) + 1

    def count_commit(self, events: int, seconds: float) -> None:
        """Count a commit."""
        self.commits.observe(seconds)
        self.commit_events.observe(events)
        self._count()

    def _count(self) -> None:
        for kind, number in self._uncounted.items():
            self._events.labels(kind).inc(number)
        self._uncounted.clear()

    def close(self) -> None:
        """Remove the gauges of this process."""
        if os.environ.get(SHARED_FOLDER_VARIABLE):
            multiprocess.mark_process_dead(os.getpid())  # type: ignore[no-untyped-call] # untyped library

    def text(self) -> bytes:
        """Return the metrics in Prometheus's text format."""
        self._count()
        registry = self.registry
        if os.environ.get(SHARED_FOLDER_VARIABLE):
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call] # untyped library
        return generate_latest(registry)
