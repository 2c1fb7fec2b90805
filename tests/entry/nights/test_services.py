"""Saving the tables of a night: all or none, once, and each table corrected for itself."""

import uuid
from dataclasses import replace
from decimal import Decimal

import pytest

from entry.services.nights import correct_night, correct_table, enter_night
from league.models import Change, Entry, Event, Meet, Player, Season
from league.services.errors import BadResult, Refused, Stale
from league.services.seasons import close_season
from ratings.models import ProfitRating
from scores.rules import PRESETS
from standings.recomputation.service import recompute
from tests.entry.nights.tables import (
    BALANCES,
    EVENING,
    NAMES,
    SCORES,
    balances_table,
    make_cash_game,
    night_of,
    table,
)

pytestmark = pytest.mark.django_db
OTHERS = ("Eve", "Fumi", "Gus", "Hana")
TOKEN = uuid.UUID(int=7)


@pytest.fixture
def organizer(people):
    return people["organizer"]


def stored(event):
    rows = event.entries.order_by("place").values_list("player__name", "place", "score", "balance", "seat")
    return [(name, place, int(score), float(balance), seat) for name, place, score, balance, seat in rows]


def counts():
    return [model.objects.count() for model in (Event, Entry, Player, Meet, Change)]


def enter(season, game, organizer, *tables, token=TOKEN):
    return enter_night(night_of(season, game), tables or [table()], actor=organizer, form_token=token)


def as_read(meet):
    """The tables of a night as a page reads them, with their versions."""
    return [
        table(
            event.table,
            round=event.round,
            names=event.entries.order_by("seat").values_list("player__name", flat=True),
            scores=[int(score) for score in event.entries.order_by("seat").values_list("score", flat=True)],
            event_id=event.pk,
            version=event.version,
        )
        for event in meet.events.in_rating_order()
    ]


def test_a_night_is_a_meet_of_one_event_for_each_game(season, game, organizer):
    meet = enter(season, game, organizer, table(1), table(2, names=OTHERS), table(1, round=2))
    events = list(meet.events.in_rating_order())
    assert (meet.name, meet.day) == ("Tuesday", EVENING.date())
    assert [(event.name, event.round, event.table) for event in events] == [
        ("Tuesday 1-1", 1, 1), ("Tuesday 1-2", 1, 2), ("Tuesday 2-1", 2, 1),
    ]  # fmt: skip
    assert {(event.game, event.pool, event.table_size) for event in events} == {(game, game.pool, 4)}
    assert stored(events[0]) == [
        (name, place, score, float(balance), seat)
        for seat, (place, name, score, balance) in enumerate(
            zip((1, 2, 3, 4), NAMES, (42_200, 22_300, 20_500, 15_000), BALANCES, strict=True), start=1
        )
    ]
    changes = Change.objects.exclude(kind=Change.Kind.RATINGS_TOUCHED)  # of the pool that rates
    assert list(changes.values_list("kind", flat=True)) == [Change.Kind.RESULT_ENTERED] * 3
    recompute(game.pool_id)
    ratings = dict(ProfitRating.objects.values_list("player__name", "n_games"))
    assert ratings == dict.fromkeys(NAMES, 2) | dict.fromkeys(OTHERS, 1)


def test_sending_the_form_again_saves_one_night(season, game, organizer):
    tables = [table(1), table(2, names=OTHERS)]
    meet = enter(season, game, organizer, *tables)
    before = counts()
    assert enter(season, game, organizer, *tables) == meet
    assert counts() == before
    with pytest.raises(Refused, match="saved already"):
        enter(season, game, organizer, tables[0])
    with pytest.raises(Refused, match="saved already"):
        enter(
            season,
            game,
            organizer,
            tables[0],
            table(2, names=OTHERS, scores=(40_000, 22_300, 22_700, 15_000)),
        )
    assert counts() == before


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (
            table(2, names=OTHERS, scores=(42_200, 22_300, 20_500, 14_900)),
            "table 2: The sum is 99,900, it must be 100,000.",
        ),
        (table(2, names=("Eve", "Fumi", "Gus", "Eve")), "table 2: Eve is at this table twice."),
        (
            table(2, names=(*OTHERS, "Ida"), scores=(42_200, 22_300, 20_500, 15_000, 0)),
            "has 4 players, not 5.",
        ),
    ],
)
def test_nothing_is_saved_if_one_table_is_wrong(season, game, organizer, second, message):
    before = counts()
    with pytest.raises(BadResult) as caught:
        enter(season, game, organizer, table(1), second)
    assert message in str(caught.value)
    assert counts() == before


def test_the_rules_of_the_night_are_kept_with_each_game(season, game, organizer):
    rules = replace(PRESETS["mleague"], sticks="stay", house_per_player=Decimal("0.5"))
    tables = [table(scores=(42_200, 22_300, 20_500, 14_000), sticks_left=1)]
    meet = enter_night(night_of(season, game, rules=rules), tables, actor=organizer, form_token=TOKEN)
    event = meet.events.get()
    assert event.scoring == rules.to_dict() | {"house": "3", "sticks_left": 1}
    assert sum(event.entries.values_list("balance", flat=True)) == -3


def test_correcting_one_table_changes_its_event_alone(season, game, organizer):
    meet = enter(season, game, organizer, table(1), table(2, names=OTHERS))
    tables = as_read(meet)
    tables[1] = replace(tables[1], seats=table(names=OTHERS[::-1]).seats)
    assert correct_night(meet, night_of(season, game), tables, gone={}, actor=organizer) == meet
    assert [event.version for event in meet.events.in_rating_order()] == [1, 2]
    assert stored(meet.events.get(table=2))[0][0] == "Hana"
    before = counts()
    correct_night(meet, night_of(season, game), as_read(meet), gone={}, actor=organizer)
    assert counts() == before


def test_tables_are_added_and_taken_away(season, game, organizer):
    meet = enter(season, game, organizer, table(1), table(2, names=OTHERS))
    first, second = as_read(meet)
    night = night_of(season, game, name="Tuesday games")
    correct_night(
        meet, night, [first, table(1, round=2)], gone={second.event_id: second.version}, actor=organizer
    )
    meet.refresh_from_db()
    assert meet.name == "Tuesday games"
    assert [event.name for event in meet.events.in_rating_order()] == [
        "Tuesday games 1-1",
        "Tuesday games 2-1",
    ]
    gone = {read.event_id: read.version for read in as_read(meet)}
    with pytest.raises(Refused, match="at least one table"):
        correct_night(meet, night, [], gone=gone, actor=organizer)


def test_an_outdated_form_is_refused(season, game, organizer):
    meet = enter(season, game, organizer, table(1), table(2, names=OTHERS))
    tables = as_read(meet)
    event = meet.events.get(table=1)
    correct_table(
        event,
        night_of(season, game),
        replace(tables[0], seats=table(scores=SCORES[::-1]).seats),
        actor=organizer,
    )
    with pytest.raises(Stale):
        correct_night(meet, night_of(season, game), tables, gone={}, actor=organizer)
    with pytest.raises(Stale):  # one of the games is not in the form
        correct_night(meet, night_of(season, game), as_read(meet)[:1], gone={}, actor=organizer)
    assert stored(meet.events.get(table=1))[0][0] == "Dmitri"


def test_closed_seasons_and_shut_games_take_no_night(season, game, organizer):
    meet = enter(season, game, organizer)
    game.is_shut = True
    game.save()
    season = Season.objects.get(pk=season.pk)  # as the next request reads it
    with pytest.raises(Refused, match="is shut"):
        enter(season, game, organizer, token=uuid.UUID(int=8))
    close_season(season, actor=organizer)
    with pytest.raises(Refused, match="is closed"):
        correct_night(meet, night_of(season, game), as_read(meet), gone={}, actor=organizer)


def test_balances_of_a_cash_game(season, club, organizer):
    game = make_cash_game(club)
    rules = replace(PRESETS["mleague"], house_per_table=Decimal(5))
    night = night_of(season, game, rules=rules)
    tables = [balances_table(Ada="12.5", Boris="-20", Chie="2.5")]
    event = enter_night(night, tables, actor=organizer, form_token=TOKEN).events.get()
    assert list(
        event.entries.order_by("place").values_list("player__name", "place", "balance", "score", "seat")
    ) == [
        ("Ada", 1, Decimal("12.5"), None, None),
        ("Chie", 2, Decimal("2.5"), None, None),
        ("Boris", 3, Decimal(-20), None, None),
    ]
    with pytest.raises(BadResult, match="The sum is −15, it must be −5"):
        enter_night(
            night, [balances_table(Ada="5", Boris="-20")], actor=organizer, form_token=uuid.UUID(int=8)
        )
