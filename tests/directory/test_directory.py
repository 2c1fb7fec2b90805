"""Clubs are found if their owner and the operator want it: the directory, its search and the front page."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from directory.models import Listing, State
from directory.queries import found_listings
from directory.services.listings import (
    answer_listing,
    ask_for_listing,
    count_stale_listings,
    withdraw_listing,
)
from league.models import AccessChange, Club, GameKind, ListingRule, Notice, SiteRules
from league.services.errors import Refused
from people.services.clubs import update_club
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter
from tests.pages import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def anybody():
    return SiteRules.objects.create(pk=1, listing=ListingRule.ANYBODY)


def owner_of(club):
    return club.memberships.filter(role=40).first().user


def listed(place="", **fields):
    club = ClubFactory(**fields)
    ask_for_listing(club, place=place, actor=owner_of(club))
    return club


def names_of(listings):
    return [listing.club.name for listing in listings]


def rename(club, name):
    update_club(
        club,
        name=name,
        time_zone="UTC",
        is_public=True,
        requires_two_factor=False,
        actor=owner_of(club),
    )


@pytest.mark.parametrize(
    ("rule", "state"),
    [(ListingRule.ANYBODY, State.LISTED), (ListingRule.APPROVED, State.ASKED)],
)
def test_the_rule_of_the_operator_decides_what_asking_does(client, rule, state):
    SiteRules.objects.create(pk=1, listing=rule)
    club = listed(name="Tuesday Aces")
    assert Listing.objects.get().state == state
    for page in ("/", "/clubs/", "/clubs/?q=aces"):
        assert (club.get_absolute_url() in markup_of(client.get(page))) == (state == State.LISTED), page


def test_where_there_is_no_directory_nobody_asks(client_of, club, people):
    SiteRules.objects.create(pk=1, listing=ListingRule.NOBODY)
    with pytest.raises(Refused, match="no directory"):
        ask_for_listing(club, place="", actor=people["owner"])
    page = markup_of(client_of("owner").get(reverse("directory:listing", args=[club.slug])))
    assert "This site has no directory" in page
    assert 'name="place"' not in page


def test_a_club_is_unlisted_until_its_owner_asks(client, anybody):
    club = ClubFactory(name="Quiet Club")
    assert club.get_absolute_url() not in markup_of(client.get("/")) + markup_of(client.get("/clubs/"))
    assert "No club has asked to be listed yet" in markup_of(client.get("/clubs/"))
    assert client.get(club.get_absolute_url()).status_code == 200  # who has the address reads it


def test_an_owner_asks_and_takes_it_back_on_a_page(client_of, club, people):
    address = reverse("directory:listing", args=[club.slug])
    owner = client_of("owner")
    assert "Ask to be listed" in markup_of(owner.get(address))
    page = markup_of(owner.post(address, {"place": "Cork"}, follow=True))
    assert "The operator of the site will look at the club" in page
    assert owner.post(address, {"place": "Cork"}).status_code == 302  # works twice
    assert Listing.objects.get().place == "Cork"
    answer_listing(Listing.objects.get(), is_taken_in=True, actor=UserFactory(is_superuser=True))
    assert Notice.objects.filter(user=people["owner"], change__kind=AccessChange.Kind.CLUB_LISTED).exists()
    assert "Everybody finds the club" in markup_of(owner.get(address))
    for _press in range(2):
        owner.post(reverse("directory:listing-withdraw", args=[club.slug]))
    assert not Listing.objects.exists()
    kinds = AccessChange.objects.filter(club=club).values_list("kind", flat=True)
    assert list(kinds[:3]) == ["club-unlisted", "club-listed", "listing-asked"]


def test_bad_places_are_refused_and_kept(client_of, club):
    for place in ("Co\x0brk", "Cork\u202e", "x" * 61):
        answer = client_of("owner").post(reverse("directory:listing", args=[club.slug]), {"place": place})
        assert (answer.status_code, answer.context["form"].errors.keys()) == (200, {"place"}), place
    assert not Listing.objects.exists()


def test_a_listed_club_with_another_place_waits_again(club, people):
    ask_for_listing(club, place="Cork", actor=people["owner"])
    answer_listing(Listing.objects.get(), is_taken_in=True, actor=UserFactory(is_superuser=True))
    ask_for_listing(club, place="Cork", actor=people["owner"])
    assert Listing.objects.get().state == State.LISTED
    ask_for_listing(club, place="BUY CHIPS", actor=people["owner"])
    assert Listing.objects.get().state == State.ASKED


def test_private_hidden_and_deleted_clubs_are_not_shown(anybody, client):
    club = listed(name="Tuesday Aces")
    with pytest.raises(Refused, match="Only public clubs"):
        listed(name="Secret", is_public=False)
    for fields in ({"is_public": False}, {"is_public": True, "deleted_at": "2026-01-01T00:00Z"}):
        Club.objects.filter(pk=club.pk).update(**fields)
        for page in ("/", "/clubs/", "/clubs/?q=tuesday+acez"):
            assert club.get_absolute_url() not in markup_of(client.get(page)), (fields, page)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ({}, ["Tuesday Aces", "かもめ麻雀会", "Aces of Cork"]),
        ({"name": "aces"}, ["Tuesday Aces", "Aces of Cork"]),
        ({"name": "ＡＣＥＳ"}, ["Tuesday Aces", "Aces of Cork"]),
        ({"name": "day ac"}, ["Tuesday Aces"]),
        ({"name": "麻雀"}, ["かもめ麻雀会"]),
        ({"name": "%"}, []),
        ({"name": "_"}, []),
        ({"place": "cork"}, ["Aces of Cork"]),
        ({"name": "aces", "place": "co"}, ["Aces of Cork"]),
        ({"game": GameKind.MAHJONG_4}, ["かもめ麻雀会"]),
        ({"game": "nonsense"}, ["Tuesday Aces", "かもめ麻雀会", "Aces of Cork"]),
    ],
)
def test_any_part_of_a_name_finds_a_club(anybody, typed, found):
    listed(name="Aces of Cork", place="Cork")
    listed(name="かもめ麻雀会", place="横浜", plays=GameKind.MAHJONG_4)
    listed(name="Tuesday Aces")
    assert names_of(found_listings(**typed)) == found


def test_the_club_that_has_played_last_comes_first_and_counts_follow_results_and_names(anybody):
    first, second = listed(name="First"), listed(name="Second")
    assert names_of(found_listings()) == ["Second", "First"]
    enter(SeasonFactory(club=first), "Ada\nBoris")
    first.players.update(is_guest=False)
    assert count_stale_listings() == 1
    assert names_of(found_listings()) == ["First", "Second"]
    assert Listing.objects.get(club=first).n_members == 2
    rename(second, "Wednesday Kings")
    assert names_of(found_listings("second")) == ["Wednesday Kings"]
    assert count_stale_listings() == 1
    assert (names_of(found_listings("second")), names_of(found_listings("kings"))) == (
        [],
        ["Wednesday Kings"],
    )
    assert count_stale_listings() == 0


def test_a_search_without_a_hit_helps_on(anybody, client):
    listed(name="Thursday Poker Club")
    page = markup_of(client.get("/clubs/", {"q": "Tuesday Poker"}))
    assert "No listed club is called “Tuesday Poker”" in page
    assert "members get in by a link" in page
    assert "Thursday Poker Club" in page


def test_own_unlisted_clubs_are_found_by_their_members_alone(client):
    club = ClubFactory(name="Secret Gala Club", is_public=False)
    assert "Secret" not in markup_of(client.get("/clubs/", {"q": "gala"}))
    client.force_login(owner_of(club))
    assert club.get_absolute_url() in markup_of(client.get("/clubs/", {"q": "gala"}))


@pytest.mark.parametrize("page", ["x", "-1", "0", "99999999999", "2"])
def test_odd_pages_are_answered(anybody, client, page):
    listed(name="Aces")
    assert "Aces" in markup_of(client.get("/clubs/", {"page": page}))
    assert client.get("/clubs/", {"q": "\x00", "place": "\x00", "game": "\x00"}).status_code == 200


def test_the_front_page_shows_a_living_leaderboard(anybody, client):
    club = listed(name="Tuesday Aces")
    season = SeasonFactory(club=club)
    enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    count_stale_listings()
    page = markup_of(client.get("/"))
    assert [name for name in ("Ada", "Boris", "Cleo") if name in page] == ["Ada", "Boris", "Cleo"]
    assert season.get_absolute_url() in page


def test_front_page_and_directory_take_the_same_queries_and_size_for_any_number_of_clubs(anybody, client):
    counts, sizes = {}, {}
    for _round in range(2):
        for n in range(25):
            listed(name=f"Club of {n}", place=f"Town {n}")
        for page in ("/", "/clubs/", "/clubs/?q=club", "/clubs/?place=town", "/clubs/?page=2"):
            with CaptureQueriesContext(connection) as captured:
                html = client.get(page).content
            counts.setdefault(page, []).append(len(captured))
            sizes.setdefault(page, []).append(len(html))
    assert all(len(set(pair)) == 1 and max(pair) <= 8 for pair in counts.values()), counts
    assert all(abs(after - before) < 300 for before, after in list(sizes.values())[:4]), sizes


def test_withdrawing_leaves_the_club_as_it_is(anybody, club, people):
    ask_for_listing(club, place="", actor=people["owner"])
    withdraw_listing(club, actor=people["owner"])
    club.refresh_from_db()
    assert club.is_public


def test_a_renamed_club_is_looked_at_again_before_its_name_is_shown(client, club, people):
    """Otherwise an approved club could be renamed into an advertisement."""
    ask_for_listing(club, place="Cork", actor=people["owner"])
    answer_listing(Listing.objects.get(), is_taken_in=True, actor=UserFactory(is_superuser=True))
    before = club.name
    rename(club, "Buy chips here")
    assert before in markup_of(client.get("/clubs/"))
    assert "Buy chips" not in markup_of(client.get("/clubs/"))
    count_stale_listings()
    assert Listing.objects.get().state == State.ASKED
    assert club.get_absolute_url() not in markup_of(client.get("/clubs/"))


def test_a_rule_that_changes_counts_for_what_is_there(client, club, people):
    ask_for_listing(club, place="", actor=people["owner"])
    rules = SiteRules.objects.create(pk=1, listing=ListingRule.ANYBODY)
    ask_for_listing(club, place="", actor=people["owner"])
    assert club.get_absolute_url() in markup_of(client.get("/clubs/"))
    rules.listing = ListingRule.NOBODY
    rules.save()
    for page in ("/", "/clubs/"):
        assert club.get_absolute_url() not in markup_of(client.get(page))


def test_letters_that_are_long_once_they_are_folded_fit(anybody):
    club = listed(name="ﷺ" * 60, place="ﷺ" * 60)
    assert names_of(found_listings("ﷺ")) == [club.name]


def test_an_answer_after_the_owner_has_withdrawn_changes_nothing(club, people):
    ask_for_listing(club, place="", actor=people["owner"])
    listing = Listing.objects.get()
    withdraw_listing(club, actor=people["owner"])
    answer_listing(listing, is_taken_in=True, actor=UserFactory(is_superuser=True))
    assert not Listing.objects.exists()
