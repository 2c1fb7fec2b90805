"""The pages on which players are merged and un-merged."""

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from league.models import Event, Player, PlayerMerge
from people.services.claims import claim_player
from people.services.merges import merge_players
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def season_of_three(season):
    for day, text in enumerate(("Keane\nIris\nMoss", "Iris\nKeene (new)\nMoss", "Moss\nIris\nKeane")):
        enter(season, text, day=day)
    recompute(season.pool_id)
    return season


def named(name):
    return Player.objects.select_related("club").get(name=name)


def url(player):
    return reverse("standings:merge", args=[player.club.slug, player.pk])


def undo_url(merge):
    return reverse("standings:unmerge", args=[merge.club.slug, merge.pk])


def test_the_page_offers_near_names_that_never_met(season_of_three, organizer_client):
    answer = organizer_client.get(url(named("Keane")))
    assert answer.context["likely"] == [(named("Keene"), 1)]


def test_the_preview_is_what_happens(season_of_three, organizer_client):
    keane, keene = named("Keane"), named("Keene")
    answer = organizer_client.post(url(keane), {"other": "Keene"})
    found = answer.context["found"]
    assert (found.kept.n_evenings, found.merged.n_evenings, found.together.n_evenings) == (2, 1, 3)
    assert not PlayerMerge.objects.exists()
    organizer_client.post(url(keane), {"other": "keene", "keep": keane.pk, "save": "1"})
    recompute(season_of_three.pool_id)
    line = Standing.objects.get(season=season_of_three, player=keane)
    after = (line.total, line.rate, line.badge, line.points_rank)
    assert (found.together.total, found.together.rate, found.together.badge, found.together.rank) == after
    rates = dict(Standing.objects.filter(season=season_of_three).values_list("player", "rate"))
    assert {mover.player_id: mover.rate.after for mover in found.others} == {
        mover.player_id: rates[mover.player_id] for mover in found.others
    }
    assert found.others
    old_page = organizer_client.get(reverse("standings:player", args=[keane.club.slug, keene.pk]))
    assert old_page.url == keane.get_absolute_url()


def test_the_other_name_may_stay(season_of_three, organizer_client):
    keane, keene = named("Keane"), named("Keene")
    organizer_client.post(url(keane), {"other": "Keene", "keep": keene.pk, "save": "1"})
    assert set(Player.objects.values_list("name", flat=True)) == {"Keene", "Iris", "Moss"}


def test_the_page_of_the_player_leads_to_the_way_back(season_of_three, people, organizer_client):
    merge = merge_players(named("Keane"), named("Keene"), actor=people["owner"])
    page = organizer_client.get(named("Keane").get_absolute_url()).content.decode()
    day = date_format(timezone.localtime(merge.merged_at, merge.club.tz), "DATE_FORMAT")
    assert f"Also known as Keene, merged {day} by owner." in page
    assert undo_url(merge) in page
    for _press in range(2):
        organizer_client.post(undo_url(merge), {"save": "1"})
    assert named("Keene").entries.count() == 1


def test_later_events_are_asked_about(season_of_three, people, organizer_client):
    merge = merge_players(named("Keane"), named("Keene"), actor=people["owner"])
    later = enter(season_of_three, "Keene\nMoss", day=5)
    asked = organizer_client.post(undo_url(merge))
    assert asked.context["later"] == [later]
    assert PlayerMerge.objects.exists()
    organizer_client.post(undo_url(merge), {"save": "1", "later": [later.pk, "x"]})
    assert named("Keene").entries.filter(event=later).exists()


def test_two_who_met_are_refused_with_their_events(season_of_three, organizer_client):
    answer = organizer_client.post(url(named("Keane")), {"other": "Moss"})
    assert "so they are two people" in answer.context["error"]
    assert answer.context["met"] == list(Event.objects.filter(entries__player__name="Keane").order_by("pk"))
    assert 'value="Moss"' in answer.content.decode()


@pytest.mark.parametrize("typed", ["Nobody", "", "Keane", "\0"])
def test_an_unknown_name_is_named_and_kept(season_of_three, organizer_client, typed):
    answer = organizer_client.post(url(named("Keane")), {"other": typed})
    assert "No other player of this club has the name" in answer.content.decode()
    assert answer.context["typed"] == typed


def test_of_two_accounts_one_is_asked_for(season_of_three, people, organizer_client):
    for name, who in (("Keane", "member"), ("Keene", "helper")):
        claim_player(named(name), user=people[who], actor=people["owner"])
    answer = organizer_client.post(url(named("Keane")), {"other": "Keene", "save": "1"})
    assert "Which one keeps the player?" in answer.content.decode()
    assert not PlayerMerge.objects.exists()
    chosen = {"other": "Keene", "save": "1", "account": people["helper"].pk}
    organizer_client.post(url(named("Keane")), chosen)
    assert named("Keane").user == people["helper"]


def test_players_without_results_are_merged_too(club, organizer_client):
    for name in ("Keane", "Keene"):
        Player.objects.create(club=club, name=name, key=name.casefold())
    assert organizer_client.post(url(named("Keane")), {"other": "Keene"}).status_code == 200
    organizer_client.post(url(named("Keane")), {"other": "Keene", "save": "1"})
    assert Player.objects.count() == 1


def test_only_organizers_merge(season_of_three, people, refused_to):
    refused_to(url(named("Keane")), {"other": "Keene", "save": "1"})
    merge = merge_players(named("Keane"), named("Keene"), actor=people["owner"])
    refused_to(undo_url(merge), {"save": "1"})
    assert PlayerMerge.objects.get() == merge
