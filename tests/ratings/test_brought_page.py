"""The page of ratings of an older system: preview, questions, saving, undo, and where they are explained."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import Change, Player
from ratings.models import BroughtRating
from standings.recomputation.service import recompute
from tests.factories import FIRST_DAY, enter
from tests.pages import markup_of
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db
DAY = (FIRST_DAY - timedelta(days=5)).isoformat()


def address_of(season, name="ratings:brought"):
    return reverse(name, args=[season.club.slug, season.pool_id])


@pytest.fixture
def address(season):
    return address_of(season)


def typed(text, *, version=0, **more):
    return {"text": text, "day": DAY, "version": version, **more}


def test_the_preview_shows_rates_and_badges_and_saves_nothing(address, organizer_client):
    text = "Ada 1700 350\nBoris 1234"
    for headers in ({}, {"hx-request": "true"}):
        page = organizer_client.post(address, typed(text), headers=headers)
        # 1700 - 0.84162 * 350 + 0.84162 * 440 is 1775.7, in the badge from 1700 to 1800; 1234 is in that from 1200 on.
        shown = [(each.line.rating.name, round(each.rate, 1), each.badge) for each in page.context["lines"]]
        assert shown == [("Ada", 1775.7, "A3"), ("Boris", 1234.0, "C2")]
        assert ("<textarea" in page.content.decode()) == (not headers)
    assert not BroughtRating.objects.exists()
    assert not Player.objects.exists()


def test_a_mean_whose_rate_would_be_below_the_floor_is_a_problem(address, organizer_client):
    """900 - 0.84162 * 440 + 0.84162 * 350 is 824.25; below it the rate shown would hide a debt."""
    page = organizer_client.post(address, typed("Ada 824 350\nBoris 825 350", save="1"))
    low, fits = (each.line for each in page.context["lines"])
    assert low.problem == "mu: at least 824.3 beside this sigma, or the rate would be below 900."
    assert fits.rating.mu == 825
    assert not BroughtRating.objects.exists()


def test_ratings_are_saved_and_taken_back_with_the_button(season, address, organizer_client):
    enter(season, "Ada\nBoris")
    organizer_client.post(address, typed("Ada 1700 350\nZoe 1600", save="1"))
    page = organizer_client.get(address)
    html = page.content.decode()
    assert "The ratings of 2 players are saved." in html
    assert page.context["form"]["text"].value().splitlines() == [
        "player\tmu\tsigma\tentries", "Ada\t1700\t350\t0", "Zoe\t1600\t440\t0",
    ]  # fmt: skip
    undo = re.search(r'action="([^"]+take-back/\?version=\d+)"', html)[1]
    for _press in range(2):
        organizer_client.post(undo)
    assert not BroughtRating.objects.exists()
    kinds = Change.objects.filter(kind=Change.Kind.RATINGS_BROUGHT)
    assert kinds.count() == 2


def test_saving_twice_is_one_change(address, organizer_client):
    for version in (0, 1):
        organizer_client.post(address, typed("Ada 1700 350", version=version, save="1"))
    assert Change.objects.filter(kind=Change.Kind.RATINGS_BROUGHT).count() == 1


def test_a_name_like_another_is_asked_about_before_anything_is_saved(season, address, organizer_client):
    enter(season, "Hanna Lind\nBoris")
    page = organizer_client.post(address, typed("Hana Lind 1700 350", save="1"))
    (question,) = page.context["asks"]
    assert not BroughtRating.objects.exists()
    answer = f"{question.id}={question.choices[0].value}"
    organizer_client.post(address, typed("Hana Lind 1700 350", save="1", answer=answer))
    assert BroughtRating.objects.get().player.name == "Hanna Lind"


def test_saving_what_is_there_offers_no_undo(season, address, organizer_client):
    organizer_client.post(address, typed("Ada 1700 350", save="1"))
    organizer_client.get(address)
    organizer_client.post(address, typed("Ada 1700 350", version=1, save="1"))
    html = organizer_client.get(address).content.decode()
    assert "Nothing has changed." in html
    assert "take-back" not in html


def test_what_somebody_else_saves_while_a_line_is_mended_is_not_overwritten(
    season, address, organizer_client
):
    assert organizer_client.get(address).context["form"]["version"].value() == 0
    organizer_client.post(address, typed("Boris 1600 350", save="1"))  # somebody else
    page = organizer_client.post(address, typed("Ada 1700 20", save="1"))
    assert page.context["form"]["version"].value() == "0"
    page = organizer_client.post(address, typed("Ada 1700 350", save="1"))
    assert "Somebody else has changed this" in page.content.decode()
    assert BroughtRating.objects.get().player.name == "Boris"
    version = page.context["form"]["version"].value()
    organizer_client.post(address, typed("Ada 1700 350", version=version, save="1"))
    assert BroughtRating.objects.get().player.name == "Ada"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": "Ada 1700 20"}, "sigma: a number from 300 to 500"),
        ({"day": ""}, "This field is required"),
        ({"day": "2199-01-01"}, "The day of the ratings has not come yet."),
        ({"version": 7}, "Somebody else has changed this"),
    ],
)
def test_what_cannot_be_saved_says_why_and_stays_typed(address, organizer_client, change, said):
    page = organizer_client.post(address, typed("Ada 1700 350", save="1") | change)
    assert said in page.content.decode()
    assert page.context["form"]["text"].value() == change.get("text", "Ada 1700 350")
    assert not BroughtRating.objects.exists()


def test_the_first_event_explains_where_the_rating_came_from(season, address, organizer_client, client):
    organizer_client.post(address, typed("Ada 1700 350", save="1"))
    first, second = enter(season, "Boris\nAda"), enter(season, "Ada\nBoris", day=3)
    recompute(season.pool_id)
    ada, boris = Player.objects.get(key="ada"), Player.objects.get(key="boris")

    def explained(event, player):
        return markup_of(
            client.get(reverse("standings:explanation", args=[season.club.slug, event.pk, player.pk]))
        )

    said = "Ada began with a rating of an older system"
    assert said in explained(first, ada)
    assert "1775.7" in explained(first, ada)
    assert said not in explained(second, ada)
    assert "older system" not in explained(first, boris)
    assert "Began here with a rating of an older system" in markup_of(client.get(ada.get_absolute_url()))
    assert "older system" not in markup_of(client.get(boris.get_absolute_url()))
    history = organizer_client.get(reverse("standings:changes", args=[season.club.slug]))
    assert "ratings brought forward" in markup_of(history)


def test_a_club_of_r_reads_r_and_games(club, organizer_client, client):
    season = profit_season(club)
    add_games(season)
    game = season.events.earliest("starts_at")
    player = game.entries.first().player
    address = address_of(season)
    page = organizer_client.get(address)
    assert "Fenwick 1540 120" in page.content.decode()
    organizer_client.post(address, typed(f"{player.name}\t1620\t150", save="1"))
    recompute(season.pool_id)
    url = reverse("standings:explanation", args=[club.slug, game.pk, player.pk])
    assert "began with an R of an older system" in markup_of(client.get(url))


def test_a_pool_without_ratings_has_no_such_page(season, address, organizer_client):
    season.club.pools.update(kind="none")
    assert organizer_client.get(address).status_code == 404
