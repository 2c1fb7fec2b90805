"""Opening a club and its settings."""

import pytest
from django.urls import reverse

from league.models import Change, Club, Membership, Role
from league.services.errors import Refused
from people.services.clubs import open_club, update_club
from tests.factories import ClubFactory, SeasonFactory, UserFactory
from tests.league.racing import at_once

pytestmark = pytest.mark.django_db
NEW = {"name": "Riverbank", "slug": "riverbank", "time_zone": "Asia/Tokyo", "is_public": "on"}
CREATE = "/clubs/new/"


def edit_url(club):
    return reverse("people:club-edit", args=[club.slug])


def test_anybody_with_an_account_opens_a_club_and_owns_it(people, client_of):
    client = client_of("stranger")
    assert client.get(CREATE).status_code == 200
    answer = client.post(CREATE, NEW)
    club = Club.objects.get(slug="riverbank")
    assert answer.url == reverse("payouts:season-create", args=["riverbank"])
    assert (club.name, club.time_zone, club.is_public) == ("Riverbank", "Asia/Tokyo", True)
    assert Membership.objects.get(club=club).user == people["stranger"]
    assert Membership.objects.get(club=club).role == Role.OWNER
    assert club.pools.count() == 1


@pytest.mark.parametrize("slug", ["", "another"])
def test_the_same_club_twice_is_refused_beside_its_name(client_of, slug):
    client = client_of("stranger")
    client.post(CREATE, NEW)
    again = client.post(CREATE, NEW | {"slug": slug})
    assert again.context["form"].errors == {"name": ["You have a club “Riverbank” already."]}
    assert Club.objects.filter(name="Riverbank").count() == 1


def test_an_address_that_another_club_has_is_refused(client_of):
    client_of("stranger").post(CREATE, NEW)
    again = client_of("owner").post(CREATE, NEW)
    assert list(again.context["form"].errors) == ["slug"]
    assert Club.objects.filter(name="Riverbank").count() == 1


def test_nobody_without_an_account_opens_a_club(client, db):
    assert client.post(CREATE, NEW).url == "/accounts/login/?next=/clubs/new/"
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "  "),
        ("name", "a" * 81),
        ("name", "River\u200bbank"),
        ("slug", "river bank"),
        ("slug", "川辺"),
        ("slug", "a" * 41),
        ("time_zone", "Europe/Atlantis"),
        ("time_zone", "localtime"),
    ],
)
def test_a_bad_club_is_reported_beside_the_field_and_not_opened(client_of, field, value):
    client = client_of("stranger")
    n_clubs = Club.objects.count()
    answer = client.post(CREATE, NEW | {field: value})
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [field]
    assert 'class="errorlist"' in answer.content.decode()
    assert answer.context["form"]["name"].value() == (NEW | {field: value})["name"]
    assert Club.objects.count() == n_clubs


def test_an_owner_changes_the_settings(season, client_of, people):
    club = season.club
    client = client_of("owner")
    assert client.get(edit_url(club)).status_code == 200
    answer = client.post(edit_url(club), {"name": "Hilltop", "time_zone": "Asia/Tokyo"})
    assert answer.url == club.get_absolute_url()
    stored = Club.objects.get()
    assert (stored.name, stored.slug, stored.time_zone, stored.is_public) == (
        "Hilltop",
        club.slug,
        "Asia/Tokyo",
        False,
    )
    change = Change.objects.get()
    assert (change.kind, change.actor) == ("club-changed", people["owner"])
    assert (change.before["time_zone"], change.after["time_zone"]) == ("UTC", "Asia/Tokyo")


def test_the_same_settings_twice_are_one_change(season, client_of):
    client = client_of("owner")
    for _press in range(2):
        client.post(edit_url(season.club), {"name": "Hilltop", "time_zone": "UTC", "is_public": "on"})
    assert Change.objects.count() == 1


def test_only_owners_change_the_settings(club, refused_to):
    refused_to(edit_url(club), {"name": "Taken over", "time_zone": "UTC"}, below="owner")
    assert not Club.objects.filter(name="Taken over").exists()


@pytest.mark.parametrize(("field", "value"), [("name", ""), ("name", "a\x07"), ("time_zone", "Nowhere")])
def test_bad_settings_are_reported_and_the_page_keeps_the_stored_name(club, client_of, field, value):
    answer = client_of("owner").post(edit_url(club), {"name": "Hilltop", "time_zone": "UTC"} | {field: value})
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [field]
    assert answer.context["form"][field].value() == value
    assert f"<span>{club.name}</span></a>" in answer.content.decode()
    assert Club.objects.get().name == club.name
    assert not Change.objects.exists()


def test_a_club_keeps_its_address_with_another_name(club, client_of):
    client_of("owner").post(edit_url(club), {"name": "Hilltop", "time_zone": "UTC", "slug": ""})
    assert (Club.objects.get().name, Club.objects.get().slug) == ("Hilltop", club.slug)


def test_the_form_of_a_club_has_the_language_of_the_page_and_proposes_an_address(client_of):
    client = client_of("stranger")
    page = client.get(CREATE, headers={"accept-language": "ja"})
    assert page.context["form"]["language"].value() == "ja"
    assert "data-zone" in page.content.decode()
    proposed = client.get(CREATE, {"name": "川辺ポーカークラブ"}, headers={"hx-request": "true"})
    assert proposed.content.decode() == "If you leave it empty: pokakurabu"
    client.post(CREATE, NEW | {"name": "川辺ポーカークラブ", "slug": "", "language": "ja"})
    assert Club.objects.filter(slug="pokakurabu", language="ja").exists()
    sent = client.post(CREATE, NEW | {"name": ""})
    assert "data-zone" not in sent.content.decode()  # what was chosen stays


def test_a_change_of_the_club_reaches_every_pool_of_it(people):
    club = ClubFactory()
    seasons = [SeasonFactory(club=club), SeasonFactory(club=club)]
    update_club(
        club,
        name="Hilltop",
        time_zone="UTC",
        is_public=True,
        requires_two_factor=False,
        actor=people["owner"],
    )
    assert {change.pool_id for change in Change.objects.all()} == {season.pool_id for season in seasons}


@pytest.mark.django_db(transaction=True)
def test_the_same_club_opened_at_once_is_one(tmp_path):
    owner = UserFactory()

    def open_it():
        try:
            return open_club(owner, name="Riverbank", time_zone="UTC", is_public=True).slug
        except Refused:
            return "refused"

    answers, n_clubs = at_once([open_it] * 3, Club.objects.count, tmp_path)
    assert sorted(answers) == ["refused", "refused", "riverbank"]
    assert n_clubs == 1
