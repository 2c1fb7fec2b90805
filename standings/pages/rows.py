"""The environment of the templates in templates/jinja, which draw the rows of long tables."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, ngettext
from jinja2 import Environment
from jinja2.ext import Extension
from markupsafe import Markup

from league import formats
from league.templatetags.formatting import NONE, badge_html, change, moved_html
from standings.pages.charts.ratings import spark

INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def spark_svg(rates: str) -> Markup:
    """Draw a sparkline; hidden from screen readers, since it repeats the row."""
    values = list(map(float, rates.split()))
    if len(values) < 2:  # noqa: PLR2004  a line takes two points
        return Markup("")
    drawn = spark(values)
    return Markup(  # noqa: S704  made of numbers alone
        f'<svg class="spark" viewBox="0 0 68 20" aria-hidden="true"><polyline class="line" points="{drawn.line}"/>'
        f'<circle class="dot" cx="{drawn.x}" cy="{drawn.y}" r="2.4"/></svg>'
    )


def rate_html(rate: float | None, last_rates: str, player_id: int, player_address: str, query: str) -> Markup:
    """Draw a rate with its link and a sparkline of the last rates."""
    if rate is None:
        return Markup("–")
    return Markup(  # noqa: S704  made of numbers and an address of ours
        f'<span class="rate"><a class="why" href="{player_address}{player_id}/{query}">{formats.whole_rate(rate)}</a>'
        f"{spark_svg(last_rates)}</span>"
    )


def played(n_events: int, profit: Decimal, total: Decimal, by: str, pays_balances: bool = False) -> str:
    """Write the second line of a row on phones: events played, and the profit or the total."""
    if by == "points" and pays_balances:
        text = ngettext("%(n)d game, %(profit)s a game", "%(n)d games, %(profit)s a game", n_events)
    elif by == "points":
        text = ngettext("%(n)d event, %(profit)s a tourney", "%(n)d events, %(profit)s a tourney", n_events)
    else:
        text = ngettext("%(n)d event, total %(total)s", "%(n)d events, total %(total)s", n_events)
    if by == "points":
        return text % {"n": n_events, "profit": formats.signed(profit, 2)}
    return text % {"n": n_events, "total": formats.points(total)}


def penalty(value: Decimal) -> str:
    """Write the penalty of an entry."""
    return gettext("penalty %(penalty)s") % {"penalty": formats.points(value)}


def chips(value: int) -> str:
    """Write the chips that an entry won or lost."""
    return gettext("chips %(chips)s") % {"chips": formats.signed(value)}


def expected(place: float) -> str:
    """Write the place that was expected of an entry."""
    return gettext("expected %(expected)s") % {"expected": formats.number(place, 1)}


def clock(at: datetime | None) -> str:
    """Write a time of day; a dash where there is none."""
    return f"{timezone.localtime(at):%H:%M}" if at else NONE


class Unindented(Extension):
    """Takes the indentation out of templates before they are compiled: readable there, not sent to the reader."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002  Jinja names them
        return INDENTATION.sub("", source)


def environment(**options: Any) -> Environment:
    """Make the environment."""
    extensions: list[str | type[Extension]] = ["jinja2.ext.i18n", Unindented]
    env = Environment(**options, extensions=extensions, trim_blocks=True, lstrip_blocks=True)  # noqa: S701  Django passes autoescape
    env.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]  # of the extension
    env.filters.update(
        number=formats.number,
        whole_rate=formats.whole_rate,
        signed=formats.signed,
        points=formats.points,
        grouped=formats.grouped,
        clock=clock,
        rate_html=rate_html,
        badge_html=badge_html,
        change=change,
        moved_html=moved_html,
        played=played,
        penalty=penalty,
        chips=chips,
        expected=expected,
    )
    return env
