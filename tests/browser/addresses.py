"""Every page of a running site that its links lead to: one address for each name in the URL configuration and club."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin

from django.urls import Resolver404, ResolverMatch, resolve

# Links that change something about the browser, and pages that are not the site's own.
LEFT_OUT = {"league:language", "league:theme", "people:mail-stop"}
OTHERS = {"admin", "knox"}


class Page(NamedTuple):
    """Its name in the URL configuration, the club it is of, or "", and its address."""

    name: str
    club: str
    address: str

    @property
    def file_name(self) -> str:
        return re.sub(r"[^a-z0-9-]+", "-", f"{self.club or 'site'}-{self.name}")


# Returns the HTML of an address, or None if it has none.
Get = Callable[[str], str | None]


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a" and (href := dict(attrs).get("href")):
            self.found.append(href)


def every_page(get: Get, starts: list[str]) -> Iterator[tuple[Page, str]]:
    """Follow links from the starts, and yield the first page of each name and club with its HTML."""
    seen: set[tuple[str, str]] = set()
    waiting = deque(starts)
    while waiting:
        address = waiting.popleft()
        page = _page(address)
        if page is None or (page.name, page.club) in seen:
            continue
        seen.add((page.name, page.club))
        html = get(address)
        if html is not None:
            yield page, html
            waiting.extend(_links(html, address))


def _links(html: str, address: str) -> Iterator[str]:
    links = Links()
    links.feed(html)
    for href in links.found:
        whole = urldefrag(urljoin(address, href)).url
        if whole.startswith("/") and not whole.startswith("//"):
            yield whole


def _page(address: str) -> Page | None:
    try:
        match = resolve(address.partition("?")[0])
    except Resolver404:
        return None
    if match.view_name in LEFT_OUT or OTHERS & set(match.app_names):
        return None
    return Page(_name(match), match.kwargs.get("club_slug", ""), address)


def _name(match: ResolverMatch) -> str:
    return match.view_name or match.route
