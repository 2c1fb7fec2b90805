"""The form of an event before it is published: what it opens with, reading along, and what it keeps."""

from datetime import date, time

import pytest
from django.test import Client

from league.models import Event, PlannedEvent, Player, Rsvp
from league.services.rosters import add_members
from league.stored_results import text_of
from tests.entry.event_forms import (
    NOTHING,
    TEN,
    create_url,
    edit_url,
    filled,
    hidden,
    shows,
    stored,
)
from tests.factories import START, SeasonFactory, UserFactory, enter
from tests.pages import markup_of

pytestmark = pytest.mark.django_db


def test_a_form_that_was_not_sent_whole_can_be_sent_again(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    for url, day, broken in (
        (create_url(season), "2026-01-07", {"form_token": "zz"}),
        (edit_url(event), "2026-01-06", {"version": "-1"}),
    ):
        data = filled("Boris\nAda", day=day, version="") | broken
        again = data | hidden(organizer_client.post(url, data))
        assert organizer_client.post(url, again).status_code == 302
    assert [text_of(event) for event in Event.objects.all()] == ["Boris\nAda"] * 2


def test_the_first_event_of_a_season_is_proposed_at_the_time_of_the_clubs_latest(season, organizer_client):
    enter(season, "Ada\nBoris", day=1)
    Event.objects.update(starts_at=START.replace(hour=18, minute=15))
    page = organizer_client.get(create_url(SeasonFactory(club=season.club)))
    assert page.context["form"]["start"].value() == time(18, 15)


def test_reading_along_says_why_the_day_cannot_be(season, organizer_client):
    data = filled("Ada\nBoris", day="2027-01-01")
    del data["save"]
    answer = organizer_client.post(create_url(season), data, headers={"HX-Request": "true"})
    assert "Day: This day is still to come" in answer.content.decode()
    assert answer.context["page"].next_step == ("Mend: Day", "#id_day")


def test_a_published_form_is_named_to_the_browser_that_keeps_its_draft(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    for url, day in ((create_url(season), "2026-01-07"), (edit_url(event), "2026-01-06")):
        token = hidden(organizer_client.get(url))["form_token"]
        data = filled("Boris\nAda", day=day, form_token=token, version=1)
        cookie = organizer_client.post(url, data).cookies["published"]
        assert (cookie.value, cookie["path"]) == (token, url)


@pytest.mark.parametrize(
    ("fields", "label", "href"),
    [
        ({"order": ""}, "Enter the names", "#regulars"),
        ({"order": "Ada"}, "Enter the names", "#regulars"),
        ({"order": "Ada\nBoris\nada\n="}, "Mend 2 lines", "#line-3"),
        ({"order": TEN, "start": "soon"}, "Mend: Start", "#id_start"),
        ({"order": TEN, "closes": "19:00"}, "Mend: Registration until", "#id_closes"),
    ],
)
def test_the_main_button_says_what_is_left_and_goes_there(season, organizer_client, fields, label, href):
    page = organizer_client.post(create_url(season), filled(**fields)).content.decode()
    assert f'<a class="btn main" href="{href}">{label}</a>' in page
    assert 'name="save" hidden>' in page
    assert f'id="{href[1:]}"' in page


def test_a_result_without_anything_left_can_be_published(season, organizer_client):
    data = filled(TEN, preview="")
    del data["save"]
    assert 'name="save">' in organizer_client.post(create_url(season), data).content.decode()


def test_a_message_stands_at_its_own_field(season, organizer_client):
    page = organizer_client.post(create_url(season), filled("Ada\nBoris", day="2027-01-01")).content.decode()
    day_field = page.partition('name="day"')[2].partition('name="start"')[0]
    assert "This day is still to come" in day_field


def test_a_form_older_than_the_log_in_shows_what_was_typed(season, people):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["organizer"])
    answer = client.post(create_url(season), filled("Ada\n<b>Boris"))
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "Ada\n&lt;b&gt;Boris</textarea>" in page
    assert f'href="{create_url(season)}"' in page
    assert "textarea" not in client.post(create_url(season)).content.decode()
    assert stored() == NOTHING


def test_the_form_opens_on_a_day_that_can_be_saved(club, organizer_client):
    ended = SeasonFactory(club=club, ends_on=date(2026, 1, 25))
    assert organizer_client.get(create_url(ended)).context["form"].initial["day"] == date(2026, 1, 25)
    enter(ended, "Ada\nBoris")
    assert organizer_client.get(create_url(ended)).context["form"].initial["start"] == START.time()


def test_reading_along_returns_the_partial_alone_and_saves_nothing(season, organizer_client):
    data = filled("Ada\nBoris\nada")
    del data["save"]
    answer = organizer_client.post(create_url(season), data, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert answer.content.decode().strip().startswith('<div id="reading">')
    assert shows(answer, "ada already stands in line 1")
    assert stored() == NOTHING


def test_a_preview_saves_nothing_and_shows_points(season, organizer_client):
    data = filled(TEN)
    del data["save"]
    page = organizer_client.post(create_url(season), data | {"preview": ""})
    assert "10 players, 10 entries." in page.content.decode()
    assert '<span class="vh">Points</span>5</span>' in markup_of(page)
    assert stored() == NOTHING


def test_the_buttons_of_a_line_and_of_a_regular_change_the_text(season, organizer_client):
    enter(season, "Pilcrow\nHale")
    before = stored()
    data = filled("Ada\n4 Otto")
    del data["save"]
    asked = organizer_client.post(create_url(season), data)
    assert shows(asked, "Otto, written “4 Otto”?")
    yes = organizer_client.post(create_url(season), data | {"fix": "2:Otto"})
    assert yes.context["text"] == "Ada\nOtto"
    added = organizer_client.post(create_url(season), data | {"order": "Ada\n", "add": "Hale"})
    assert (added.context["text"], added.context["did"]) == ("Ada\nHale", "Hale added.")
    taken_back = data | {"order": "Ada\nHale", "was": added.context["was"], "back": ""}
    assert organizer_client.post(create_url(season), taken_back).context["text"] == "Ada\n"
    junk = organizer_client.post(create_url(season), data | {"fix": "²:x"})
    assert junk.context["text"] == "Ada\n4 Otto"
    assert stored() == before


def test_the_tools_of_a_row_change_the_text_and_stay_open(season, organizer_client):
    data = filled("Ada\nBoris\nCleo @22:00")
    del data["save"]
    moved = organizer_client.post(create_url(season), data | {"edit": "2.0:up"})
    assert (moved.context["text"], moved.context["held"]) == ("Boris\nAda\nCleo @22:00", "1.0")
    assert moved.context["did"] == "Boris, now in place 1 of 3."
    times = {"edit": "3.0:times", "in-3.0": "20:15", "out-3.0": ""}
    timed = organizer_client.post(create_url(season), data | times)
    assert timed.context["text"] == "Ada\nBoris\nCleo in 20:15"
    assert "<details open>" in markup_of(timed)


def test_a_name_in_the_field_is_added_before_anything_is_published(season, organizer_client):
    data = filled("Ada\nBoris", find=" Cleo ")
    added = organizer_client.post(create_url(season), data)
    assert (added.context["text"], added.context["did"]) == ("Ada\nBoris\nCleo", "Cleo added.")
    assert stored() == NOTHING
    del data["save"]
    along = organizer_client.post(create_url(season), data, headers={"HX-Request": "true"})
    assert along.context["text"] == "Ada\nBoris"


def test_those_who_played_lately_are_offered_the_latest_first(season, organizer_client):
    old = SeasonFactory(club=season.club, starts_on=date(1999, 1, 1))
    enter(old, "Xenia\nYuri", day=-9_000)
    enter(season, "Dana\nEmil", day=-3)
    enter(season, "Ada\nBoris", day=0)
    enter(season, "Boris\nCleo", day=7)
    data = filled("Cleo")
    del data["save"]
    page = organizer_client.post(create_url(season), data)
    assert [player.name for player, _text in page.context["page"].recent] == ["Boris", "Ada", "Dana", "Emil"]
    assert [player.away_since is None for player, _text in page.context["page"].recent] == [
        True,
        False,
        False,
        False,
    ]
    at_that_time = organizer_client.post(create_url(season), data | {"day": "2026-01-06"})
    assert [player.name for player, _text in at_that_time.context["page"].recent] == [
        "Ada",
        "Boris",
        "Dana",
        "Emil",
    ]


def test_on_the_first_evening_members_are_offered_and_those_first_who_come(season, organizer_client):
    club = season.club
    add_members(club, ["Ada", "Boris", "Cleo"], aliases={}, actor=UserFactory())
    boris = Player.objects.get(name="Boris")
    boris.user = UserFactory()
    boris.save()
    planned = PlannedEvent.objects.create(season=season, starts_at=START)
    Rsvp.objects.create(planned_event=planned, user=boris.user, answer=Rsvp.Answer.YES)
    page = organizer_client.get(f"{create_url(season)}?planned={planned.pk}")
    assert [player.name for player, _text in page.context["page"].recent] == ["Boris", "Ada", "Cleo"]


def test_a_day_without_a_time_is_not_proposed_as_midnight(season, organizer_client):
    enter(season, "Ada\nBoris")
    enter(season, "Ada\nBoris", day=3)
    Event.objects.filter(pk=Event.objects.latest("pk").pk).update(
        starts_at=START.replace(day=9, hour=0, minute=0)
    )
    assert f"{organizer_client.get(create_url(season)).context['form']['start'].value():%H:%M}" == "19:30"


def test_a_preview_reads_the_players_once(season, organizer_client, django_assert_num_queries):
    """Session, account, role and season are four queries; the players, the choices and who played lately the others."""
    names = "Ada\nBoris\nCleo\nDana\nEmil\nFay\nGus\nHal"
    enter(season, names)
    typed = {"order": names, "day": "2026-01-20", "start": "19:30"}
    with django_assert_num_queries(13) as queries:
        organizer_client.post(create_url(season), typed, headers={"HX-Request": "true"})
    assert sum("league_playeralias" in query["sql"] for query in queries.captured_queries) == 1
