"""Seasons and their rules: begun, changed, closed; points of finished events stay unless settled again."""

from datetime import date, timedelta
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Change, PlannedEvent, Rsvp, Season
from payouts.models import EntryPoints, EventRules, SeasonRules
from payouts.queries import rules_version
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import RULES, RULES_TYPED, SeasonFactory, UserFactory, enter, names
from tests.league.racing import at_once

pytestmark = pytest.mark.django_db
NEW = RULES_TYPED | {"name": "Spring 2026", "starts_on": "2026-01-01", "ends_on": ""}


def create_url(club):
    return reverse("payouts:season-create", args=[club.slug])


def url(season, page="payouts:season-edit"):
    return reverse(page, args=[season.club.slug, season.slug])


def points():
    rows = EntryPoints.objects.order_by("entry__event__starts_at", "entry__place")
    return [
        Fraction(numerator, denominator)
        for numerator, denominator in rows.values_list("numerator", "denominator")
    ]


BAD_SEASONS = [
    ("name", "", "This field is required."),
    ("name", "a" * 81, "at most 80 characters"),
    ("name", "a\u200bb", "invisible control character"),
    ("starts_on", "", "This field is required."),
    ("starts_on", "soon", "Enter a valid date."),
    ("ends_on", "2025-12-31", "The last day is before the first."),
    ("ends_on", "never", "Enter a valid date."),
    ("structure", "votes", "Select a valid choice."),
    ("structure", "", "This field is required."),
    ("ties", "coin", "Select a valid choice."),
    ("attendance_points", "-1", "greater than or equal to 0"),
    ("attendance_points", "101", "less than or equal to 100"),
    ("attendance_points", "1.5", "Enter a whole number."),
    ("min_events", "9999999999", "less than or equal to 1000"),
    ("min_events", "", "This field is required."),
]


def test_a_season_is_begun_with_its_rules(club, organizer_client):
    assert organizer_client.get(create_url(club)).status_code == 200
    answer = organizer_client.post(create_url(club), NEW | {"structure": "inverse", "ends_on": "2026-06-30"})
    season = Season.objects.get()
    assert answer.url == season.get_absolute_url()
    assert (season.name, season.slug) == ("Spring 2026", "spring-2026")
    assert (season.starts_on, season.ends_on) == (date(2026, 1, 1), date(2026, 6, 30))
    assert season.rules.structure == {"name": "inverse", "ties": "better"}


def test_the_same_season_twice_is_refused_beside_its_name(club, organizer_client):
    organizer_client.post(create_url(club), NEW)
    again = organizer_client.post(create_url(club), NEW)
    assert again.status_code == 200
    assert "already has a season “Spring 2026”" in again.context["form"].errors["name"][0]
    assert (Season.objects.count(), SeasonRules.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    ("name", "slug"),
    [("冬季リーグ", "fuyu-rigu"), ("Ça va?", "ca-va"), ("★☆", "2026-01-01"), ("n" * 80, "n" * 50)],
)
def test_every_name_has_an_address(club, organizer_client, name, slug):
    answer = organizer_client.post(create_url(club), NEW | {"name": name})
    assert Season.objects.get().slug == slug
    assert organizer_client.get(answer.url).status_code == 200


def test_only_organizers_begin_seasons(club, refused_to):
    refused_to(create_url(club), NEW)
    assert not Season.objects.exists()


@pytest.mark.parametrize(("field", "value", "message"), BAD_SEASONS)
def test_a_bad_season_is_reported_kept_and_not_begun(club, organizer_client, field, value, message):
    answer = organizer_client.post(create_url(club), NEW | {field: value})
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [field]
    assert message in answer.context["form"].errors[field][0]
    assert answer.context["form"][field].value() == value
    assert (Season.objects.count(), SeasonRules.objects.count()) == (0, 0)


def test_a_season_is_changed(season, organizer_client, people):
    page = organizer_client.get(url(season))
    assert page.context["form"]["name"].value() == season.name
    organizer_client.post(
        url(season), NEW | {"name": "Renamed", "attendance_points": 2, "ends_on": "2026-12-31"}
    )
    stored = Season.objects.get()
    assert (stored.name, stored.slug, stored.ends_on) == ("Renamed", season.slug, date(2026, 12, 31))
    assert stored.rules.attendance_points == 2
    assert set(Change.objects.values_list("kind", "actor")) == {
        ("season-changed", people["organizer"].pk),
        ("rules-changed", people["organizer"].pk),
    }


def test_the_same_change_twice_is_one(season, organizer_client):
    for _press in range(2):
        organizer_client.post(
            url(season), NEW | {"name": "Renamed", "structure": "inverse", "settle_again": "on"}
        )
    assert Change.objects.count() == 2


def test_only_organizers_change_seasons(season, refused_to):
    refused_to(url(season), NEW | {"name": "Taken"})
    assert Season.objects.get().name == season.name


@pytest.mark.parametrize(("field", "value", "message"), BAD_SEASONS)
def test_a_bad_change_of_a_season_is_reported_and_nothing_changes(
    season, organizer_client, field, value, message
):
    answer = organizer_client.post(url(season), NEW | {"structure": "inverse", field: value})
    assert answer.status_code == 200
    assert message in answer.context["form"].errors[field][0]
    stored = Season.objects.get()
    assert (stored.name, stored.rules.structure["name"]) == (season.name, "vp_kid")
    assert not Change.objects.exists()


def test_finished_events_keep_their_points_when_the_rules_change(season, organizer_client):
    enter(season, "\n".join(names(10)))
    recompute(season.pool_id)
    organizer_client.post(url(season), NEW | {"structure": "inverse", "attendance_points": 0})
    enter(season, "\n".join(names(10)), day=7)
    recompute(season.pool_id)
    vp_kid, inverse = [5, 3, 1, 1, 0, 0, 0, 0, 0, 0], [5, 2, 1, 1, 1, 0, 0, 0, 0, 0]
    assert points() == vp_kid + inverse
    assert set(EventRules.objects.values_list("structure__name", flat=True)) == {"vp_kid", "inverse"}
    assert Standing.objects.get(points_position=1).total == 10  # without attendance points


def test_settling_again_replaces_the_points_of_finished_events(season, organizer_client):
    enter(season, "\n".join(names(10)))
    recompute(season.pool_id)
    organizer_client.post(url(season), NEW | {"structure": "inverse", "settle_again": "on"})
    recompute(season.pool_id)
    assert points() == [5, 2, 1, 1, 1, 0, 0, 0, 0, 0]
    points_before = points()
    again = NEW | {"structure": "vp_kid", "version": rules_version(season)}
    assert organizer_client.post(url(season), again).status_code == 302
    recompute(season.pool_id, from_scratch=True)
    assert points() == points_before
    again |= {"settle_again": "on", "version": rules_version(season)}
    assert organizer_client.post(url(season), again).status_code == 302
    recompute(season.pool_id)
    assert points()[:2] == [5, 3]


def test_a_season_is_closed_and_opened_again_once_each(season, organizer_client, people):
    for closed, n_changes in (("1", 1), ("1", 1), ("0", 2), ("0", 2)):
        assert (
            organizer_client.post(url(season, "league:season-close"), {"closed": closed}).status_code == 302
        )
        assert Season.objects.get().is_closed is (closed == "1")
        assert Change.objects.count() == n_changes
    assert Change.objects.first().actor == people["organizer"]


def test_only_organizers_close_seasons(season, refused_to, organizer_client):
    refused_to(url(season, "league:season-close"), {"closed": "1"})
    assert Season.objects.get().is_closed is False


def test_closing_says_what_goes_and_leads_to_the_next_season(season, organizer_client):
    later = timezone.now() + timedelta(days=3)
    planned = PlannedEvent.objects.create(season=season, starts_at=later, name="Final")
    Rsvp.objects.create(planned_event=planned, user=UserFactory(), answer=Rsvp.Answer.YES)
    page = organizer_client.get(url(season, "league:season-close")).content.decode()
    assert all(
        text in page for text in ("1 planned event leaves the pages and calendars", "Final", "1 comes")
    )
    assert Season.objects.get().is_closed is False
    answer = organizer_client.post(url(season, "league:season-close"), {"closed": "1", "then": "begin"})
    assert answer.url == reverse("payouts:season-create", args=[season.club.slug])
    assert Season.objects.get().is_closed is True


def test_closing_without_saying_which_way_opens(season, organizer_client):
    for data in ({}, {"closed": "yes"}):
        assert organizer_client.post(url(season, "league:season-close"), data).status_code == 302
        assert Season.objects.get().is_closed is False


def test_a_season_of_another_club_is_out_of_reach(club, season, organizer_client):
    other = SeasonFactory()
    address = reverse("payouts:season-edit", args=[club.slug, other.slug])
    assert organizer_client.post(address, NEW).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_same_season_begun_at_once_is_one(tmp_path, club):
    from league.models import Club
    from league.services.errors import Refused
    from payouts.services.rules import open_season_with_rules

    def begin():
        try:
            return open_season_with_rules(
                Club.objects.get(pk=club.pk),
                name="Spring",
                starts_on=date(2026, 1, 1),
                ends_on=None,
                rules=RULES,
            ).slug
        except Refused:
            return "refused"

    answers, n_seasons = at_once([begin] * 3, Season.objects.count, tmp_path)
    assert sorted(answers) == ["refused", "refused", "spring"]
    assert n_seasons == 1


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (
            [("2025-01-01", "2025-12-31"), ("2026-01-01", None), ("2027-01-01", None)],
            1,
        ),  # the tests run at a fixed time in February 2026
        ([("2026-01-01", None), ("2026-02-01", "2026-02-28")], 1),
        ([("2025-01-01", "2025-06-30"), ("2025-07-01", "2025-12-31")], 1),
        ([("2025-01-01", "2025-12-31"), ("2026-03-01", None)], 0),
        ([("2026-03-01", None)], 0),
    ],
)
def test_the_menu_leads_to_the_season_of_today(club, client, days, expected):
    seasons = [
        SeasonFactory(
            club=club, starts_on=date.fromisoformat(first), ends_on=last and date.fromisoformat(last)
        )
        for first, last in days
    ]
    page = client.get(club.get_absolute_url()).content.decode()
    menu = page.partition("<nav")[2].partition("</nav>")[0]
    assert f'href="{seasons[expected].get_absolute_url()}"' in menu
