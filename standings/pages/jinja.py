"""The environment of the compiled templates in templates/jinja."""

import re
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.templatetags.static import static
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from jinja2 import Environment
from jinja2.ext import Extension
from markupsafe import Markup

from league import formats
from league.hooks.tray import n_waiting
from league.models import Season
from league.templatetags.formatting import (
    NONE,
    badge_html,
    change,
    current,
    keep_messages,
    may,
    moment,
    moved_html,
)
from payouts.queries import rules_of, structures_of_events
from payouts.words import rules_in_words, structure_in_words
from standings.pages.charts.ratings import spark
from standings.queries import WorkState, seasons_beside

INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


@lru_cache(maxsize=4096)
def spark_svg(rates: str) -> Markup:
    """A sparkline; hidden from screen readers, since it repeats the row.

    Remembered, because a new result leaves the last rates of most players as they were.
    """
    values = list(map(float, rates.split()))
    if len(values) < 2:  # noqa: PLR2004  a line takes two points
        return Markup("")
    drawn = spark(values)
    return Markup(  # noqa: S704  made of numbers alone
        f'<svg class="spark" viewBox="0 0 68 20" aria-hidden="true"><polyline class="line" points="{drawn.line}"/>'
        f'<circle class="dot" cx="{drawn.x}" cy="{drawn.y}" r="2.4"/></svg>'
    )


def rate_html(rate: float | None, last_rates: str, player_id: int, player_address: str, query: str) -> Markup:
    """A rate with its link and a sparkline of the last rates."""
    if rate is None:
        return Markup("–")
    return Markup(  # noqa: S704  made of numbers and an address of ours
        f'<span class="rate"><a class="why" href="{player_address}{player_id}/{query}">{formats.whole_rate(rate)}</a>'
        f"{spark_svg(last_rates)}</span>"
    )


def played(
    n_events: int,
    profit: Decimal,
    total: Decimal,
    by: str,
    spoken: tuple[str, ...],
    pays_balances: bool = False,
) -> str:
    """The second line of a row on phones: what the table is ranked by stands in the last column.

    `spoken` is the language with the club's words, which are the same in every row.
    """
    text = _played_text(spoken, n_events, by, pays_balances)
    if by == "points":
        return text % {"n": n_events, "profit": formats.signed(profit, 2)}
    return text % {"n": n_events, "total": formats.points(total)}


@lru_cache(maxsize=4096)  # Finding a plural would take a tenth of the time of the table.
def _played_text(_spoken: tuple[str, ...], n_events: int, by: str, pays_balances: bool) -> str:
    if by == "points" and pays_balances:
        return ngettext("%(n)d game, %(profit)s a game", "%(n)d games, %(profit)s a game", n_events)
    if by == "points":
        return ngettext("%(n)d event, %(profit)s a tourney", "%(n)d events, %(profit)s a tourney", n_events)
    return ngettext("%(n)d event, total %(total)s", "%(n)d events, total %(total)s", n_events)


def ranked_from(n: int) -> str:
    return ngettext("Ranked by profit from %(n)d event on.", "Ranked by profit from %(n)d events on.", n) % {
        "n": n
    }


def not_ranked_by(rating: str) -> str:
    text = gettext("Players in placement have no position by %(rating)s; they follow below the ranked.")
    return text % {"rating": rating}


def placed_after(n: int, rating: str) -> str:
    text = (
        ngettext(
            "Newcomers are ranked by R after %(n)d game.", "Newcomers are ranked by R after %(n)d games.", n
        )
        if rating == "R"
        else ngettext(
            "Newcomers are ranked by TIER after %(n)d entry.",
            "Newcomers are ranked by TIER after %(n)d entries.",
            n,
        )
    )
    return text % {"n": n}


def progress(work: WorkState) -> str:
    text = gettext("Computing: %(done)s of %(total)s events done. Until then the old numbers stand.")
    return text % {"done": work.n_done, "total": work.n_events}


def computed_when(work: WorkState) -> str:
    return gettext("Points and ratings computed %(time)s") % {"time": moment(work.rated_at)}


def as_it_was(day: date) -> str:
    text = gettext("The leaderboard as it was after %(day)s.")
    return text % {"day": date_format(day, "DATE_FORMAT")}


def url(name: str, *args: object) -> str:
    """Find the address of a page, as Django's tag does."""
    return _address(get_script_prefix(), name, args)


@lru_cache(maxsize=4096)  # A page has some thirty; finding them took a tenth of its time.
def _address(_prefix: str, name: str, args: tuple[object, ...]) -> str:
    return reverse(name, args=args)


def rules_sentences(season: Season) -> list[str]:
    return [*rules_in_words(rules_of(season)), *_settled_otherwise(season)]


def _settled_otherwise(season: Season) -> list[str]:
    """Say which events of a season were settled by other points than its rules give now."""
    present = rules_of(season).points_structure
    return [
        ngettext(
            "%(n)d event was settled by other points: %(structure)s.",
            "%(n)d events were settled by other points: %(structure)s.",
            n,
        )
        % {"n": n, "structure": structure_in_words(structure)}
        for structure, n in structures_of_events(season)
        if structure != present
    ]


def penalty(value: Decimal) -> str:
    return gettext("penalty %(penalty)s") % {"penalty": formats.points(value)}


def chips(value: int) -> str:
    return gettext("chips %(chips)s") % {"chips": formats.signed(value)}


def expected(place: float) -> str:
    return gettext("expected %(expected)s") % {"expected": formats.number(place, 1)}


def clock(at: datetime | None) -> str:
    return f"{timezone.localtime(at):%H:%M}" if at else NONE


class Unindented(Extension):
    """Takes the indentation out of templates before they are compiled: readable there, not sent to the reader."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002  Jinja names them
        return INDENTATION.sub("", source)


def environment(**options: Any) -> Environment:
    extensions: list[str | type[Extension]] = ["jinja2.ext.i18n", Unindented]
    env = Environment(**options, extensions=extensions, trim_blocks=True, lstrip_blocks=True)  # noqa: S701  Django passes autoescape
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
        ranked_from=ranked_from,
        not_ranked_by=not_ranked_by,
        placed_after=placed_after,
        progress=progress,
        computed_when=computed_when,
        as_it_was=as_it_was,
        may=may,
        seasons_beside=seasons_beside,
        rules_sentences=rules_sentences,
        penalty=penalty,
        chips=chips,
        expected=expected,
    )
    env.globals.update(
        n_waiting=n_waiting, url=url, static=static, current=current, keep_messages=keep_messages
    )
    return env
