"""A preview says what happens when the write is made: random corrections, each compared with its result."""

import random
from datetime import timedelta
from functools import partial

import pytest

from league.results import EventDetails
from league.services.events import correct_result, enter_result
from ratings.models import PlayerRating
from standings.awards.services import add_award
from standings.awards.winners import season_awards
from standings.models import Standing
from standings.previews import preview
from standings.recomputation.service import recompute
from tests.factories import START
from tests.standings.all_rows import all_rows
from tests.standings.test_way_back import a_field

pytestmark = pytest.mark.django_db


@pytest.fixture
def league(season, people):
    for day in range(4):
        fields = random.Random(day)
        enter_result(season, EventDetails(START + timedelta(days=day)), a_field(fields), actor=None)
    for kind in ("first_three", "most_wins", "most_improved"):
        add_award(season, kind=kind, title="", min_events=1, player=None, actor=people["owner"])
    recompute(season.pool_id)
    return season


def shown_now(season):
    """What the pages show of each player, and the winners."""
    rates = {
        pk: (rate, badge)
        for pk, rate, badge in PlayerRating.objects.values_list("player__name", "rate", "badge")
    }
    rows = {
        pk: row
        for pk, *row in Standing.objects.filter(season=season).values_list(
            "player__name", "total", "points_rank"
        )
    }
    awards = {
        str(won.award): [(place.place, [winner.name for winner in place.winners]) for place in won.places]
        for won in season_awards(season)
    }
    return {pk: (*rates.get(pk, (None, "")), *rows.get(pk, (None, None))) for pk in {*rates, *rows}}, awards


def said(found, side):
    """The same from a preview, of those who move."""
    players = {
        mover.name: tuple(getattr(getattr(mover, what), side) for what in ("rate", "badge", "total", "rank"))
        for mover in found.movers
    }
    return players, {move.title: getattr(move.winners, side) for move in found.awards}


NOTHING = (None, "", None, None)


def agrees(found, before, after):
    """The preview names everybody who moves, with both values to the bit, and every award that does."""
    for side, (players, awards) in (("before", before), ("after", after)):
        told, told_awards = said(found, side)
        assert told == {name: players.get(name, NOTHING) for name in told}
        assert told_awards == {title: awards[title] for title in told_awards}
    named = set(said(found, "after")[0])
    others = (before[0].keys() | after[0].keys()) - named
    for name in others:
        one, other = (side[0].get(name, NOTHING) for side in (before, after))
        assert one[1:] == other[1:]
        assert one[0] == other[0] or abs(one[0] - other[0]) < 0.05
    changed = {title for title in after[1] if before[1][title] != after[1][title]}
    assert changed == {move.title for move in found.awards}


@pytest.mark.one_database
@pytest.mark.parametrize("seed", range(6))
def test_the_preview_of_fifty_random_corrections_is_what_happens(league, seed):
    rng = random.Random(seed)
    for turn in range(50):
        event = rng.choice(list(league.events.order_by("pk")))
        result = EventDetails(START + timedelta(days=rng.randrange(9))), a_field(rng)
        write = partial(correct_result, event, *result, version=event.version, actor=None)
        rows, before = None if turn % 10 else all_rows(), shown_now(league)
        found = preview(league, write)
        assert rows is None or rows == all_rows()
        write()
        recompute(league.pool_id)
        agrees(found, before, shown_now(league))
