"""A new season takes rules, rating pool and awards from an old one."""

from datetime import date

import pytest
from django.urls import reverse

from league.models import Change, Season
from league.services.pools import open_pool
from payouts.models import SeasonRules
from standings.models import Award
from tests.factories import RULES, RULES_TYPED, SeasonFactory

pytestmark = pytest.mark.django_db
RULES_OF_OLD = RULES | {
    "structure": {"name": "inverse", "ties": "worse"}, "best_n": 7, "drop_worst": 2, "missed_count_as_zero": True,
    "tie_breaks": ["profit"], "attendance_points": 3,
}  # fmt: skip
NEW = {"name": "Autumn", "starts_on": "2026-01-15", "ends_on": ""}


@pytest.fixture
def old(club, people):
    other = open_pool(club, name="Second", kind="tier", actor=people["owner"])
    old = SeasonFactory(club=club, name="Spring", starts_on="2025-01-01", rules=RULES_OF_OLD)
    Season.objects.filter(pk=old.pk).update(pool=other)
    Award.objects.create(season=old, position=1, kind="most_improved", title="Climber", min_events=4)
    Award.objects.create(season=old, position=5, kind="first_three")
    player = club.players.create(name="Ada", key="ada")
    Award.objects.create(season=old, position=6, kind="chosen", title="Fair play", player=player)
    old.refresh_from_db()
    return old


@pytest.fixture
def url(club):
    return reverse("payouts:season-create", args=[club.slug])


def sent_as_shown(page, **changes):
    """Read what a browser sends of the form of a page, with some fields changed."""
    form = page.context["form"]
    values = {field.name: field.value() for field in form}
    values["tie_breaks"] = ",".join(values["tie_breaks"])
    shown = {name: value for name, value in values.items() if value not in {None, False}}
    return {name: "on" if value is True else str(value) for name, value in shown.items()} | changes


def awards(season):
    return list(season.awards.values_list("position", "kind", "title", "min_events", "player"))


def rules(season):
    return SeasonRules.objects.filter(season=season).values(*RULES_OF_OLD, "min_events").get()


def test_the_latest_season_is_proposed_and_described(old, url, organizer_client):
    SeasonFactory(club=old.club, name="Older", starts_on="2024-01-01")
    page = organizer_client.get(url)
    assert page.context["form"]["taken_from"].value() == old.pk
    text = page.content.decode()
    assert "The new season begins with this from Spring." in text
    for words in (
        "Awards: Climber, First three on points.",
        "Rated in Second.",
        "3 points for attendance",
    ):
        assert words in text
    assert "Awards chosen by the organizers: Fair play." in text.partition("Not taken over:")[2]


def test_a_season_begins_with_all_of_it_once(old, url, organizer_client, people):
    sent = sent_as_shown(organizer_client.get(url), **NEW)
    for _press in range(2):
        organizer_client.post(url, sent)
    new = Season.objects.get(name="Autumn")
    assert new.pool == old.pool
    assert rules(new) == rules(old)
    assert awards(new) == [(1, "most_improved", "Climber", 4, None), (2, "first_three", "", 1, None)]
    changes = Change.objects.filter(season=new).order_by("version").values_list("kind", "actor")
    assert list(changes) == [(kind, people["organizer"].pk) for kind in ("season-opened", "awards-changed")]
    assert len(awards(old)) == 3


def test_nothing_is_taken_over_if_none_is_chosen(old, url, organizer_client):
    filled = organizer_client.post(
        url, sent_as_shown(organizer_client.get(url), **NEW, taken_from="", fill="1")
    )
    assert filled.context["taken_over"] is None
    organizer_client.post(url, sent_as_shown(filled))
    new = Season.objects.get(name="Autumn")
    assert (new.pool, rules(new)["attendance_points"], awards(new)) == (old.club.pools.first(), 1, [])


def test_another_season_is_filled_in_and_shown_before_it_is_taken(old, url, organizer_client):
    older = SeasonFactory(club=old.club, name="Older", starts_on="2024-01-01", rules=RULES | {"best_n": 4})
    sent = sent_as_shown(organizer_client.get(url), **NEW, taken_from=str(older.pk))
    shown = organizer_client.post(url, sent)  # as without scripts: chosen, and begun at once
    assert not Season.objects.filter(name="Autumn").exists()
    form = shown.context["form"]
    assert (form["name"].value(), form["starts_on"].value()) == ("Autumn", "2026-01-15")
    assert (form["best_n"].value(), form["filled_from"].value()) == (4, older.pk)
    assert "have been filled in again" in shown.content.decode()
    organizer_client.post(url, sent_as_shown(shown))
    new = Season.objects.get(name="Autumn")
    assert (rules(new)["best_n"], awards(new)) == (4, [])


def test_rules_that_were_filled_in_can_be_changed(old, url, organizer_client):
    organizer_client.post(url, sent_as_shown(organizer_client.get(url), **NEW, best_n="9"))
    new = Season.objects.get(name="Autumn")
    assert (rules(new)["best_n"], len(awards(new))) == (9, 2)


def test_a_pool_that_is_shut_is_not_taken_over(old, url, organizer_client):
    type(old.pool).objects.filter(pk=old.pool_id).update(is_shut=True)
    organizer_client.post(url, sent_as_shown(organizer_client.get(url), **NEW))
    assert Season.objects.get(name="Autumn").pool == old.club.pools.first()


@pytest.mark.parametrize("chosen", ["0", "9" * 30, "spring"])
def test_a_season_that_is_not_there_is_reported(old, url, organizer_client, chosen):
    foreign = SeasonFactory()
    for pk in (chosen, str(foreign.pk)):
        sent = RULES_TYPED | NEW | {"taken_from": pk, "filled_from": pk}
        answer = organizer_client.post(url, sent)
        assert list(answer.context["form"].errors) == ["taken_from"]
        assert answer.context["form"]["name"].value() == "Autumn"
    assert not Season.objects.filter(name="Autumn").exists()


def test_the_choice_is_shown_at_once_with_scripts(old, url, organizer_client):
    sent = sent_as_shown(organizer_client.get(url), **NEW, fill="1")
    page = organizer_client.post(url, sent, headers={"hx-request": "true"}).content.decode()
    assert '<main id="main"' in page
    preview = organizer_client.post(
        url, sent_as_shown(organizer_client.get(url)), headers={"hx-request": "true"}
    )
    assert '<main id="main"' not in preview.content.decode()


def test_the_first_season_of_a_club_has_nothing_to_take_over(club, url, organizer_client):
    assert "From an earlier season" not in organizer_client.get(url).content.decode()
    organizer_client.post(url, sent_as_shown(organizer_client.get(url), **NEW))
    assert Season.objects.get().awards.count() == 0


def test_a_season_begins_after_the_one_it_takes_over_from(old, url, organizer_client):
    for ends_on, first_day in (
        (None, date(2026, 2, 1)),
        ("2026-01-20", date(2026, 2, 1)),
        ("2026-02-14", date(2026, 2, 15)),
    ):
        Season.objects.filter(pk=old.pk).update(ends_on=ends_on)
        assert organizer_client.get(url).context["form"]["starts_on"].value() == first_day
