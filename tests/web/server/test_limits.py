"""Whom a connection counts for, and how many there may be."""

from __future__ import annotations

import pytest

from duelbook.web.server import limits as limits_module
from duelbook.web.server.addresses import NOWHERE, Proxies, address, counted
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
        ("", NOWHERE),
    ],
)
def test_an_address_counts_for_its_site(host: str, counts_for: str) -> None:
    assert counted(host) == counts_for
    assert address({"type": "http", "client": (host, 1)}) == counts_for


def test_a_trusted_proxy_says_who_its_client_is() -> None:
    proxies = Proxies("127.0.0.1,10.0.0.0/8")
    assert "10.1.2.3" in proxies
    assert "192.0.2.1" not in proxies
    for peer, found in (("10.1.2.3", "192.0.2.7"), ("192.0.2.1", "192.0.2.1")):
        headers = [(b"x-forwarded-for", b"192.0.2.7, 10.0.0.9")]
        scope = {"type": "websocket", "client": (peer, 1), "headers": headers}
        proxies.look_behind(scope)
        assert address(scope) == found


def limiter(**limits: int) -> Limiter:
    return Limiter(ServerLimits(**limits), lambda: 0.0)


def test_an_address_has_so_many_connections_and_can_use_them_again() -> None:
    counts = limiter(connections=2)
    assert [counts.arrive("a") for _ in range(5)] == [True] * 4 + [False]
    assert counts.arrive("b")
    counts.depart("a")
    assert counts.arrive("a")


def test_there_are_so_many_connections_in_all_also_of_proxies() -> None:
    counts = limiter(connections=100, total=10)
    assert [counts.arrive(None) for _ in range(11)] == [True] * 10 + [False]
    assert not counts.arrive("a")
    counts.depart(None)
    assert counts.arrive("a")


def test_descriptors_are_left_for_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "descriptors", lambda: limits_module.RESERVED + 3)
    counts = limiter(total=1000)
    assert [counts.arrive(None) for _ in range(4)] == [True] * 3 + [False]


def test_connections_that_come_and_go_count_too() -> None:
    counts, came = limiter(connections=10), 0
    while counts.arrive("a"):
        counts.depart("a")
        came += 1
    assert came == 40
    assert counts.arrive("b")


def test_frames_over_the_rate_are_waited_for() -> None:
    bucket = limiter(rate=10).frames()
    assert [bucket.pay(0.0) for _ in range(20)] == [0.0] * 20
    assert bucket.pay(0.0) == pytest.approx(0.1)
    assert bucket.pay(0.1) == pytest.approx(0.1)
    assert bucket.pay(9.0) == 0.0
