"""The environment of the templates in templates/jinja, which draw the rows of long tables."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone
from jinja2 import Environment
from jinja2.ext import Extension
from markupsafe import Markup

from league import formats
from league.templatetags.formatting import NONE, badge_html, change, moved_html
from league.vocabulary import gettext, ngettext
from standings.event_story.entries import EventRow
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


def rate_html(rate: float | None, last_rates: str) -> Markup:
    """Draw a rate with a sparkline of the last rates."""
    if rate is None:
        return Markup("–")
    return Markup(f'<span class="rate">{spark_svg(last_rates)}{formats.whole_rate(rate)}</span>')  # noqa: S704  numbers


def moved_small(places: int | None, up: str, down: str) -> Markup:
    """Draw places moved below a rank; nothing for those who have not moved."""
    return Markup(f"<small>{moved_html(places, up, down, '')}</small>" if places else "")  # noqa: S704  numbers


def played(n_events: int, n_wins: int, total: Decimal, places: int, by: str) -> str:
    """Write the second line of a row on phones: what the row is not ordered by."""
    wins = ngettext("%(n)d win", "%(n)d wins", n_wins) % {"n": n_wins} if n_wins else gettext("no win")
    if by in {"wins", "attendance"}:
        text = formats.number(total, places)
        first = ngettext("%(points)s point", "%(points)s points", 1 if text == "1" else 2) % {"points": text}
    else:
        first = ngettext("%(n)d played", "%(n)d played", n_events) % {"n": n_events}
    return formats.listed([first, wins])


def unlisted(row: EventRow) -> str:
    """Write what of an entry has no column: its penalty, and the chips won or lost."""
    parts = []
    if row.penalty:
        parts.append(gettext("penalty %(penalty)s") % {"penalty": formats.points(row.penalty)})
    if row.chips:
        parts.append(gettext("chips %(chips)s") % {"chips": formats.signed(row.chips)})
    return formats.listed(parts)


def in_columns_elsewhere(row: EventRow, sees_costs: bool, is_compact: bool) -> str:
    """Write the second line of an entry on phones, which have no columns for it."""
    parts = []
    if row.score is not None:
        parts.append(gettext("score %(score)s") % {"score": formats.grouped(row.score)})
    if row.expected is not None and not is_compact:
        parts.append(gettext("expected %(expected)s") % {"expected": formats.number(row.expected, 1)})
    if row.arrived_at:
        parts.append(gettext("in %(time)s") % {"time": clock(row.arrived_at)})
    if row.busted_at and not is_compact:
        parts.append(gettext("out %(time)s") % {"time": clock(row.busted_at)})
    if row.cost and sees_costs:
        parts.append(gettext("paid %(cost)s") % {"cost": row.cost})
    return formats.listed(parts)


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
        moved_small=moved_small,
        played=played,
        unlisted=unlisted,
        in_columns_elsewhere=in_columns_elsewhere,
    )
    return env
