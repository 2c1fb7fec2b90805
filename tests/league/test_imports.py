"""Uploading an event file: looked at, then saved as a whole, once."""

from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Change, Club, Entry, Event, ImportDraft, Player, Pool
from league.results import text_of
from league.services.seasons import set_season_closed
from tests.factories import enter

pytestmark = pytest.mark.django_db
GOOD = """event,date,player,place,number,busted_at
n1,2026-01-13T19:30,髙橋,1,2,
n1,2026-01-13T19:30,Boris,2,1,200
n1,2026-01-13T19:30,髙橋,3,1,50
n2,2026-01-20T19:30,Boris,1,1,
n2,2026-01-20T19:30,Cleo,1,1,
"""
NOTHING = {"Event": 0, "Entry": 0, "Player": 0, "Change": 0}


def upload_url(season):
    return reverse("league:import-upload", args=[season.club.slug, season.slug])


def upload(client, season, data=GOOD, name="evenings.csv"):
    data = data if isinstance(data, bytes) else data.encode()
    return client.post(upload_url(season), {"file": SimpleUploadedFile(name, data)})


def stored():
    return {model.__name__: model.objects.count() for model in (Event, Entry, Player, Change)}


def messages_of(answer):
    return [str(message) for message in answer.context["messages"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_a_file_is_looked_at_and_then_saved(season, organizer_client, encoding):
    assert organizer_client.get(upload_url(season)).status_code == 200
    answer = upload(organizer_client, season, GOOD.encode(encoding))
    preview = organizer_client.get(answer.url)
    assert "髙橋" in preview.content.decode()
    assert "Nothing is saved yet." in preview.content.decode()
    assert stored() == NOTHING
    done = organizer_client.post(answer.url, follow=True)
    assert messages_of(done) == ["2 events entered, 0 corrected, 0 were the same."]
    assert stored() == {"Event": 2, "Entry": 5, "Player": 3, "Change": 2}
    assert text_of(Event.objects.get(key="n2")) == "Boris = Cleo"


def test_saving_a_file_twice_saves_it_once(season, organizer_client):
    preview = upload(organizer_client, season).url
    for _press in range(2):
        assert organizer_client.post(preview).url == season.get_absolute_url()
    assert stored() == {"Event": 2, "Entry": 5, "Player": 3, "Change": 2}
    assert "This file has been saved." in organizer_client.get(preview).content.decode()


def test_the_same_file_again_changes_nothing_and_a_corrected_one_what_it_corrects(season, organizer_client):
    organizer_client.post(upload(organizer_client, season).url)
    again = organizer_client.post(upload(organizer_client, season).url, follow=True)
    assert messages_of(again)[-1] == "0 events entered, 0 corrected, 2 were the same."
    corrected = GOOD.replace("Boris,1,1,", "Dana,1,1,")
    done = organizer_client.post(upload(organizer_client, season, corrected).url, follow=True)
    assert messages_of(done) == ["0 events entered, 1 corrected, 1 were the same."]
    assert text_of(Event.objects.get(key="n2")) == "Cleo = Dana"
    assert stored() == {"Event": 2, "Entry": 5, "Player": 4, "Change": 3}


def test_only_organizers_import(season, refused_to):
    refused_to(upload_url(season))
    assert not ImportDraft.objects.exists()


def test_a_preview_is_its_uploaders_own(season, organizer_client, client_of):
    preview = upload(organizer_client, season).url
    for who, status in (
        ("anonymous", 302),
        ("stranger", 403),
        ("member", 403),
        ("foreign", 403),
        ("owner", 404),
    ):
        client = client_of(who)
        assert client.get(preview).status_code == status, who
        assert client.post(preview).status_code == status, who
    assert stored() == NOTHING


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "The submitted file is empty."),
        (b"\x00\x01", "no text file in UTF-8 or Shift-JIS"),
        (b"PK\x03\x04\x14\x00", "no text file in UTF-8 or Shift-JIS"),
        (b"a" * 20_000_000, "The file has 20.0 MB; 2 MB is the most."),
    ],
)
def test_a_file_that_cannot_be_read_is_told_beside_the_field(season, organizer_client, data, said):
    answer = upload(organizer_client, season, data)
    assert answer.status_code == 200
    assert said in answer.context["form"].errors["file"][0]
    assert said in answer.content.decode()
    assert not ImportDraft.objects.exists()


def test_no_file_at_all_is_told_beside_the_field(season, organizer_client):
    answer = organizer_client.post(upload_url(season), {"csrfmiddlewaretoken": "x"})
    assert answer.context["form"].errors["file"] == ["This field is required."]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("\n\n", ["The file is empty."]),
        ("a,b\n1,2\n", ["missing: event, date, player, place."]),
        (GOOD.replace("Boris,2,1", "Boris,2,2"), ["Boris has entry 2, but no entry 1"]),
        (GOOD.replace("Boris,2,1", "髙橋,2,2"), ["髙橋 has entry 2 twice"]),
        (GOOD.replace("Cleo,1,1", "Cleo,3,1"), ["place 3 should be 2"]),
        (
            GOOD.replace("Boris,2,1,200", "Boris,two,1,200")
            .replace("髙橋,3", ",3")
            .replace("Cleo,1,1", "C\x07,1,1"),
            ["“two” is no whole number", "A name is missing.", "invisible control character"],
        ),
    ],
)
def test_everything_wrong_with_a_file_is_told_and_nothing_saved(season, organizer_client, data, said):
    preview = upload(organizer_client, season, data).url
    for answer in (organizer_client.get(preview), organizer_client.post(preview)):
        assert answer.status_code == 200
        page = answer.content.decode()
        assert all(message in page for message in said)
        assert "Save all of it" not in page
        assert len(answer.context["read"].problems) == len(said)
    assert stored() == NOTHING


TODAY = datetime(2026, 1, 13, 23, 30, tzinfo=UTC)


def test_an_evening_outside_the_season_keeps_the_whole_file_out(season, organizer_client):
    preview = upload(organizer_client, season, GOOD.replace("2026-01-20T19:30", "2025-12-31T19:30")).url
    for answer in (organizer_client.get(preview), organizer_client.post(preview)):
        assert answer.status_code == 200
        page = answer.content.decode()
        assert "2025-12-31 is outside the season" in page
        assert "Save all of it" not in page
        assert [(it.line, it.column) for it in answer.context["read"].problems] == [(5, "date")]
        assert answer.context["read"].problems[0].message.endswith("(n2)")
    assert stored() == NOTHING
    assert ImportDraft.objects.get().applied_at is None


def test_all_that_saving_would_refuse_is_told_beside_what_cannot_be_read(season, organizer_client):
    """Also of events that are corrected, and of those that could be read where others could not."""
    first = GOOD.partition("n2")[0]
    organizer_client.post(upload(organizer_client, season, first).url)
    before = stored()
    data = GOOD.replace("n1,2026", "n1,2025").replace("n2,2026", "n2,2190")
    data += "n3,2026-01-21,Ada,one,1,\n"
    answer = organizer_client.get(upload(organizer_client, season, data).url)
    assert [str(problem) for problem in answer.context["read"].problems] == [
        f"line 2, date: 2025-01-13 is outside the season {season}. (n1)",
        "line 5, date: This day is still to come: a result is entered when it is over. (n2)",
        "line 7, place: “one” is no whole number from 1 to 1000000 (n3, Ada)",
    ]
    assert stored() == before


@pytest.mark.parametrize(("day", "is_told"), [("2026-01-15", False), ("2026-01-16", True)])
def test_the_day_after_tomorrow_is_counted_where_the_club_plays(
    season, organizer_client, monkeypatch, day, is_told
):
    Club.objects.update(time_zone="Asia/Tokyo")  # where it is the 14th
    monkeypatch.setattr(timezone, "now", lambda: TODAY)
    preview = upload(organizer_client, season, GOOD.replace("2026-01-20", day)).url
    assert bool(organizer_client.get(preview).context["read"].problems) == is_told
    assert organizer_client.post(preview).status_code == (200 if is_told else 302)


def test_a_look_saves_and_announces_nothing(season, organizer_client, published):
    preview = upload(organizer_client, season).url
    version = Pool.objects.get().data_version
    assert organizer_client.get(preview).context["read"].problems == ()
    assert stored() == NOTHING
    assert (Pool.objects.get().data_version, published) == (version, [])


def test_more_events_are_looked_at_in_as_many_queries_each(season, organizer_client):
    counts = []
    for n in (1, 3, 5):
        rows = [f"n{i},2026-01-0{i + 1},{name}{i},{k}" for i in range(n) for k, name in ((1, "a"), (2, "b"))]
        preview = upload(organizer_client, season, "\n".join(["event,date,player,place", *rows])).url
        with CaptureQueriesContext(connection) as queries:
            organizer_client.get(preview)
        counts.append(len(queries))
    assert counts[2] - counts[1] == counts[1] - counts[0]
    assert counts[1] - counts[0] <= 2 * 18


def test_a_closed_season_takes_no_file(season, organizer_client, people):
    preview = upload(organizer_client, season).url
    set_season_closed(season, is_closed=True, actor=people["organizer"])
    for answer in (organizer_client.get(preview), organizer_client.post(preview)):
        assert answer.content.decode().count("is closed. Reopen it") == 1
    assert stored() == NOTHING | {"Change": 1}


def test_names_like_known_ones_are_pointed_out(season, organizer_client):
    enter(season, "Pilcrow\nHale")
    data = GOOD.replace("Cleo", "Pilcro")
    page = organizer_client.get(upload(organizer_client, season, data).url)
    assert ("Pilcro", "Pilcrow") in page.context["guests"]


def test_markup_in_a_file_is_text(season, organizer_client):
    data = GOOD.replace("Cleo", "<script>alert(1)</script>")
    page = organizer_client.get(upload(organizer_client, season, data, name="<b>.csv").url).content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "<b>.csv" not in page


def test_a_thousand_entries_are_imported_in_few_queries(
    season, organizer_client, django_assert_max_num_queries
):
    lines = [
        f"n{night},2026-01-{night:02},p{place * place * 7},{place}"
        for night in range(1, 11)
        for place in range(1, 101)
    ]
    preview = upload(organizer_client, season, "\n".join(["event,date,player,place", *lines])).url
    with django_assert_max_num_queries(200):
        assert organizer_client.post(preview).status_code == 302
    assert stored() == {"Event": 10, "Entry": 1_000, "Player": 100, "Change": 10}
