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

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The library's environment variable for the folder that the workers share."""


class Metrics:
    """The counters of one server process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.games = Counter(
            "duelbook_games", "Games begun.", ["book", "mode"], registry=self.registry
        )
        self._events = Counter(
            "duelbook_events", "What happened in games.", ["kind"], registry=self.registry
        )
        self.refused = Counter(
            "duelbook_refused", "What was refused.", ["code"], registry=self.registry
        )
        self.requests = Counter(
            "duelbook_requests", "Requests answered.", ["status"], registry=self.registry
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
            "duelbook_commit_seconds", "Time of a commit.", registry=self.registry
        )
        self.batches = Histogram(
            "duelbook_commit_events",
            "Events in a commit.",
            registry=self.registry,
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
        )
        self.store_failures = Counter(
            "duelbook_store_failures",
            "What the database failed to do.",
            ["what"],
            registry=self.registry,
        )
        self.backed_up = Gauge(
            "duelbook_backup_time_seconds",
            "When the last backup was made.",
            registry=self.registry,
            multiprocess_mode="livemax",
        )
        self._uncounted: dict[str, int] = {}

    def happened(self, kind: str) -> None:
        """Count an event; add it to the slow Prometheus counter at the next commit."""
        self._uncounted[kind] = self._uncounted.get(kind, 0) + 1

    def committed(self, events: int, seconds: float) -> None:
        """Count a commit."""
        self.commits.observe(seconds)
        self.batches.observe(events)
        self._count()

    def _count(self) -> None:
        for kind, number in self._uncounted.items():
            self._events.labels(kind).inc(number)
        self._uncounted.clear()

    def close(self) -> None:
        """Remove the gauges of this process."""
        if os.environ.get(SHARED):
            multiprocess.mark_process_dead(os.getpid())  # type: ignore[no-untyped-call] # theirs

    def text(self) -> bytes:
        """Return the metrics in Prometheus's text format."""
        self._count()
        registry = self.registry
        if os.environ.get(SHARED):
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call] # theirs
        return generate_latest(registry)
