"""Adding an award: works, twice, wrong user, bad input."""

import pytest

from league.models import Change
from standings.awards.services import MAX_AWARDS
from standings.models import Award
from tests.factories import ClubFactory, SeasonFactory, enter
from tests.standings.awards.choices import BAD, NEW, add, told_and_kept, url

pytestmark = pytest.mark.django_db


def test_an_award_is_added_below_the_others_and_logged(season, organizer_client, people):
    add(season)
    assert organizer_client.post(url(season, "award-edit"), NEW).url == url(season, "award-edit")
    award = Award.objects.last()
    assert (award.position, award.kind, award.min_events, award.player) == (2, "best_profit", 5, None)
    change = Change.objects.get()
    assert (change.kind, change.season, change.actor) == ("awards-changed", season, people["organizer"])
    assert change.before == {"awards": [["most_wins", "", 1, None]]}
    assert change.after["awards"][1] == ["best_profit", "", 5, None]


def test_the_same_award_twice_is_one(season, organizer_client):
    organizer_client.post(url(season, "award-edit"), NEW)
    again = organizer_client.post(url(season, "award-edit"), NEW)
    assert "The season has this award already." in again.content.decode()
    assert (Award.objects.count(), Change.objects.count()) == (1, 1)


def test_only_organizers_choose_awards(season, refused_to):
    award = add(season)
    before = Award.objects.values().get()
    refused_to(url(season, "award-edit"), NEW)
    refused_to(url(season, "award-change", award.pk), NEW | {"version": "1"})
    refused_to(url(season, "award-move", award.pk), {"to": "up"}, is_page=False)
    refused_to(url(season, "award-remove", award.pk), is_page=False)
    assert Award.objects.values().get() == before


@BAD
def test_a_bad_award_is_told_kept_and_not_added(season, organizer_client, field, typed, said):
    enter(season, "Ada\nBoris")
    told_and_kept(organizer_client.post(url(season, "award-edit"), NEW | typed), field, typed, said)
    assert not Award.objects.exists()


def test_an_award_of_ones_own(season, organizer_client):
    enter(season, "Ada\nBoris")
    typed = {"kind": "chosen", "title": " Best  dealer ", "player": "ADA", "min_events": ""}
    organizer_client.post(url(season, "award-edit"), typed)
    award = Award.objects.get()
    assert (award.title, award.player.name, award.min_events) == ("Best dealer", "Ada", 1)


def test_a_player_of_another_club_is_nobody_here(season, organizer_client):
    enter(SeasonFactory(club=ClubFactory()), "Ada\nBoris")
    typed = {"kind": "chosen", "title": "Best dealer", "player": "Ada"}
    assert "player" in organizer_client.post(url(season, "award-edit"), typed).context["form"].errors


def test_there_is_a_limit(season, organizer_client):
    for n in range(MAX_AWARDS):
        add(season, title=f"Award {n}")
    answer = organizer_client.post(url(season, "award-edit"), NEW)
    assert "at most 50 awards" in answer.content.decode()
