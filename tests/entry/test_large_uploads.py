"""Large uploads are read and saved by the worker: the page says how far it is, and what was read is kept."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.urls import reverse
from django.utils import timezone

from entry import tasks
from entry.services import drafts
from entry.services.import_previews import Preview, preview_of
from entry.services.import_reading import read_draft
from entry.services.imports import import_verdict
from league.models import Event, Import, ImportDraft, Membership, Player
from people.services.hidden_names import hide_name
from tests.entry.test_imports import upload
from tests.factories import enter
from tests.reading.tables.test_sheets import workbook

pytestmark = pytest.mark.django_db
GOOD = b"Date,Place,Player\n2026-01-13,1,Ada\n2026-01-13,2,Boris\n"
ASKS = b"Date,Place,Player\n2026-01-13,1,Belle\n2026-01-13,2,Boris\n"
BAD = b"Date,Place,Player\n2026-01-13,1,Ada\n2026-01-13,2a,Boris\n2026-01-13,3,Cleo\n"


@pytest.fixture(autouse=True)
def messages(monkeypatch):
    """Let each upload count as a large one; return the drafts whose message was sent."""
    sent = []
    monkeypatch.setattr(drafts, "LARGE", 10)
    monkeypatch.setattr(tasks.do_asked, "delay", sent.append)
    return sent


@pytest.fixture
def work(messages, django_capture_on_commit_callbacks):
    """Do what the worker was asked to."""

    def work():
        while messages:
            tasks.do_asked(messages.pop(0))

    return work


@pytest.fixture
def preview(organizer_client, season, django_capture_on_commit_callbacks):
    """Upload a file; return the address of its preview."""

    def preview(data=GOOD):
        with django_capture_on_commit_callbacks(execute=True):
            return upload(organizer_client, season, data).url

    return preview


@pytest.fixture
def send(organizer_client, django_capture_on_commit_callbacks):
    def send(address, data):
        with django_capture_on_commit_callbacks(execute=True):
            return organizer_client.post(address, data)

    return send


def forbid_reading(monkeypatch):
    def read(_draft):
        raise AssertionError("a page has read the files")

    monkeypatch.setattr(drafts, "read_draft", read)


def test_the_page_waits_for_the_worker_and_shows_what_it_has_read(
    preview, work, organizer_client, monkeypatch
):
    with monkeypatch.context() as patch:
        forbid_reading(patch)
        address = preview()
        page = organizer_client.get(address).content.decode()
        assert "The files are being read. Nothing is saved yet." in page
        assert page.count('aria-current="step"') == 1
        assert "waits for its turn" in page
        part = organizer_client.get(address, headers={"hx-request": "true"})
        assert part.status_code == 200
        assert "<html" not in part.content.decode()
    work()
    forbid_reading(monkeypatch)  # it is kept
    assert organizer_client.get(address, headers={"hx-request": "true"})["HX-Redirect"] == address
    for _look in range(2):
        shown = organizer_client.get(address)
        assert (shown.context["read"].n_events, shown.context["read"].n_entries) == (1, 2)
        assert shown.context["save"] in shown.content.decode()


@pytest.mark.parametrize("data", [GOOD, ASKS, BAD, b"nothing of a table"])
def test_what_is_kept_is_what_was_shown(preview, work, season, data):
    Player.objects.create(club=season.club, name="Bella", key="bella")
    preview(data)
    work()
    draft = ImportDraft.objects.select_related("season__club").get()
    read = read_draft(draft)
    shown = preview_of(season, read, import_verdict(season, read.events))
    assert Preview.from_json(json.loads(json.dumps(shown.to_json()))) == shown
    assert Preview.from_json(draft.preview["shown"]) == shown


def test_answers_are_read_by_the_worker_and_then_all_is_saved_once(
    preview, work, send, season, organizer_client
):
    Player.objects.create(club=season.club, name="Bella", key="bella")
    address = preview(ASKS)
    work()
    (question,) = organizer_client.get(address).context["asks"]
    send(address, {"answer": f"{question.id}={question.choices[0].value}"})
    assert ImportDraft.objects.get().asked_for == "read"
    work()
    assert organizer_client.get(address).context["read"].is_ready
    for _press in range(2):
        assert send(address, {"save": "1"}).status_code in {200, 302}
    assert not Event.objects.exists()
    page = organizer_client.get(address).content.decode()
    assert "The results are being saved, all of them or none." in page
    work()
    record = Import.objects.get()
    saved = reverse("entry:import-saved", args=[season.club.slug, record.pk])
    assert organizer_client.get(address).url == saved
    assert organizer_client.get(address, headers={"hx-request": "true"})["HX-Redirect"] == saved
    assert Event.objects.get().entries.count() == 2
    tasks.do_asked(ImportDraft.objects.get().pk)  # a message that came twice
    assert Import.objects.count() == 1


def test_what_cannot_be_saved_is_shown(preview, work, send, organizer_client):
    address = preview(BAD)
    work()
    page = organizer_client.get(address)
    assert [problem.line for problem in page.context["problems"]] == [3]
    send(address, {"save": "1"})
    work()
    page = organizer_client.get(address)
    assert [problem.line for problem in page.context["problems"]] == [3]
    assert not Event.objects.exists()
    send(address, {"cell:3:1": "2"})
    work()
    assert organizer_client.get(address).context["read"].is_ready


def test_who_may_no_longer_enter_results_saves_nothing(preview, work, send, season, organizer_client):
    address = preview()
    work()
    send(address, {"save": "1"})
    role = Membership.objects.get(user=ImportDraft.objects.get().user)
    role.delete()
    work()
    draft = ImportDraft.objects.get()
    assert (draft.asked_for, draft.error) == ("", "You may no longer enter results.")
    assert not Event.objects.exists()
    role.save()
    assert "You may no longer enter results." in organizer_client.get(address).content.decode()


def test_results_that_were_saved_meanwhile_outdate_what_was_read(
    preview, work, send, season, organizer_client
):
    address = preview()
    work()
    enter(season, "Ada\nBoris", day=7)
    page = organizer_client.get(address)
    assert page.context["is_outdated"]
    assert "Results, the day or the language are others since" in page.content.decode()
    send(address, {"read": "1"})
    work()
    assert not organizer_client.get(address).context["is_outdated"]


def test_a_fault_is_noted_and_a_database_that_is_down_is_tried_again(
    preview, work, send, organizer_client, monkeypatch
):
    address = preview()
    (number,) = ImportDraft.objects.values_list("pk", flat=True)

    def failing(error):
        def read(_draft):
            raise error

        return read

    with monkeypatch.context() as patch:
        patch.setattr(drafts, "read_draft", failing(OperationalError("no disk")))
        with pytest.raises(OperationalError):
            tasks.do_asked(number)
        assert ImportDraft.objects.get().asked_for == "read"
        patch.setattr(drafts, "read_draft", failing(ArithmeticError("a bug")))
        with pytest.raises(ArithmeticError):
            tasks.do_asked(number)
        assert ImportDraft.objects.get().asked_for == ""
        page = organizer_client.get(address)  # reads nothing
        assert page.status_code == 200
        assert "The site could not read these files." in page.content.decode()
    send(address, {"read": "1"})
    work()
    assert organizer_client.get(address).context["read"].is_ready


def test_files_that_end_their_worker_each_time_are_given_up(preview, work, organizer_client, monkeypatch):
    address = preview()
    number = ImportDraft.objects.get().pk

    def end(_draft):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(drafts, "read_draft", end)
        for _try in range(drafts.MOST_TRIES):
            with pytest.raises(SystemExit):
                tasks.do_asked(number)
        tasks.do_asked(number)
    assert ImportDraft.objects.get().asked_for == ""
    assert "The site could not read these files." in organizer_client.get(address).content.decode()


def test_a_closed_account_saves_nothing(preview, work, send, organizer_client):
    address = preview()
    work()
    send(address, {"save": "1"})
    User.objects.update(is_active=False)
    work()
    assert not Event.objects.exists()
    assert ImportDraft.objects.get().error == "You may no longer enter results."


def test_what_others_have_answered_meanwhile_is_seen_before_it_is_saved(
    preview, work, season, send, organizer_client
):
    Player.objects.create(club=season.club, name="Bella", key="bella")
    address = preview(ASKS)
    work()
    (question,) = organizer_client.get(address).context["asks"]
    tab = ImportDraft.objects.get()
    send(address, {"answer": f"{question.id}={question.choices[0].value}"})
    drafts.ask_for(tab, "save")  # of a page that was opened before
    assert ImportDraft.objects.get().asked_for == "read"
    work()
    assert not Event.objects.exists()


def test_a_name_that_is_hidden_is_shown_by_no_upload(preview, work, season, organizer_client, people):
    player = Player.objects.create(club=season.club, name="Ada", key="ada")
    address = preview(ASKS.replace(b"Belle", b"Adda"))
    work()
    assert "Ada" in str(ImportDraft.objects.get().preview)
    hide_name(player, actor=people["owner"])
    assert ImportDraft.objects.get().preview is None
    assert "These files have not been read." in organizer_client.get(address).content.decode()


@pytest.mark.parametrize(("n_rows", "large"), [(40, False), (12_000, True)])
def test_a_workbook_counts_by_what_is_in_it(monkeypatch, n_rows, large):
    monkeypatch.undo()  # the real limit
    book = workbook(
        Night=[("Date", "Place", "Player"), *(("2026-01-13", i, f"Player {i}") for i in range(n_rows))]
    )
    assert len(book) < 300_000
    assert (drafts.n_bytes_to_read(book) > drafts.LARGE) is large


def test_a_lost_message_is_sent_again(preview, messages):
    preview()
    (number,) = messages
    messages.clear()
    tasks.sweep()
    assert messages == []
    ImportDraft.objects.update(asked_at=timezone.now() - 2 * tasks.ASKED_AGAIN)
    tasks.sweep()
    assert messages == [number]
    ImportDraft.objects.update(worked_at=timezone.now())  # a worker is at it
    tasks.sweep()
    assert messages == [number]
    tasks.do_asked(number)
    messages.clear()
    tasks.sweep()
    assert messages == []


def test_what_is_asked_while_it_is_read_is_not_forgotten(preview, messages, monkeypatch):
    preview()
    draft = ImportDraft.objects.get()
    read = drafts.read_draft

    def asked_meanwhile(draft):
        ImportDraft.objects.update(asked_at=timezone.now() + timedelta(seconds=1))
        return read(draft)

    monkeypatch.setattr(drafts, "read_draft", asked_meanwhile)
    tasks.do_asked(draft.pk)
    assert ImportDraft.objects.get().asked_for == "read"


def test_a_program_is_told_how_far_it_is(work, organizer_client, season, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        sent = organizer_client.post(
            f"/api/v1/seasons/{season.pk}/imports/", {"file": SimpleUploadedFile("n.csv", GOOD)}
        )
    number = sent.json()["id"]
    assert (sent.status_code, sent.json()["asked_for"], sent.json()["step"]) == (202, "read", "wait")
    address = f"/api/v1/uploads/{number}/"
    assert organizer_client.get(address).status_code == 202
    work()
    assert organizer_client.get(address).json()["is_ready"]
    with django_capture_on_commit_callbacks(execute=True):
        asked = organizer_client.post(address, {"confirm": True}, content_type="application/json")
    assert (asked.status_code, asked.json()["asked_for"]) == (202, "save")
    work()
    told = organizer_client.get(address).json()
    assert (told["is_ready"], told["is_saved"], told["import"]) == (False, True, Import.objects.get().pk)
    saved = organizer_client.post(address, {"confirm": True}, content_type="application/json")
    assert saved.json() == told
    assert (told["entered"], told["corrected"]) == (1, 0)
