"""Whom a connection counts for, and how many there may be."""

from __future__ import annotations

import pytest

from duelbook.web.server import limits as limits_module
from duelbook.web.server.addresses import UNKNOWN_ADDRESS, Proxies, address, limit_key
from duelbook.web.server.limits import Limiter, ServerLimits


@pytest.mark.parametrize(
    ("host", "counts_for"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:0DB8:0001:0003::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
        ("", UNKNOWN_ADDRESS),
    ],
)
def test_ipv6_address_counts_as_its_site(host: str, counts_for: str) -> None:
    assert limit_key(host) == counts_for
    assert address({"type": "http", "client": (host, 1)}) == counts_for


def test_trusted_proxy_forwards_the_client_address() -> None:
    proxies = Proxies("127.0.0.1,10.0.0.0/8")
    assert "10.1.2.3" in proxies
    assert "192.0.2.1" not in proxies
    for peer, client in (("10.1.2.3", "192.0.2.7"), ("192.0.2.1", "192.0.2.1")):
        headers = [(b"x-forwarded-for", b"192.0.2.7, 10.0.0.9")]
        scope = {"type": "websocket", "client": (peer, 1), "headers": headers}
        proxies.resolve_client(scope)
        assert address(scope) == client


def limiter(**limits: int) -> Limiter:
    return Limiter(ServerLimits(**limits), lambda: 0.0)


def test_closed_connections_of_an_address_can_be_replaced() -> None:
    counts = limiter(connections=2)
    assert [counts.open_connection("a") for _ in range(5)] == [True] * 4 + [False]
    assert counts.open_connection("b")
    counts.close_connection("a")
    assert counts.open_connection("a")


def test_total_connections_include_proxies() -> None:
    counts = limiter(connections=100, total=10)
    assert [counts.open_connection(None) for _ in range(11)] == [True] * 10 + [False]
    assert not counts.open_connection("a")
    counts.close_connection(None)
    assert counts.open_connection("a")


def test_descriptors_are_reserved_for_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        limits_module, "max_descriptors", lambda: limits_module.RESERVED_DESCRIPTORS + 3
    )
    counts = limiter(total=1000)
    assert [counts.open_connection(None) for _ in range(4)] == [True] * 3 + [False]


def test_short_connections_count_toward_the_rate_limit() -> None:
    counts, opened = limiter(connections=10), 0
    while counts.open_connection("a"):
        counts.close_connection("a")
        opened += 1
    assert opened == 40
    assert counts.open_connection("b")


def test_frames_over_the_rate_are_delayed() -> None:
    bucket = limiter(rate=10).new_frame_bucket()
    assert [bucket.overdraw(0.0) for _ in range(20)] == [0.0] * 20
    assert bucket.overdraw(0.0) == pytest.approx(0.1)
    assert bucket.overdraw(0.1) == pytest.approx(0.1)
    assert bucket.overdraw(9.0) == 0.0
