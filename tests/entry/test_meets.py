"""Meets: made of events of one day, changed, dissolved; results and ratings do not move."""

from datetime import date

import pytest
from django.urls import reverse

from entry.services.meets import change_meet, form_meet
from league.models import Change, Event, Meet
from league.services.errors import Refused
from league.services.events import correct_result, delete_event
from ratings.models import RatedEntry
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, enter

pytestmark = pytest.mark.django_db


def url(season, page="meet-create", *more):
    return reverse(f"entry:{page}", args=[season.club.slug, season.slug, *more])


@pytest.fixture
def games(season):
    """Two games on one day, one a week later."""
    return [
        enter(season, "Ada\nBoris\nCleo", name="Poker"),
        enter(season, "Boris\nAda", day=0.1, name="Mahjong"),
        enter(season, "Cleo\nAda", day=7, name="Alone"),
    ]


def typed(games, name="Autumn meet"):
    return {"name": name, "events": [str(game.pk) for game in games], "ordered_by": "total"}


def of(meet):
    return list(meet.events.order_by("starts_at").values_list("name", flat=True))


def test_a_meet_is_made_of_the_events_of_a_day(season, games, organizer_client, people):
    page = organizer_client.get(url(season)).content.decode()
    assert "Poker" in page
    assert "Alone" not in page
    answer = organizer_client.post(url(season), typed(games[:2]))
    meet = Meet.objects.get()
    assert answer.url == meet.get_absolute_url()
    assert (meet.name, meet.day, of(meet)) == ("Autumn meet", date(2026, 1, 6), ["Poker", "Mahjong"])
    change = Change.objects.first()
    assert (change.kind, change.season, change.actor) == ("meet-changed", season, people["organizer"])
    assert (change.before, change.after) == (
        {},
        {"name": "Autumn meet", "events": ["Poker", "Mahjong"], "ordered_by": "total"},
    )


def test_the_same_meet_twice_is_one(season, games, organizer_client):
    organizer_client.post(url(season), typed(games[:2]))
    again = organizer_client.post(url(season), typed(games[:2]))
    assert again.status_code == 200
    assert again.context["form"].errors
    assert Meet.objects.count() == 1


def test_only_organizers_make_meets(season, games, refused_to):
    refused_to(url(season), typed(games[:2]), below="helper")
    meet = Meet.objects.create(season=season, day="2026-01-06", name="Meet")
    refused_to(url(season, "meet-edit", meet.pk), typed(games[:2]), below="helper")
    refused_to(url(season, "meet-dissolve", meet.pk), below="helper", is_page=False)
    assert list(Meet.objects.values_list("name", flat=True)) == ["Meet"]
    assert not Event.objects.exclude(meet=None).exists()


@pytest.mark.parametrize(
    ("field", "name", "chosen", "message"),
    [
        ("name", "", [0, 1], "This field is required."),
        ("name", "a" * 81, [0, 1], "at most 80 characters"),
        ("name", "a\u200bb", [0, 1], "invisible control character"),
        ("events", "Meet", [], "This field is required."),
        ("events", "Meet", [0], "at least two events"),
        ("events", "Meet", [0, 2], "Select a valid choice."),
    ],
)
def test_a_bad_meet_is_reported_kept_and_not_made(
    season, games, organizer_client, field, name, chosen, message
):
    data = typed([games[i] for i in chosen], name)
    answer = organizer_client.post(url(season), data)
    assert list(answer.context["form"].errors) == [field]
    assert message in answer.context["form"].errors[field][0]
    assert answer.context["form"]["name"].value() == name
    assert not Meet.objects.exists()


def test_events_of_two_days_are_no_meet(season, games, organizer_client):
    second = enter(season, "Ada\nCleo", day=7.1, name="Second")
    answer = organizer_client.post(url(season), typed([games[0], second]))
    assert "all on one day" in answer.context["form"].errors["events"][0]


def test_the_day_is_the_clubs(club, organizer_client):
    club.time_zone = "Asia/Tokyo"  # 19:30 UTC is 4:30 of the next day, 12:00 still the same
    club.save()
    season = SeasonFactory(club=club)
    night = [enter(season, "Ada\nBoris", day=offset) for offset in (0, 0.1)]
    before = enter(season, "Ada\nBoris", day=-0.3)
    answer = organizer_client.post(url(season), typed([*night, before]))
    assert "events" in answer.context["form"].errors
    organizer_client.post(url(season), typed(night))
    assert Meet.objects.get().day == date(2026, 1, 7)


def test_services_refuse_what_the_form_cannot_offer(season, games, people):
    owner = people["owner"]
    foreign = enter(SeasonFactory(club=ClubFactory()), "Ada\nBoris")
    for chosen, message in (
        ([games[0]], "at least two"),
        ([games[0], games[2]], "all on one day"),
        ([games[0], foreign], "at least two"),
    ):
        with pytest.raises(Refused, match=message):
            form_meet(season, name="Meet", event_ids=[event.pk for event in chosen], actor=owner)
    form_meet(season, name="Meet", event_ids=[event.pk for event in games[:2]], actor=owner)
    third = enter(season, "Ada\nBoris", day=0.15)
    with pytest.raises(Refused, match="Poker is part of the meet Meet already"):
        form_meet(season, name="Other", event_ids=[games[0].pk, third.pk], actor=owner)


@pytest.fixture
def meet(season, games, people):
    return form_meet(
        season, name="Autumn meet", event_ids=[event.pk for event in games[:2]], actor=people["organizer"]
    )


def test_a_meet_is_changed_once(season, games, meet, organizer_client):
    third = enter(season, "Ada\nBoris", day=0.15, name="Chess")
    before = Change.objects.count()
    page = organizer_client.get(url(season, "meet-edit", meet.pk))
    assert page.context["form"]["name"].value() == "Autumn meet"
    assert page.content.decode().count(" checked") == 2
    for _press in range(2):
        organizer_client.post(url(season, "meet-edit", meet.pk), typed([games[1], third], "Winter meet"))
    meet.refresh_from_db()
    assert (meet.name, of(meet)) == ("Winter meet", ["Mahjong", "Chess"])
    assert Change.objects.count() == before + 1


def test_a_change_to_a_name_that_is_taken_is_refused(season, games, meet, people):
    others = [enter(season, "Ada\nBoris", day=offset) for offset in (0.12, 0.15)]
    second = form_meet(season, name="Second", event_ids=[event.pk for event in others], actor=people["owner"])
    with pytest.raises(Refused, match="has a meet of this name already"):
        change_meet(
            second, name="Autumn meet", event_ids=[event.pk for event in others], actor=people["owner"]
        )


def test_a_meet_is_dissolved_once_and_its_events_stay(season, meet, organizer_client):
    before = Change.objects.count()
    for _press in range(2):
        assert organizer_client.post(url(season, "meet-dissolve", meet.pk)).status_code == 302
    assert not Meet.objects.exists()
    assert Event.objects.filter(meet=None).count() == 3
    assert Change.objects.count() == before + 1


def test_a_meet_of_another_season_is_out_of_reach(season, organizer_client):
    foreign = Meet.objects.create(season=SeasonFactory(), day="2026-01-06", name="Foreign")
    assert organizer_client.post(url(season, "meet-edit", foreign.pk), {}).status_code == 404
    organizer_client.post(url(season, "meet-dissolve", foreign.pk))
    assert Meet.objects.get() == foreign


def test_neither_points_nor_ratings_move(season, games, organizer_client):
    def rows():
        points = list(Standing.objects.order_by("player").values_list("player", "total", "rate"))
        return points, list(RatedEntry.objects.order_by("pk").values_list("pk", "posterior_mu"))

    recompute(season.pool_id)
    before = rows()
    organizer_client.post(url(season), typed(games[:2]))
    recompute(season.pool_id)
    assert rows() == before


def test_a_game_of_a_meet_stays_on_its_day(season, games, meet):
    from reading.results import EntryInput, EventDetails
    from tests.factories import START, timedelta

    entries = [EntryInput("Ada", 1), EntryInput("Boris", 2)]
    with pytest.raises(Refused, match="part of the meet Autumn meet"):
        correct_result(games[0], EventDetails(START + timedelta(days=1)), entries, version=1, actor=None)
    moved = EventDetails(START + timedelta(hours=1), name="Poker")
    assert correct_result(games[0], moved, entries, version=1, actor=None).meet == meet


def test_a_meet_goes_with_its_last_event(season, games, meet, people):
    for n_left, game in ((1, games[0]), (0, games[1])):
        delete_event(game, version=1, actor=people["owner"])
        assert Meet.objects.count() == n_left
