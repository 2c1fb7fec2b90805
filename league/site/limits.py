"""Limits of requests that take long to answer, counted in the database for all processes of the site together."""

import ipaddress
import secrets
import time

from allauth.account.adapter import get_adapter
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpRequest

from league.site.security_log import log_refusal

SECONDS = 60
LOOKS = 3  # requests for each turn, on average, so that a long table can be read page by page
IPV6_PREFIX = 64  # one visitor has all addresses of such a network
ADVISORY_CLASS = 0x7163  # marks our locks among the advisory locks of the database


@transaction.atomic
def consume_quota(
    request: HttpRequest, action: str, *, user: User | AnonymousUser, limit: int, dedupe_key: str = ""
) -> bool:
    """Record a request. Return False if its network or user has used up its quota of the last `SECONDS`.

    The quota is `limit`. Requests with the same `dedupe_key` count once; without it each one counts. There may be
    `limit * LOOKS` requests in all, because each of them is computed.

    Two requests at the same moment are counted one after the other: on SQLite because the transaction begins with the
    lock to write, on PostgreSQL by a lock of its own.
    """
    now = time.time()
    dedupe_key = dedupe_key or secrets.token_hex(8)
    taken: dict[str, list[tuple[float, str]]] = {}
    for who in _who_asks(request, user):
        key = f"turns:{action}:{who}"
        wait_for_others(key)
        # The clock may have been set back: what was asked in the future was asked before.
        taken[key] = [each for each in cache.get(key, ()) if abs(now - each[0]) < SECONDS]
        turns = {asked for _moment, asked in taken[key]} | {dedupe_key}
        if len(turns) > limit or len(taken[key]) >= limit * LOOKS:
            log_refusal("limit-used", request, what=action)
            return False
    for key, requests in taken.items():
        cache.set(key, [*requests, (now, dedupe_key)], SECONDS)
    return True


def network_of(request: HttpRequest) -> str:
    """Find the network that counts as one visitor: an address of IPv4, or 64 bits of IPv6."""
    address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    if address.version == 6:  # noqa: PLR2004  IPv6
        address = ipaddress.ip_network((address, IPV6_PREFIX), strict=False).network_address
    return str(address)


def _who_asks(request: HttpRequest, user: User | AnonymousUser) -> list[str]:
    return [network_of(request)] + ([f"user-{user.pk}"] if user.is_authenticated else [])


def wait_for_others(key: str) -> None:
    """Lock a key until the transaction ends (SQLite has a single writer anyway)."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [ADVISORY_CLASS, key])
