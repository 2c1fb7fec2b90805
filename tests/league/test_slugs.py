"""Addresses of clubs and seasons: proposed, changed, and former ones that lead to the present ones."""

import pytest
from django.urls import reverse

from league.models import Change, Club, FormerAddress, Season
from league.services.bin import restore
from league.services.deletions import delete_season
from league.services.slugs import SlugTaken, propose_club_slug, propose_season_slug
from league.slugs import first_free_slug, slug_of
from people.services.clubs import open_club, update_club
from standings.pages.history.changes import change_lines
from tests.factories import RULES_TYPED, ClubFactory, SeasonFactory, UserFactory, enter

pytestmark = pytest.mark.django_db
RULES = RULES_TYPED | {"starts_on": "2026-01-01", "ends_on": ""}


def edit_url(season):
    return reverse("payouts:season-edit", args=[season.club.slug, season.slug])


def rename_club(club, slug, actor=None):
    settings = {"name": club.name, "time_zone": "UTC", "is_public": club.is_public}
    return update_club(club, **settings, requires_two_factor=False, slug=slug, actor=actor)


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Spring 2026", "spring-2026"),
        ("２０２６秋", "2026-aki"),
        ("2026年春季リーグ", "2026-haru-rigu"),
        ("マージャン・クラブ", "majan-kurabu"),
        ("しんじゅく杯", "shinjuku"),
        ("第３期", "3"),
        ("Ça va?", "ca-va"),
        ("川辺", ""),
        ("★☆", ""),
    ],
)
def test_names_are_written_in_plain_letters(name, address):
    assert slug_of(name, most=50) == address


def test_an_address_that_is_taken_gets_a_number_and_is_never_too_long():
    assert first_free_slug("2026", {"2026", "2026-2"}, most=50) == "2026-3"
    assert first_free_slug("abcdef", {"abcdef"}, most=6) == "abcd-2"


def test_a_season_named_in_japanese_is_begun_beside_one_of_the_same_year(club, organizer_client):
    SeasonFactory(club=club, name="2026")
    for name in ("２０２６秋", "２０２６ 王座"):
        organizer_client.post(
            reverse("payouts:season-create", args=[club.slug]), RULES | {"name": name, "slug": ""}
        )
    assert set(Season.objects.values_list("slug", flat=True)) == {"2026", "2026-aki", "2026-2"}


def test_the_form_says_which_address_a_season_will_have(club, organizer_client):
    SeasonFactory(club=club, name="2026")
    url = reverse("payouts:season-create", args=[club.slug])
    typed = {"name": "２０２６", "starts_on": "2026-01-01"}
    proposed = organizer_client.get(url, typed, headers={"hx-request": "true"})
    assert proposed.content.decode() == "If you leave it empty: 2026-2"
    shown_again = organizer_client.post(url, RULES | typed | {"starts_on": "soon"})
    assert shown_again.context["form"].fields["slug"].help_text == "If you leave it empty: 2026-2"


@pytest.mark.parametrize("slug", ["two words", "秋", "a" * 51, "spring/2026"])
def test_an_address_that_cannot_be_one_is_reported_and_kept(season, organizer_client, slug):
    answer = organizer_client.post(edit_url(season), RULES | {"name": season.name, "slug": slug})
    assert list(answer.context["form"].errors) == ["slug"]
    assert answer.context["form"]["slug"].value() == slug
    assert not FormerAddress.objects.exists()


def test_old_addresses_of_a_season_lead_to_the_new_one(season, organizer_client, client, people):
    old = season.slug
    for _press in range(2):
        sent = organizer_client.post(edit_url(season), RULES | {"name": season.name, "slug": "new"})
        assert sent.status_code in {302, 308}
    assert Season.objects.get().slug == "new"
    change = Change.objects.get(kind="season-changed")
    assert change.actor == people["organizer"]
    assert change_lines([change], [])[0].descriptions == [f"Address: {old} → new"]
    moved = client.get(reverse("standings:leaderboard", args=[season.club.slug, old]), {"by": "profit"})
    assert (moved.status_code, moved.url) == (301, f"/c/{season.club.slug}/s/new/?by=profit")
    assert moved.headers["Cache-Control"] == "no-store"
    assert client.get(moved.url).status_code == 200


def test_a_form_opened_before_the_address_changed_is_saved(season, organizer_client):
    old = reverse("league:player-create", args=[season.club.slug])
    rename_club(season.club, "hilltop")
    answer = organizer_client.post(old, {"name": "Ada"}, follow=True)
    assert answer.redirect_chain[0] == (reverse("league:player-create", args=["hilltop"]), 308)
    assert season.club.players.get().name == "Ada"


def test_old_addresses_of_a_club_lead_to_the_new_one(season, client, people):
    old, event = season.club.slug, enter(season, "Ada\nBoris")
    rename_club(season.club, "hilltop", people["owner"])
    for page in ("", "players/", f"s/{season.slug}/", f"events/{event.pk}/"):
        moved = client.get(f"/c/{old}/{page}")
        assert (moved.status_code, moved.url) == (301, f"/c/hilltop/{page}")
    api = client.get(reverse("api:seasons", args=[old]))
    assert (api.status_code, api.url) == (301, reverse("api:seasons", args=["hilltop"]))
    assert client.get(f"/c/{old}/nothing/").status_code == 404
    assert client.get("/c/hilltop/events/0/").status_code == 404


def test_old_addresses_of_club_and_season_lead_to_both_new_ones(season, organizer_client, client):
    old = season.club.slug, season.slug
    organizer_client.post(edit_url(season), RULES | {"name": season.name, "slug": "new"})
    rename_club(season.club, "hilltop")
    assert client.get(reverse("standings:leaderboard", args=old)).url == "/c/hilltop/s/new/"


def test_a_private_club_is_not_betrayed_by_its_old_address(client_of, people):
    club = ClubFactory(is_public=False)
    rename_club(club, "hidden")
    for who in ("anonymous", "stranger"):
        assert client_of(who).get(club.get_absolute_url()).status_code == 404


def test_nobody_else_gets_a_former_address_but_its_club_takes_it_again(people):
    club, other = ClubFactory(slug="riverbank"), ClubFactory()
    rename_club(club, "hilltop")
    with pytest.raises(SlugTaken):
        rename_club(other, "riverbank")
    with pytest.raises(SlugTaken):
        open_club(UserFactory(), name="New", slug="riverbank", time_zone="UTC", is_public=True)
    assert propose_club_slug("Riverbank") == "riverbank-2"
    rename_club(club, "riverbank")
    assert list(FormerAddress.objects.values_list("club", "slug")) == [(club.pk, "hilltop")]
    assert not Club.objects.filter(name="New").exists()


def test_another_season_does_not_get_a_former_address(season, organizer_client):
    old, other = season.slug, SeasonFactory(club=season.club)
    organizer_client.post(edit_url(season), RULES | {"name": season.name, "slug": "new"})
    answer = organizer_client.post(edit_url(other), RULES | {"name": other.name, "slug": old})
    assert "is taken" in answer.context["form"].errors["slug"][0]
    assert propose_season_slug(season.club, old, None) == f"{old}-2"
    assert propose_season_slug(SeasonFactory().club, old, None) == old


def test_a_season_from_the_bin_has_its_former_addresses_again(season, organizer_client, client, people):
    old = reverse("standings:leaderboard", args=[season.club.slug, season.slug])
    organizer_client.post(edit_url(season), RULES | {"name": season.name, "slug": "new"})
    item = delete_season(Season.objects.get(), actor=people["owner"])
    assert client.get(old).status_code == 404
    restore(season.club, item.pk, actor=people["owner"])
    assert client.get(old).status_code == 301


def test_only_owners_change_the_address_of_a_club(club, refused_to):
    refused_to(
        reverse("people:club-edit", args=[club.slug]),
        {"name": "x", "time_zone": "UTC", "slug": "mine"},
        below="owner",
    )
    assert not Club.objects.filter(slug="mine").exists()
