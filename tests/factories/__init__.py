"""Clubs, seasons, events and users for tests, made by the services of the site."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from unittest import mock

import factory
from django.contrib.auth.models import User

from entry.services.imports import import_events
from league.models import Club, Season
from league.queries import players_by_key
from league.services import seasons
from league.services.events import EventDetails, correct_result, enter_result
from payouts.services.rules import open_season_with_rules
from people.services.clubs import open_club
from reading.finishing_order.order import read_finishing_order
from reading.results import entries_of
from reading.tables.reading import read_file

RULES = {"structure": {"name": "vp_kid", "ties": "better"}, "attendance_points": 1, "min_events": 1}
# The same rules as the season form sends them.
RULES_TYPED = {
    "structure": "vp_kid", "ties": "better", "attendance_points": 1, "min_events": 1, "drop_worst": 0,
    "tie_breaks": "wins,profit",
}  # fmt: skip
MOST_EVENTS = 400  # of a file
START = datetime(2026, 1, 6, 19, 30, tzinfo=UTC)
FIRST_DAY = START.date()


class UserFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"person{n}")
    email = factory.LazyAttribute(lambda user: f"{user.username}@example.com")
    password = factory.django.Password("a-good-passphrase")


class ClubFactory(factory.Factory):
    class Meta:
        model = Club

    name = factory.Sequence(lambda n: f"Club {n}")
    slug = factory.Sequence(lambda n: f"club-{n}")
    time_zone = "UTC"
    is_public = True
    owner = factory.LazyFunction(UserFactory)

    @classmethod
    def _create(cls, _model, owner, **fields):
        return open_club(owner, **fields)


class SeasonFactory(factory.Factory):
    class Meta:
        model = Season

    club = factory.LazyFunction(ClubFactory)
    name = factory.Sequence(lambda n: f"Season {n}")
    starts_on = date(2026, 1, 1)
    ends_on = None
    rules = RULES

    @classmethod
    def _create(cls, _model, club, **fields):
        """Open a season, without a line of the history: tests count the changes that they make."""
        with mock.patch.object(seasons, "record_change"):
            return open_season_with_rules(club, **fields)


def names(n, start=0):
    """Make names that are not taken for misspellings of each other."""
    return [f"{'abcdefghijklmnopqrstuvwxyz'[i % 26] * 3}{i * i * 7 + 11}" for i in range(start, start + n)]


def enter(season, text, *, day=0, actor=None, balance=None, **details):
    """Enter an event from a text, like the form, `day` days after START; `balance` gives that of an entry."""
    starts_at = START + timedelta(days=day)
    entries = _read(season, text, starts_at, balance)
    return enter_result(season, EventDetails(starts_at, **details), entries, actor=actor)


def enter_many(season, orders, *, first=FIRST_DAY, every=7):
    """Import events from lists of names in order, one every `every` days: faster than to enter each."""
    for begin in range(0, len(orders), MOST_EVENTS):
        lines = ["event,date,player,place"]
        for number, order in enumerate(orders[begin : begin + MOST_EVENTS], begin):
            day = first + timedelta(days=every * number)
            lines += [f"Event {number},{day},{name},{place}" for place, name in enumerate(order, 1)]
        read = read_file("\n".join(lines).encode(), "results.csv", tz=season.club.tz)
        assert not read.problems, read.problems
        import_events(season, read.events, actor=None)


def correct(event, text, *, version=None, later=timedelta(0), balance=None, reason="", **details):
    """Correct an event from a text, like the form."""
    starts_at = event.starts_at + later
    entries = _read(event.season, text, starts_at, balance)
    return correct_result(
        event,
        EventDetails(starts_at, **details),
        entries,
        version=version or event.version,
        actor=None,
        reason=reason,
    )


def _read(season, text, starts_at, balance=None):
    order = read_finishing_order(text, known=players_by_key(season.club), starts_at=starts_at)
    assert order.is_ready, [
        (line.text, line.error, line.question) for line in order.shown_lines
    ] or order.error
    entries = entries_of(order)
    return [replace(entry, balance=balance(entry)) for entry in entries] if balance else entries
