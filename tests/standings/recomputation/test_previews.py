"""A preview says what happens when the write is made: random corrections, each compared with its result."""

import random
from datetime import timedelta
from functools import partial

import pytest

from league.models import BinItem
from league.services.errors import Stale
from league.services.events import correct_result, delete_event, enter_result
from ratings.models import PlayerRating, RatedEntry
from reading.results import EntryInput, EventDetails
from standings.awards.services import add_award
from standings.awards.winners import season_awards
from standings.models import Standing
from standings.recomputation import previews
from standings.recomputation.previews import preview
from standings.recomputation.service import recompute
from tests.cases import seeds
from tests.factories import START
from tests.standings.all_rows import all_rows
from tests.standings.writer import PEOPLE, a_field

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def league(season, people):
    for day in range(4):
        fields = random.Random(day)
        enter_result(season, EventDetails(START + timedelta(days=day)), a_field(fields), actor=None)
    for kind in ("first_three", "most_wins", "most_improved"):
        add_award(season, kind=kind, title="", min_events=1, player=None, actor=people["owner"])
    recompute(season.pool_id)
    return season


def shown_now(season, ratings=PlayerRating, rate="rate"):
    """What the pages show of each player, and the winners."""
    rates = {
        pk: (rate, badge) for pk, rate, badge in ratings.objects.values_list("player__name", rate, "badge")
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


@pytest.mark.rest
@pytest.mark.parametrize("seed", seeds(1))
def test_the_preview_of_fifty_random_corrections_is_what_happens(league, seed):
    """CASES=6 tries 300 corrections."""
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


def test_of_many_later_entries_the_first_few_are_rated_again(league, monkeypatch):
    for day in range(5, 30):
        enter_result(
            league, EventDetails(START + timedelta(days=day)), a_field(random.Random(day)), actor=None
        )
    recompute(league.pool_id)
    monkeypatch.setattr(previews, "MOST_LATER", 60)
    monkeypatch.setattr(previews, "FEW_LATER", 30)
    event = league.events.first()
    result = EventDetails(START), [EntryInput(name, place) for place, name in enumerate(PEOPLE, start=1)]
    write = partial(correct_result, event, *result, version=event.version, actor=None)
    found = preview(league, write)
    assert found.n_later > 60
    later = RatedEntry.objects.filter(starts_at__lt=found.rated_until)
    assert 30 <= later.count() < 45
    before = dict(later.order_by("starts_at", "pk").values_list("player__name", "posterior_rate"))
    totals, _awards = shown_now(league)
    write()
    recompute(league.pool_id)
    after = dict(later.order_by("starts_at", "pk").values_list("player__name", "posterior_rate"))
    told = {mover.name: tuple(mover.rate) for mover in found.movers}
    assert {name: (before.get(name), after[name]) for name in told} == told
    assert set(told) >= {name for name in after if abs(after[name] - before.get(name, 0)) >= 0.05}
    now, _awards = shown_now(league)
    points = {name: tuple(zip(totals[name][2:], now[name][2:], strict=True)) for name in told}
    assert {mover.name: (mover.total, mover.rank) for mover in found.movers} == points


def test_what_a_write_refuses_leaves_nothing(league):
    event = league.events.first()
    rows = all_rows()
    with pytest.raises(Stale):
        preview(league, lambda: delete_event(event, version=7, actor=None))
    found = preview(league, lambda: delete_event(event, version=event.version, actor=None))
    assert all_rows() == rows
    assert not BinItem.objects.exists()
    assert found.movers
