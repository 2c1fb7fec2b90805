"""One truth about what is left: the pages of title, season, players and goals agree after whatever changes it."""

from datetime import UTC, date, datetime
from fractions import Fraction

import pytest
import time_machine
from django.urls import reverse

from forecasts.models import PoolQuality
from forecasts.queries import season_odds
from forecasts.services import claim_pools, compute_pool
from league.formats import ordinal
from league.models import PlannedEvent, Player, Season
from league.schedule import left_of
from league.services.schedule import EventPlan, cancel_planned_event, plan_events
from league.services.seasons import close_season
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import UserFactory, correct
from tests.forecasts.seasons import played
from tests.pages import text_of

pytestmark = pytest.mark.django_db
TODAY = datetime(2026, 2, 3, 12, tzinfo=UTC)
ONE_WEEK, TWO_WEEKS = (datetime(2026, 2, day, 19, tzinfo=UTC) for day in (10, 17))


@pytest.fixture
def season():
    with time_machine.travel(TODAY):
        yield played(4)


@pytest.fixture
def actor():
    return UserFactory(is_superuser=True)


def address(season, page, *more):
    return reverse(page, args=[season.club.slug, season.slug, *more])


def brought_up_to_date(season):
    recompute(season.pool_id)
    compute_pool(season.pool_id)
    return Season.objects.select_related("club", "rules", "pool__recomputation").get(pk=season.pk)


def what_pages_say(client, season):
    """The title page, the page of the season, and the section of goals of each player."""
    title = text_of(client.get(address(season, "forecasts:title")))
    table = text_of(client.get(address(season, "standings:season-table")))
    goals = {}
    for player in season.club.players.all():
        page = client.get(player.get_absolute_url()).content.decode()
        goals[player.name] = " ".join(page.partition('id="goals"')[2].partition("</section>")[0].split())
    return title, table, goals


def check(client, season):
    """Compare what the pages say with what is left, and with each other."""
    season = brought_up_to_date(season)
    title, table, goals = what_pages_say(client, season)
    left, odds = left_of(season, datetime.now(UTC)), season_odds(season, datetime.now(UTC))
    assert not odds.is_waiting
    assert odds.left == left
    n = f"{left.n} event is left" if left.n == 1 else f"{left.n} events are left"
    assert (f"{n}, planned" if left.is_planned else f"About {n}") in title
    assert (f"{n}, planned" if left.is_planned else f"About {n}") in table
    totals = dict(Standing.objects.filter(season=season).values_list("player__name", "total"))
    for each in odds.contenders:
        said = goals[each.player.name]
        if left.is_planned:
            assert f"With {left.n} event" in said or "place is certain" in said
        else:
            assert f"about {left.n} event" in said
        # What nobody can reach has no chance: a win has at most 3 points in a field of four, and 1 for coming.
        behind = max(totals.values()) - totals[each.player.name]
        assert behind <= 4 * left.n or not each.title
    for row in client.get(address(season, "forecasts:title")).context["rows"]:
        assert (
            row.possible.split(" to ")[0] in goals[row.contender.player.name] or "any place" in row.possible
        )
    return title, goals


@pytest.mark.parametrize("then", ["planned", "cancelled", "corrected", "ends sooner"])
def test_pages_agree_after_the_plan_or_a_result_has_changed(client, season, actor, then):
    check(client, season)
    first, _last = plan_events(
        season, plans=[EventPlan(ONE_WEEK), EventPlan(TWO_WEEKS, is_last=True)], actor=actor
    )
    title, _goals = check(client, season)
    assert "2 events are left, planned. Forecast of February 3." in title
    if then == "cancelled":
        cancel_planned_event(season, first.pk, actor=actor)
    elif then == "corrected":
        correct(season.events.order_by("starts_at").last(), "Dora\nCleo\nBoris\nAda")
    elif then == "ends sooner":
        PlannedEvent.objects.all().delete()
        Season.objects.filter(pk=season.pk).update(ends_on=date(2026, 2, 11))
    title, _goals = check(client, season)
    n = {"planned": 2, "cancelled": 1, "corrected": 2, "ends sooner": 1}[then]
    assert f"{n} event" in title


def test_chances_of_an_older_plan_are_not_shown(client, season, actor):
    season = brought_up_to_date(season)
    before = text_of(client.get(address(season, "forecasts:title")))
    assert "of 100, before" in before
    plan_events(season, plans=[EventPlan(ONE_WEEK, is_last=True)], actor=actor)
    for page in ("forecasts:title", "standings:season-table"):
        shown = text_of(client.get(address(season, page)))
        assert "of 100" not in shown
        assert "About" not in shown
    assert "The chances are being computed anew" in text_of(client.get(address(season, "forecasts:title")))
    title, _goals = check(client, season)
    assert "1 event is left, planned" in title


def test_an_estimate_is_made_again_each_day(season):
    brought_up_to_date(season)
    assert claim_pools(TODAY) == []
    # At midnight by the clock of the club the day is over.
    assert claim_pools(datetime(2026, 2, 5, tzinfo=UTC)) == [season.pool_id]


def test_of_a_closed_season_nothing_is_left(client, season, actor):
    check(client, season)
    close_season(season, actor=actor)
    season = brought_up_to_date(season)
    title, table, goals = what_pages_say(client, season)
    assert "left" not in table.partition("Rules of the season")[0].partition("Points race")[0]
    assert "How likely the title was" in title
    assert not any("event to come" in said or "is left" in said for said in goals.values())


def test_what_is_out_of_reach_says_so_everywhere(client, season, actor):
    """Dora has come last four times but once: with one event left nobody so far behind can win."""
    plan_events(season, plans=[EventPlan(ONE_WEEK, is_last=True)], actor=actor)
    title, goals = check(client, season)
    totals = dict(Standing.objects.values_list("player__name", "total"))
    far = [name for name, total in totals.items() if max(totals.values()) - total > Fraction(4)]
    assert far
    assert f"{'The other ' if len(far) > 1 else ''}{len(far)}" in title
    for name in far:
        assert f"{ordinal(1)} to" not in goals[name]
        assert Player.objects.filter(name=name).exists()


def test_without_a_quality_of_the_pool_the_chances_are_awaited(client, season):
    """As after a move of the season into a pool of which nothing is computed yet."""
    brought_up_to_date(season)
    PoolQuality.objects.all().delete()
    for page in ("forecasts:title", "standings:season-table"):
        assert client.get(address(season, page)).status_code == 200
    assert "being computed anew" in text_of(client.get(address(season, "forecasts:title")))
