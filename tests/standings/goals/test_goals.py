"""What a player needs: badges as the next event then brings them, and places of the season."""

import re
from datetime import timedelta

import pytest
import time_machine

from league.models import PlannedEvent, Player, Pool, PoolKind, Season
from ratings.models import PlayerRating
from ratings.queries import spaced_badges
from ratings.services.settings import set_rating_settings
from standings.goals import seasons
from standings.goals.badges import badge_goal
from standings.goals.seasons import season_goal
from standings.goals.sentences import season_aim
from standings.queries import standings_of
from standings.recomputation.service import recompute
from tests.factories import RULES, START, SeasonFactory, enter, names
from tests.factories.games import PARAMS, play, profit_season
from tests.pages import markup_of
from tests.standings.pages.addresses import queries, url

pytestmark = pytest.mark.django_db
PEOPLE = ["Ada", *names(9)]


def played(season, n=4, shift=2):
    """Events a week apart, in each of which everybody finishes some places further down."""
    for i in range(n):
        order = PEOPLE[-i * shift :] + PEOPLE[: -i * shift] if i else PEOPLE
        enter(season, "\n".join(order), day=7 * i)
    recompute(season.pool_id)


def player(season, name="Ada"):
    return Player.objects.get(club=season.club, name=name)


def pool_of(season):
    return Pool.objects.select_related("recomputation").get(pk=season.pool_id)


def goal_of(season, name="Ada", now=None):
    return season_goal(standings_of(player(season, name)), now or START + timedelta(days=30))


def shown(client, season, name="Ada"):
    return markup_of(client.get(url("standings:player", season, player(season, name).pk)))


@pytest.mark.parametrize("place", [1, 5, 10])
def test_the_next_event_brings_the_badge_that_was_promised(season, place):
    played(season)
    goal = badge_goal(player(season), pool_of(season))
    assert goal.n_players == 10
    others = PlayerRating.objects.filter(pool=season.pool).exclude(player=player(season)).order_by("-mu")
    order = [rating.player.name for rating in others]
    order.insert(place - 1, "Ada")
    enter(season, "\n".join(order), day=28)
    recompute(season.pool_id)
    assert goal.cells[place - 1][:2] == (place, PlayerRating.objects.get(player=player(season)).badge)


def test_what_is_enough_and_what_is_safe_follow_from_the_places(season):
    played(season)
    goal = badge_goal(player(season), pool_of(season))
    brought = [letters for _place, letters, _is_first in goal.cells]
    assert len(brought) == 10
    order = ["S", "A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"]
    better = [order.index(letters) < order.index(goal.now) for letters in brought]
    assert goal.enough == sum(better)
    assert goal.safe == sum(order.index(letters) <= order.index(goal.now) for letters in brought)
    assert goal.now == PlayerRating.objects.get(player=player(season)).badge


def test_the_page_says_it_with_a_cell_for_each_place(client, season):
    played(season)
    page = shown(client, season)
    section = page.partition('id="goals"')[2].partition("</section>")[0]
    goal = badge_goal(player(season), pool_of(season))
    assert f"points to {goal.above}." in section
    assert f'class="aim {goal.above[0].lower()}"' in section
    assert len(re.findall(r"<li class=", section)) == 10
    assert "What does Ada need?" in section


def test_goals_are_worked_out_once_for_each_version(client, season):
    played(season)
    address = url("standings:player", season, player(season).pk)
    first, _answer = queries(client, address)
    again, _answer = queries(client, address)
    assert again <= first - 10
    assert again <= 9  # what is left is read each time: the plan and the day are in the key
    enter(season, "\n".join(PEOPLE[::-1]), day=40)
    recompute(season.pool_id)
    assert queries(client, address)[0] > again


ALONE = RULES | {
    "structure": {"name": "fixed_table", "votes": ["5", "3", "1"]}, "attendance_points": 0, "tie_breaks": [],
}  # fmt: skip


@pytest.fixture
def close_season():
    """10, 6, 1 and 1 points after two events of four."""
    season = SeasonFactory(rules=ALONE)
    enter(season, "Ada\nBoris\nCleo\nDan")
    enter(season, "Ada\nBoris\nDan\nCleo", day=7)
    recompute(season.pool_id)
    return season


def plan(season, n):
    days = [START + timedelta(days=14 + 7 * i) for i in range(n)]
    for day in days:
        PlannedEvent.objects.create(season=season, starts_at=day, is_last=day == days[-1])


def test_before_the_last_event_the_page_says_what_is_left(client, close_season):
    plan(close_season, 1)
    with time_machine.travel(START + timedelta(days=10), tick=False):
        page = shown(client, close_season, "Boris")
    assert f"4 points to 1st place in {close_season.name} (Ada)." in page
    assert "It takes a win among 4, and others who get little." in page
    assert "Nobody can take 2nd place at the next event." in page
    assert "With 1 event to come, 1st to 2nd place is left." in page
    assert "not known" not in page


def test_with_several_events_the_bounds_are_said(close_season):
    plan(close_season, 2)
    now = START + timedelta(days=10)
    goal = goal_of(close_season, "Cleo", now)
    assert (goal.n_left, goal.bounds.best, goal.most_gained) == (2, 1, 10)  # 11 points are more than 10
    plan_of_one = goal_of(close_season, "Cleo", now + timedelta(days=5))
    assert (plan_of_one.n_left, plan_of_one.bounds.best) == (1, 2)
    notes = " ".join(season_aim(plan_of_one).notes)
    assert "any place from 2nd down is left" in notes
    assert "1st place is out of reach" not in notes  # the next better place is the second


def test_what_is_out_of_reach_is_said_with_the_points(close_season):
    enter(close_season, "Ada\nCleo\nBoris\nDan", day=8)
    recompute(close_season.pool_id)
    plan(close_season, 1)
    aim = season_aim(goal_of(close_season, "Boris", START + timedelta(days=10)))
    assert aim.enough == ""
    assert "1st place is out of reach: 8 points away, at most 5 to come." in aim.notes
    leader = season_aim(goal_of(close_season, "Ada", START + timedelta(days=10)))
    assert leader.notes[-1] == "1st place is certain."


def test_without_a_plan_the_page_speaks_of_the_next_event(client, close_season):
    page = shown(client, close_season, "Boris")
    assert "How many events are left is not known, so this is about the next one." in page
    assert "After the next event: 1st to 2nd place." in page


def test_a_closed_or_ended_season_has_no_goal(close_season):
    assert goal_of(close_season, "Boris")
    Season.objects.update(ends_on=START.date() + timedelta(days=8))
    assert goal_of(close_season, "Boris") is None
    Season.objects.update(ends_on=None, is_closed=True)
    assert goal_of(close_season, "Boris") is None


def test_where_points_do_not_follow_places_only_the_distance_is_said(client):
    season = SeasonFactory(rules=ALONE | {"structure": {"name": "expression", "expression": "knockouts+n-k"}})
    enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    aim = season_aim(goal_of(season, "Boris"))
    assert aim.lead == f"1 point to 1st place in {season.name} (Ada)."
    assert (aim.enough, aim.notes) == ("", [])


def test_several_games_a_day_are_no_last_event(season):
    for game in range(2):
        enter(season, "Ada\nBoris\nCleo", day=game / 24)
    recompute(season.pool_id)
    assert goal_of(season, "Boris").by_size == ()


def test_pools_of_r_say_the_distance_to_a_badge(client):
    season = profit_season()
    settings = {"badge_bounds": spaced_badges(2000, 100)}
    set_rating_settings(season.pool, PARAMS, revision=0, actor=None, **settings)
    play(season, "Ada 30\nBoris 5\nCleo -10\nDan -25")
    recompute(season.pool_id)
    page = shown(client, season)
    goal = badge_goal(player(season), pool_of(season))
    assert goal.above == "B1"
    assert f"{goal.missing:.0f} of R to B1." in page
    assert goal.steps == ()


def test_pools_without_ratings_have_goals_of_the_season_alone(client, close_season):
    Pool.objects.filter(pk=close_season.pool_id).update(kind=PoolKind.NONE)
    page = shown(client, close_season, "Boris")
    assert "4 points to 1st place" in page
    assert 'class="ladder"' not in page


def test_large_seasons_are_not_gone_through(close_season, monkeypatch):
    monkeypatch.setattr(seasons, "MOST_ENTRIES", 7)
    goal = goal_of(close_season, "Boris")
    assert (goal.gap, goal.by_size, goal.bounds) == (4, (), None)
