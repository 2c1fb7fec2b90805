"""Requests to addresses that people typed: to the internet alone, never to the network that the site is in.

A name is resolved once, every address it has is checked, and the connection goes to one of those: a second answer of
the name server cannot lead it elsewhere. Redirects are not followed.
"""

import ipaddress
import re
import socket
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from threading import Timer
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

MOST_READ = 1_000  # bytes of an answer
WAIT, DEADLINE = 10, 15  # seconds: for the next byte, and for the whole request
# What of IPv6 is given out to networks of the internet; of the rest nothing leads there.
GIVEN_OUT = ipaddress.IPv6Network("2000::/3")
RELAYS = ipaddress.IPv4Network("192.88.99.0/24")
OF_NOBODY = [ipaddress.IPv6Network(text) for text in ("3fff::/20", "2001:db8::/32")]
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
HOST = re.compile(r"[a-z0-9_.-]{1,253}|[0-9a-f:.]{2,45}")
PORTS = {"https": 443, "http": 80}


class AddressRefusedError(Exception):
    """An address that is none of the internet, or no address at all."""


@dataclass(frozen=True)
class Answer:
    """What was answered: a status, or None with the reason why there was none."""

    status: int | None
    text: str
    retry_after: str = ""

    @property
    def is_good(self) -> bool:
        return self.status is not None and 200 <= self.status < 300  # noqa: PLR2004  what HTTP calls a success


@dataclass(frozen=True)
class Place:
    """Where an address leads: the host as it was written, and the checked address of the network."""

    scheme: str
    host: str
    port: int
    address: str
    path: str


def place_of(url: str, *, allowed: Collection[str] | None = None) -> Place:
    """Find where a URL leads; raise AddressRefusedError for anywhere but the internet, and for what is no URL.

    Hosts that the operator allows may be anywhere, and need no HTTPS.
    """
    allowed = settings.WEBHOOK_HOSTS if allowed is None else allowed
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
        host = host if HOST.fullmatch(host) else host.encode("idna").decode()
    except (ValueError, UnicodeError) as error:
        raise AddressRefusedError(_("This is no address of the internet.")) from error
    is_allowed = host in allowed
    if (
        parts.scheme not in PORTS
        or not HOST.fullmatch(host)
        or parts.username is not None
        or parts.password is not None
    ):
        raise AddressRefusedError(_("This is no address of the internet."))
    if parts.scheme != "https" and not is_allowed:
        raise AddressRefusedError(_("The address has to begin with https://."))
    port = port or PORTS[parts.scheme]
    if port != PORTS[parts.scheme] and not is_allowed:
        raise AddressRefusedError(_("Another port than the usual one is not allowed."))
    addresses = _addresses(host, port)
    if not is_allowed and not all(_is_of_internet(address) for address in addresses):
        raise AddressRefusedError(_("%(host)s leads into a network of its own.") % {"host": host})
    path = parts.path or "/"
    return Place(parts.scheme, host, port, addresses[0], f"{path}?{parts.query}" if parts.query else path)


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise AddressRefusedError(_("%(host)s is not known to the name server.") % {"host": host}) from error
    return [str(info[4][0]) for info in found]


def _is_of_internet(text: str) -> bool:
    """Tell whether an address is one of the internet, whatever form it is written in."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv4Address):
        return _is_global(address)
    inner = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
    if address in NAT64:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is not None:
        return _is_global(inner)
    return address in GIVEN_OUT and _is_global(address) and not any(address in net for net in OF_NOBODY)


def _is_global(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    is_relay = isinstance(address, ipaddress.IPv4Address) and address in RELAYS
    return address.is_global and not address.is_multicast and not is_relay


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send a body to an address; whatever goes wrong is an answer without a status, which does not name the address."""
    try:
        place = place_of(url)
    except AddressRefusedError as error:
        return Answer(None, str(error))
    sent = {"Host": _host_header(place), "User-Agent": "Tierboard", **headers}
    connection = _connection(place)
    deadline = Timer(DEADLINE, _cut, [connection])
    deadline.daemon = True
    deadline.start()
    try:
        connection.request("POST", place.path, body=body, headers=sent, preload_content=False)
        got = connection.getresponse()
        text = got.read(MOST_READ, decode_content=False).decode("utf-8", "replace")
        return Answer(got.status, text.replace("\0", "�"), got.headers.get("Retry-After", ""))
    except (HTTPError, HTTPException, OSError) as error:
        return Answer(None, type(error).__name__)
    finally:
        deadline.cancel()
        connection.close()


def _cut(connection: HTTPConnection) -> None:
    """End a request that takes too long: a receiver that sends a byte now and then never runs into a time limit."""
    if connection.sock is not None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)


def _host_header(place: Place) -> str:
    host = f"[{place.host}]" if ":" in place.host else place.host
    return host if place.port == PORTS[place.scheme] else f"{host}:{place.port}"


def _connection(place: Place) -> HTTPConnection:
    if place.scheme == "http":
        return HTTPConnection(place.address, place.port, timeout=WAIT)
    return HTTPSConnection(
        place.address, place.port, timeout=WAIT, server_hostname=place.host, assert_hostname=place.host
    )
