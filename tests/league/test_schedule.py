"""Planned events: made, changed, cancelled, answered; how many are left; and that results do not move."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from entry.forms.results import new_event_initial
from league.models import Change, PlannedEvent, Rsvp, Season
from league.schedule import left_of, planned_events
from league.services.errors import BadDay, Refused, Stale
from league.services.schedule import (
    EventPlan,
    cancel_planned_event,
    change_planned_event,
    plan_events,
    say_coming,
)
from league.services.seasons import close_season
from standings.models import Standing
from standings.pages.history.changes import change_line
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, UserFactory, enter

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 2, 3, 20, tzinfo=UTC)
TONIGHT = NOW.replace(hour=19)
WEEK = timedelta(days=7)


@pytest.fixture
def season():
    return SeasonFactory(ends_on=date(2026, 3, 31))


@pytest.fixture
def actor():
    return UserFactory()


@pytest.fixture(autouse=True)
def _today():
    with time_machine.travel(NOW, tick=False):
        yield


def plans(n=3, **fields):
    return [EventPlan(TONIGHT + i * WEEK, is_last=i == n - 1, **fields) for i in range(n)]


def test_what_is_planned_changes_no_standing_and_is_a_line_of_the_history(season, actor):
    enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    before = list(Standing.objects.order_by("player_id").values())
    plan_events(season, plans=plans(2, place="The Mill"), actor=actor)
    recompute(season.pool_id)
    after = list(Standing.objects.order_by("player_id").values())
    assert [{**row, "id": 0} for row in after] == [{**row, "id": 0} for row in before]
    change = Change.objects.first()
    assert (change.kind, change.actor, change.rated_from) == ("schedule-changed", actor, None)
    assert change_line(change, []).descriptions[:2] == [
        "Planned: – → 2026-02-03 19:00, 2026-02-10 19:00",
        "Place: – → The Mill",
    ]


def test_the_same_plan_twice_is_one_and_another_at_its_time_is_refused(season, actor):
    for _press in range(2):
        assert len(plan_events(season, plans=plans(), actor=actor)) == 3
    assert (PlannedEvent.objects.count(), Change.objects.count()) == (3, 1)
    with pytest.raises(Refused, match="planned for"):
        plan_events(season, plans=[EventPlan(TONIGHT, place="Elsewhere")], actor=actor)
    with pytest.raises(BadDay, match="not in the season"):
        plan_events(season, plans=[EventPlan(TONIGHT + 20 * WEEK)], actor=actor)


def test_a_plan_is_changed_by_who_has_seen_its_last_version(season, actor):
    first, second, _third = plan_events(season, plans=plans(), actor=actor)
    moved = EventPlan(TONIGHT + timedelta(hours=1), place="Upstairs", is_last=True)
    for _press in range(2):
        change_planned_event(first, plan=moved, version=1, actor=actor)
    assert Change.objects.count() == 2
    assert list(season.planned_events.filter(is_last=True)) == [first]
    with pytest.raises(Stale):
        change_planned_event(first, plan=EventPlan(TONIGHT), version=1, actor=actor)
    with pytest.raises(Refused, match="already"):
        change_planned_event(first, plan=EventPlan(second.starts_at), version=2, actor=actor)


def test_a_cancelled_plan_is_gone_and_its_open_form_says_so(season, actor):
    (first,) = plan_events(season, plans=plans(1), actor=actor)
    for _press in range(2):
        cancel_planned_event(season, first.pk, actor=actor)
    assert (PlannedEvent.objects.count(), Change.objects.count()) == (0, 2)
    with pytest.raises(Stale, match="taken away"):
        change_planned_event(first, plan=EventPlan(TONIGHT), version=1, actor=actor)
    with pytest.raises(Refused, match="not planned"):
        say_coming(first, user=actor, answer=Rsvp.Answer.YES)


def test_the_last_answer_of_a_member_counts_until_the_day_is_over(season, actor):
    (first,) = plan_events(season, plans=plans(1), actor=actor)
    for answer in (Rsvp.Answer.YES, Rsvp.Answer.YES, Rsvp.Answer.MAYBE):
        say_coming(first, user=actor, answer=answer)
    assert [rsvp.answer for rsvp in Rsvp.objects.all()] == ["maybe"]
    with time_machine.travel(NOW + timedelta(days=1)), pytest.raises(Refused, match="over"):
        say_coming(first, user=actor, answer=Rsvp.Answer.NO)


def test_what_is_left_is_known_where_one_is_the_last(season, actor):
    assert left_of(season, NOW) is None
    first, *_others = plan_events(season, plans=plans(), actor=actor)
    assert left_of(season, NOW).n == 3, "tonight has no result yet"
    assert left_of(season, NOW + timedelta(days=1)).n == 2
    enter(season, "Ada\nBoris", day=28)  # tonight
    assert [event.pk for event in planned_events(season.club, NOW)].count(first.pk) == 0
    assert left_of(season, NOW).n == 2
    assert left_of(season, NOW + 3 * WEEK).n == 0
    assert left_of(SeasonFactory(club=season.club), NOW) is None


def test_nothing_is_left_of_a_season_that_is_closed_or_over(season, actor):
    plan_events(season, plans=plans(), actor=actor)
    assert left_of(season, datetime(2026, 4, 1, tzinfo=UTC)).n == 0
    close_season(season, actor=actor)
    season.refresh_from_db()
    assert (left_of(season, NOW).n, planned_events(season.club, NOW)) == (0, [])
    with pytest.raises(Refused, match="closed"):
        plan_events(season, plans=plans(1), actor=actor)


def test_the_form_of_a_result_takes_over_what_was_planned_last(season, actor):
    plan_events(season, plans=plans(2, name="Club night"), actor=actor)
    initial = new_event_initial(season)
    assert (initial["day"], f"{initial['start']:%H:%M}", initial["name"]) == (
        date(2026, 2, 3), "19:00", "Club night",
    )  # fmt: skip
    enter(season, "Ada\nBoris", day=28)
    assert "name" not in new_event_initial(season)


def test_without_the_last_one_planned_the_rest_is_estimated_from_today(season, actor):
    """Mondays until the last day, from today on: not from the last one held."""
    Season.objects.filter(pk=season.pk).update(ends_on=date(2026, 3, 31))
    season.refresh_from_db()
    for week in range(3):
        enter(season, "Ada\nBoris", day=7 * week)
    today = datetime(2026, 3, 2, 12, tzinfo=UTC)
    left = left_of(season, today)
    assert [str(day) for day in left.days] == ["2026-03-09", "2026-03-16", "2026-03-23", "2026-03-30"]
    assert (left.is_planned, left.as_of) == (False, date(2026, 3, 2))
    plan_events(season, plans=[EventPlan(datetime(2026, 3, 12, 19, tzinfo=UTC))], actor=actor)
    assert [str(day) for day in left_of(season, today).days] == ["2026-03-12", "2026-03-19", "2026-03-26"]
    only = EventPlan(datetime(2026, 3, 20, 19, tzinfo=UTC), is_last=True)
    plan_events(season, plans=[only], actor=actor)
    left = left_of(season, today)
    assert ([str(day) for day in left.days], left.is_planned) == (["2026-03-12", "2026-03-20"], True)
