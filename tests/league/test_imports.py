"""Uploading an event file: looked at, then saved as a whole, once."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.models import Change, Entry, Event, ImportDraft, Player
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


def test_one_evening_outside_the_season_keeps_the_whole_file_out(season, organizer_client):
    preview = upload(organizer_client, season, GOOD.replace("2026-01-20T19:30", "2025-12-31T19:30")).url
    answer = organizer_client.post(preview)
    assert answer.status_code == 200
    assert "2025-12-31 is outside the season" in answer.content.decode()
    assert stored() == NOTHING
    assert ImportDraft.objects.get().applied_at is None


def test_a_closed_season_takes_no_file(season, organizer_client, people):
    preview = upload(organizer_client, season).url
    set_season_closed(season, is_closed=True, actor=people["organizer"])
    answer = organizer_client.post(preview)
    assert "is closed. Reopen it" in answer.content.decode()
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
