"""Moving an event to another season: works, twice, wrong user, refused; a day that another season has."""

from datetime import date

import pytest

from entry.services.meets import form_meet
from league.models import Change, Event
from league.services.errors import Refused
from league.services.events import correct_result
from league.services.seasons import close_season, reopen_season
from reading.results import EntryInput, EventDetails
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.entry.event_forms import NOTHING, create_url, edit_url, filled, shows, stored
from tests.factories import RULES, START, SeasonFactory, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def winter(club):
    return SeasonFactory(club=club, name="Winter", starts_on=date(2026, 1, 1), ends_on=date(2026, 1, 9))


@pytest.fixture
def spring(club):
    structure = {"name": "inverse", "ties": "better"}
    rules = RULES | {"structure": structure}
    return SeasonFactory(club=club, name="Spring", starts_on=date(2026, 1, 5), rules=rules)


@pytest.fixture
def event(winter):
    return enter(winter, "Ada\nBoris\nCleo")


def moved(spring, **fields):
    return filled("Ada\nBoris\nCleo", **({"day": "2026-01-06", "into": spring.pk, "version": 1} | fields))


def move(event, season):
    entries = [EntryInput("Ada", 1), EntryInput("Boris", 2)]
    return correct_result(event, EventDetails(START), entries, version=1, actor=None, season=season)


def ranked(season):
    recompute(season.pool_id)
    rows = Standing.objects.filter(season=season).order_by("points_position")
    return [(row.player.name, float(row.points)) for row in rows]


def test_an_event_is_moved_and_both_seasons_are_computed_again(event, winter, spring, organizer_client):
    enter(winter, "Boris\nAda", day=1)
    before = dict(ranked(winter))
    for version in (1, 2):  # the second press changes nothing
        assert organizer_client.post(edit_url(event), moved(spring, version=version)).status_code == 302
    event.refresh_from_db()
    assert (event.season, event.version) == (spring, 2)
    kinds = [(change.kind, change.season) for change in Change.objects.all()[:2]]
    assert kinds == [("result-corrected", spring), ("event-moved", winter)]
    assert set(dict(ranked(winter))) == {"Ada", "Boris"}
    assert dict(ranked(winter)) != before
    assert set(dict(ranked(spring))) == {"Ada", "Boris", "Cleo"}
    assert event.rules.structure["name"] == "inverse"
    history = organizer_client.get(f"/c/{winter.club.slug}/changes/")
    assert shows(history, "Season: Winter → Spring")


def test_only_organizers_move(event, spring, client_of):
    for who in ("stranger", "foreign", "member"):
        assert client_of(who).post(edit_url(event), moved(spring)).status_code == 403
    client_of("helper").post(edit_url(event), moved(spring))
    assert Event.objects.get().season != spring


def test_no_event_is_moved_into_or_out_of_a_closed_season(event, winter, spring, organizer_client, people):
    close_season(spring, actor=people["organizer"])
    organizer_client.post(edit_url(event), moved(spring))
    with pytest.raises(Refused, match="Spring is closed"):
        move(event, spring)
    reopen_season(spring, actor=people["organizer"])
    close_season(winter, actor=people["organizer"])
    with pytest.raises(Refused, match="Winter is closed"):
        move(event, spring)
    assert Event.objects.get().season == winter


def test_an_event_of_a_meet_stays_with_it(event, winter, spring, people):
    other = enter(winter, "Boris\nAda")
    form_meet(winter, name="Meet", event_ids=[event.pk, other.pk], actor=people["organizer"])
    with pytest.raises(Refused, match="part of the meet Meet"):
        move(event, spring)


def test_a_season_of_another_club_is_not_chosen(event, organizer_client):
    foreign = SeasonFactory()
    organizer_client.post(edit_url(event), moved(foreign))
    assert Event.objects.get().season != foreign


def test_a_day_of_another_season_leads_there(event, winter, spring, organizer_client):
    late = moved(winter, day="2026-01-12")
    page = organizer_client.post(edit_url(event), late)
    assert f'name="put" value="{spring.pk}"' in page.content.decode()
    assert shows(page, "Put it into Spring")
    put = organizer_client.post(edit_url(event), {**late, "put": spring.pk, "preview": ""} | {"save": ""})
    assert put.status_code == 302
    event.refresh_from_db()
    assert (event.season, event.starts_at.date()) == (spring, date(2026, 1, 12))


def test_a_new_event_goes_into_the_season_of_its_day(winter, spring, organizer_client):
    data = filled("Ada\nBoris", day="2026-01-12", into=winter.pk)
    page = organizer_client.post(create_url(winter), data)
    assert shows(page, "Put it into Spring")
    assert stored() == NOTHING
    organizer_client.post(create_url(winter), data | {"put": spring.pk})
    assert Event.objects.get().season == spring


def test_a_day_of_no_season_leads_to_the_days_of_the_season(winter, organizer_client):
    page = organizer_client.post(create_url(winter), filled("Ada\nBoris", day="2026-01-12"))
    assert shows(page, "The days of Winter")
