"""Leaderboard controls: ordering tabs, search form and download links."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from league.templatetags.formatting import rating_name
from league.vocabulary import gettext as _
from payouts.queries import rules_of
from standings.filters import SELECTS
from standings.pages.leaderboards import Leaderboard
from standings.queries import orders_of

FILES = {"CSV": "standings-file", "XLSX": "standings-workbook", "JSON": "standings-json"}


@dataclass(frozen=True)
class Controls:
    """The controls of a leaderboard: orders, search, filters, what of them is chosen, and downloads."""

    orders: list[tuple[str, str, str]]  # name, label, query
    q: str
    selects: list[tuple[str, str, list[tuple[str, str, bool]]]]  # name, label, options
    chosen: list[str]
    files: list[tuple[str, str]]  # label, address


def controls_of(shown: Leaderboard) -> Controls:
    """Make the controls of a leaderboard; each keeps the reader's other choices, but the page."""
    season = shown.season
    kept = {name: value for name, value in shown.choice.items() if value and name not in {"by", "page"}}
    names = {
        "points": _("Points"),
        "tier": rating_name(season.pool.kind),
        "profit": _("Balance") if rules_of(season).pays_balances else _("Profit"),
        "wins": _("%(Wins_word)s"),
        "attendance": _("Attendance"),
    }
    filters = {name: value for name, value in kept.items() if name != "sort"}
    query = urlencode({"by": shown.by} | kept)
    selects = [
        (name, field.label, _options(field.choices, shown.choice[name]))
        for name, field in SELECTS.items()
        if shown.has_badges or name != "badge"
    ]
    return Controls(
        orders=[(order, names[order], urlencode({"by": order} | filters)) for order in orders_of(season)],
        q=shown.choice["q"],
        selects=selects,
        chosen=[
            *([f"“{shown.choice['q']}”"] if shown.choice["q"] else []),
            *(
                str(text)
                for _name, _label, options in selects
                for value, text, is_one in options
                if value and is_one
            ),
        ],
        files=[
            (label, f"{reverse(f'standings:{page}', args=[season.club.slug, season.slug])}?{query}")
            for label, page in FILES.items()
        ],
    )


def _options(choices: Iterable[tuple[Any, Any]], chosen: str) -> list[tuple[str, str, bool]]:
    return [(value, text, str(value) == chosen) for value, text in choices]
