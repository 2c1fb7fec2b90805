"""Leaderboard controls: ordering tabs, search form, sortable headers, download links."""

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.templatetags.formatting import drawn, rating_name
from league.words import spoken
from payouts.queries import rules_of
from standings.filters import SELECTS
from standings.pages.jinja import url
from standings.pages.leaderboards import Leaderboard
from standings.pages.tables import HeadColumn, leaderboard_sorting
from standings.queries import orders_of

FILES = {"CSV": "standings-file", "XLSX": "standings-workbook", "JSON": "standings-json"}


class Controls(NamedTuple):
    """The drawn parts of a leaderboard that lead to others of it."""

    form: SafeString
    head: SafeString
    files: SafeString


def controls_of(shown: Leaderboard) -> Controls:
    season = shown.season
    choice = shown.choice | {"by": shown.by}
    return _drawn(
        spoken(),
        season.pool.kind,
        orders_of(season),
        tuple((name, value) for name, value in choice.items() if name != "page"),
        shown.day,
        tuple(url(f"standings:{name}", season.club.slug, season.slug) for name in FILES.values()),
        has_badges=shown.has_badges,
        pays_balances=rules_of(season).pays_balances,
    )


# Remembered, because they follow from these alone and not from results.
@lru_cache(maxsize=256)
def _drawn(
    _spoken: tuple[str, ...],
    kind: str,
    orders: tuple[str, ...],
    choices: tuple[tuple[str, str], ...],
    day: date | None,
    files: tuple[str, ...],
    *,
    has_badges: bool,
    pays_balances: bool,
) -> Controls:
    choice = dict(choices)
    kept = {name: value for name, value in choice.items() if value}
    filtered = {name: value for name, value in kept.items() if name not in {"by", "sort"}}
    columns = leaderboard_sorting(
        choice["by"], choice["sort"], kind, has_badges=has_badges, pays_balances=pays_balances
    ).columns
    form = {
        "rating": rating_name(kind),
        "profit": _("Balance per game") if pays_balances else _("Profit per tourney"),
        "orders": [(order, urlencode({"by": order} | filtered)) for order in orders],
        "choice": choice,
        "selects": {name: field for name, field in SELECTS.items() if has_badges or name != "badge"},
        "day": day,
    }
    head = [(column, _sort_address(column, kept)) for column in columns]
    addresses = [(label, f"{address}?{urlencode(kept)}") for label, address in zip(FILES, files, strict=True)]
    return Controls(
        drawn("leaderboard_form.jinja", form),
        drawn("leaderboard_head.jinja", {"head": head}),
        drawn("leaderboard_files.jinja", {"files": addresses}),
    )


def _sort_address(column: HeadColumn, kept: Mapping[str, str]) -> str:
    """The address that sorts by a column and keeps the reader's choice but the page; empty if it does not sort."""
    return f"?{urlencode(dict(kept) | {'sort': column.sort})}" if column.sort else ""
