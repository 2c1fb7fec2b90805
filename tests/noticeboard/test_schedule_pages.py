"""The pages of planned events: a helper plans, members answer, visitors read; calendars; what names are shown."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from league.models import Change, Membership, PlannedEvent, Player, Role, Rsvp
from people.services.claims import claim_player
from people.services.hidden_names import hide_name
from tests.factories import START, enter
from tests.standings.pages.addresses import queries

pytestmark = pytest.mark.django_db
TYPED = {
    "day": "2026-01-20", "start": "19:00", "name": "", "place": "The Mill", "note": "Bring\nchips", "n_events": "1"
}  # fmt: skip


@pytest.fixture(autouse=True)
def _clock():
    with time_machine.travel(START + timedelta(days=1), tick=False):
        yield


def to(page, season, *more):
    return reverse(f"noticeboard:{page}", args=[season.club.slug, *more])


def new(season):
    return to("plan-create", season, season.slug)


def test_a_helper_plans_a_week_of_events_by_the_clock_of_the_club(season, of):
    helper = of(Role.HELPER)
    for _press in range(2):
        answer = helper.post(new(season), TYPED | {"day": "2026-03-17", "n_events": "3", "is_last": "on"})
        assert answer.url == to("schedule", season)
    planned = list(PlannedEvent.objects.all())
    assert [f"{event.starts_at:%m-%d %H:%M}" for event in planned] == [
        "03-17 18:00", "03-24 18:00", "03-31 17:00",
    ], "summer time begins on March 29"  # fmt: skip
    assert [event.is_last for event in planned] == [False, False, True]
    assert {(event.place, event.note) for event in planned} == {("The Mill", "Bring chips")}
    assert Change.objects.filter(kind="schedule-changed").count() == 1


@pytest.mark.parametrize(
    ("field", "typed", "error"),
    [
        ("day", "2027-02-01", "is not in the season"),
        ("day", "2090-01-01", "three years ahead"),
        ("day", "soon", "Enter a valid date"),
        ("n_events", "99", "less than or equal to 60"),
        ("place", "x" * 121, "at most 120"),
        ("place", "The\u202eMill", "an invisible control character"),
        ("note", "Bring\x1bchips", "an invisible control character"),
    ],
)
def test_bad_input_is_named_at_its_field_and_kept(season, of, field, typed, error):
    page = of(Role.HELPER).post(new(season), TYPED | {field: typed})
    (shown,) = page.context["form"].errors[field]
    assert error in shown
    assert typed in page.content.decode()
    assert PlannedEvent.objects.count() == 0


def test_a_change_moves_it_and_a_form_that_is_too_old_is_refused(season, of):
    helper = of(Role.HELPER)
    helper.post(new(season), TYPED)
    planned = PlannedEvent.objects.get()
    edit = to("plan-edit", season, planned.pk)
    assert 'value="The Mill"' in helper.get(edit).content.decode()
    moved = TYPED | {"start": "20:30", "place": "Upstairs", "version": "1"}
    assert helper.post(edit, moved).url == to("schedule", season)
    planned.refresh_from_db()
    assert (f"{planned.starts_at:%H:%M}", planned.place, planned.version) == ("19:30", "Upstairs", 2)
    old = helper.post(edit, TYPED | {"version": "1"})
    assert "Somebody else has changed this" in old.content.decode()
    for _press in range(2):
        assert helper.post(to("plan-cancel", season, planned.pk)).url == to("schedule", season)
    assert PlannedEvent.objects.count() == 0


def planned_for(season, **fields):
    return PlannedEvent.objects.create(season=season, starts_at=START + timedelta(days=7), **fields)


def test_members_say_whether_they_come_and_see_who_does(season, of):
    enter(season, "Ada\nBoris")
    planned = planned_for(season, place="The Mill")
    ada, boris = of(Role.MEMBER, "ada-account"), of(Role.MEMBER, "boris-account")
    claim_player(Player.objects.get(name="Ada"), user=ada.user, actor=ada.user)
    for client, answer in ((ada, "yes"), (ada, "yes"), (boris, "maybe")):
        assert (
            client.post(to("come", season, planned.pk), {"answer": answer}).url == f"/c/{season.club.slug}/"
        )
    page = ada.get(season.club.get_absolute_url()).content.decode()
    assert "1 comes: Ada." in page
    assert "Perhaps: boris-account." in page
    visitor = Client().get(season.club.get_absolute_url()).content.decode()
    assert "1 comes." in visitor
    assert "boris-account" not in visitor
    hide_name(Player.objects.get(name="Ada"), actor=ada.user)
    assert "comes: Ada" not in boris.get(season.club.get_absolute_url()).content.decode()
    Membership.objects.filter(user=ada.user).delete()
    assert "0 come" in Client().get(season.club.get_absolute_url()).content.decode()


def test_nothing_is_stored_of_an_answer_that_is_none(season, of):
    planned = planned_for(season)
    of(Role.MEMBER).post(to("come", season, planned.pk), {"answer": "certainly"})
    assert Rsvp.objects.count() == 0


def test_the_schedule_takes_the_same_queries_for_one_event_and_for_five(season, of):
    planned_for(season)
    helper = of(Role.HELPER)
    one, _answer = queries(helper, to("schedule", season))
    for i in range(2, 6):
        PlannedEvent.objects.create(season=season, starts_at=START + timedelta(days=7 * i))
    five, answer = queries(helper, to("schedule", season))
    assert one == five
    assert answer.content.decode().count("/edit/") == 5


@pytest.mark.parametrize(
    ("day", "every", "days"),
    [
        ("2026-01-20", "fortnight", ["2026-01-20", "2026-02-03", "2026-02-17", "2026-03-03"]),
        ("2026-01-13", "month", ["2026-01-13", "2026-02-10", "2026-03-10", "2026-04-14"]),  # second Tuesdays
        ("2026-01-30", "month", ["2026-01-30", "2026-02-27", "2026-03-27", "2026-04-24"]),  # last Fridays
    ],
)
def test_events_are_planned_every_second_week_or_month(season, of, day, every, days):
    helper = of(Role.HELPER)
    helper.post(new(season), TYPED | {"day": day, "n_events": "4", "every": every})
    assert [planned.day.isoformat() for planned in PlannedEvent.objects.all()] == days


def test_a_result_is_started_from_its_plan(season, of):
    helper = of(Role.HELPER)
    helper.post(new(season), TYPED | {"name": "Spring Cup"})
    planned = PlannedEvent.objects.get()
    address = f"{reverse('entry:event-create', args=[season.club.slug, season.slug])}?planned={planned.pk}"
    assert address in helper.get(to("schedule", season)).content.decode()
    form = helper.get(address).context["form"]
    assert (form["name"].value(), f"{form['start'].value():%H:%M}") == ("Spring Cup", "19:00")


def test_a_calendar_says_when_the_plan_was_changed_and_how_long_evenings_are(season, of):
    """RFC 5545, 3.8.7.2: the stamp is that of the last change; the length is the median of past evenings."""
    of(Role.HELPER).post(new(season), TYPED)
    planned = PlannedEvent.objects.get()
    changed = Change.objects.filter(kind=Change.Kind.SCHEDULE_CHANGED).latest("pk").at
    (entry,) = Calendar.from_ical(Client().get(to("calendar", season)).content).events
    assert entry["dtstamp"].dt == changed.replace(microsecond=0)
    assert entry["dtend"].dt - entry["dtstart"].dt == timedelta(hours=4)
    for hours in (2, 3, 5):
        enter(season, "Ada\nBoris", day=-hours, ends_at=START + timedelta(days=-hours, hours=hours))
    (entry,) = Calendar.from_ical(Client().get(to("calendar", season)).content).events
    assert entry["dtend"].dt - planned.starts_at == timedelta(hours=3)


def test_a_calendar_has_what_is_planned_and_keeps_its_identifiers(season):
    planned = planned_for(season, name="Final; with\nnames", place="The Mill", note="Doors, 18:00")
    read = [Calendar.from_ical(Client().get(to("calendar", season)).content) for _again in range(2)]
    assert read[0].to_ical() == read[1].to_ical()
    (event,) = read[0].walk("VEVENT")
    assert event.decoded("dtstart") == planned.starts_at
    assert (event["location"], event["description"]) == ("The Mill", "Doors, 18:00")
    assert event["uid"] == f"planned-{planned.pk}@{season.club.slug}.tierboard"
    answer = Client().get(to("planned-file", season, planned.pk))
    assert answer["Content-Type"].startswith("text/calendar")
    assert len(Calendar.from_ical(answer.content).walk("VEVENT")) == 1


def test_a_private_club_is_read_by_the_secret_address_of_a_member_until_it_is_renewed(season, of):
    club = season.club
    type(club).objects.filter(pk=club.pk).update(is_public=False)
    planned_for(season)
    member, program = of(Role.MEMBER), Client()
    assert program.get(to("calendar", season)).status_code == 404
    assert "feeds/" not in member.get(to("follow", season)).content.decode()
    for _press in range(2):
        member.post(to("follow-key", season), {"present": ""})
    key = Membership.objects.get(user=member.user).feed_key
    address = reverse("noticeboard:keyed-calendar", args=[key])
    assert address in member.get(to("follow", season)).content.decode()
    assert len(Calendar.from_ical(program.get(address).content).walk("VEVENT")) == 1
    assert "no-store" in program.get(address)["Cache-Control"]
    member.post(to("follow-key", season), {"present": str(key)})
    assert program.get(address).status_code == 404
    Membership.objects.filter(user=member.user).update(feed_key=key)
    type(club).objects.filter(pk=club.pk).update(deleted_at=timezone.now())
    assert program.get(address).status_code == 410
    Membership.objects.filter(user=member.user).delete()
    assert program.get(address).status_code == 404


def test_a_closed_club_takes_no_answers_and_asks_for_none(season, of):
    planned = planned_for(season)
    member = of(Role.MEMBER)
    type(season.club).objects.filter(pk=season.club.pk).update(closed_at=timezone.now())
    assert 'name="answer"' not in member.get(season.club.get_absolute_url()).content.decode()
    assert member.post(to("come", season, planned.pk), {"answer": "yes"}).status_code == 403
    assert Rsvp.objects.count() == 0
