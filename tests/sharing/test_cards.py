"""The words of the pictures, which are all that they say: no picture has to be read for it."""

from datetime import timedelta

import pytest
import time_machine

from league.models import Player
from league.services.seasons import close_season
from people.services.hidden_names import hide_name
from ratings.models import RatedEntry
from sharing.cards import Mark, badge_card, event_card, player_card, season_card
from standings.event_story.entries import event_page
from standings.event_story.facts import story_of
from standings.queries import leader_rows, standings_of
from standings.recomputation.service import recompute
from tests.factories import START, SeasonFactory, enter

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock():
    with time_machine.travel(START + timedelta(days=30)):
        yield


@pytest.fixture
def event():
    season = SeasonFactory(name="Winter Cup")
    enter(season, "Boris\nAda\nCleo\nDora")
    event = enter(season, "Ada\nBoris\nCleo\nDora", day=1)
    recompute(season.pool_id)
    return event


def cards(event):
    """Make all cards of an event, its season and its winner."""
    event = type(event).objects.select_related("season__club", "season__pool", "pool").get(pk=event.pk)
    page, season = event_page(event, page=1), event.season
    player = event.entries.get(place=1).player
    standing = standings_of(player)[0]
    rows = leader_rows(season.standings.filter(points_position__lte=3), "points", ())
    return {
        "event": event_card(event, page, story_of(event, page)),
        "season": season_card(season, season.summary, rows, is_over=season.is_closed),
        "player": player_card(player, standing),
        "badge": badge_card(player, standing),
    }


def test_an_event_says_who_won_and_the_first_of_many_or_all_of_one_table(event):
    card = cards(event)["event"]
    assert (card.club, card.corner) == (event.season.club.name, "Winter Cup, Jan. 7, 2026")
    assert card.title.startswith("Ada wins")
    assert [(row.place, row.name) for row in card.rows] == [
        ("1", "Ada"),
        ("2", "Boris"),
        ("3", "Cleo"),
        ("4", "Dora"),
    ]
    assert card.heads == ("Rate", "Points")
    assert card.foot == "4 entries, so 4 points were shared out."
    winner = RatedEntry.objects.get(event=event, place=1)
    assert card.badge == Mark(winner.badge, winner.is_provisional)
    assert card.rows[0].values[0] == f"+{winner.posterior_rate - winner.prior_rate:.0f}"


def test_a_season_leads_until_it_is_closed_and_is_won_then(event):
    card = cards(event)["season"]
    assert card.title == "Ada and Boris share the lead"
    assert [(row.place, row.name) for row in card.rows] == [("1", "Ada"), ("1", "Boris"), ("3", "Cleo")]
    assert card.badge is None, "two lead"
    assert card.foot == "4 players, 2 events"
    close_season(event.season, actor=event.season.club.memberships.get().user)
    assert cards(event)["season"].title == "Ada and Boris won together"


def test_a_player_stands_somewhere_and_is_in_placement(event):
    card = cards(event)["player"]
    assert card.title == "Ada"
    assert card.text.endswith(" of 4 in Winter Cup")
    assert [row.name for row in card.rows] == ["Rate", "Events", "Wins"]
    assert [row.values for row in card.rows][1:] == [("2",), ("1",)]
    assert cards(event)["badge"].title == "Ada is in placement"


def test_a_player_out_of_placement_is_what_the_badge_says(event):
    standing = standings_of(event.entries.get(place=1).player)[0]
    standing.badge, standing.is_provisional = "A2", False
    card = badge_card(standing.player, standing)
    assert card.title == "Ada is A2"
    assert card.badge == Mark("A2", False)


def test_a_player_without_results_has_a_card():
    player = Player.objects.create(club=SeasonFactory().club, name="Zoe", key="zoe")
    assert badge_card(player, None).words.split("\n")[:3] == [player.club.name, "", "Zoe"]


def test_no_card_says_a_hidden_name(event):
    ada = event.entries.get(place=1).player
    assert all("Ada" in card.words for name, card in cards(event).items() if name != "season")
    hidden = hide_name(ada, actor=None)
    recompute(event.season.pool_id)
    shown = cards(event)
    assert [name for name, card in shown.items() if "Ada" in card.words] == []
    assert hidden.name in shown["event"].words
