"""Importing an event file: uploaded, previewed, then saved as a whole, once."""

import re
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from entry.services import bulk_results, imports
from entry.services.meets import form_meet
from league.models import Change, Club, Entry, Event, Import, ImportDraft, Player, Pool
from league.services.plans import plan_event
from league.services.seasons import close_season, update_season
from league.stored_results import text_of
from payouts.services.rules import set_rules
from reading.event_files.reader import read_event_file
from reading.problems import Problem
from tests.factories import RULES, enter

pytestmark = pytest.mark.django_db
GOOD = """event,date,player,place,number,busted_at
n1,2026-01-13T19:30,髙橋,1,2,
n1,2026-01-13T19:30,Boris,2,1,200
n1,2026-01-13T19:30,髙橋,3,1,50
n2,2026-01-20T19:30,Boris,1,1,
n2,2026-01-20T19:30,Cleo,1,1,
"""
SAVE = {"save": "1"}
NOTHING = {"Event": 0, "Entry": 0, "Player": 0, "Change": 0}


def upload_url(season):
    return reverse("entry:import-upload", args=[season.club.slug, season.slug])


def upload(client, season, data=GOOD, name="events.csv"):
    data = data if isinstance(data, bytes) else data.encode()
    return client.post(upload_url(season), {"file": SimpleUploadedFile(name, data)})


def stored():
    return {model.__name__: model.objects.count() for model in (Event, Entry, Player, Change)}


def messages_of(answer):
    return [str(message) for message in answer.context["messages"]]


def outcome_of(answer):
    return answer.context["n_new"], answer.context["n_corrected"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_a_file_is_previewed_and_then_saved(season, organizer_client, encoding):
    assert organizer_client.get(upload_url(season)).status_code == 200
    answer = upload(organizer_client, season, GOOD.encode(encoding))
    preview = organizer_client.get(answer.url)
    assert "髙橋" in preview.content.decode()
    assert "Nothing is saved yet." in preview.content.decode()
    assert stored() == NOTHING
    saved = organizer_client.post(answer.url, SAVE, follow=True)
    assert outcome_of(saved) == (2, 0)
    assert stored() == {"Event": 2, "Entry": 5, "Player": 3, "Change": 2}
    assert text_of(Event.objects.get(key="n2")) == "Boris = Cleo"


def test_saving_a_file_twice_saves_it_once(season, organizer_client):
    preview = upload(organizer_client, season).url
    saved = [organizer_client.post(preview, SAVE).url for _press in range(2)]
    assert saved == [reverse("entry:import-saved", args=[season.club.slug, Import.objects.get().pk])] * 2
    assert stored() == {"Event": 2, "Entry": 5, "Player": 3, "Change": 2}
    assert organizer_client.get(preview).url == saved[0]


def test_the_same_file_again_changes_nothing_and_a_corrected_one_what_it_corrects(season, organizer_client):
    organizer_client.post(upload(organizer_client, season).url, SAVE)
    again = organizer_client.post(upload(organizer_client, season).url, SAVE, follow=True)
    assert messages_of(again)[-1] == "These results are stored already: nothing has changed."
    corrected = GOOD.replace("Boris,1,1,", "Dana,1,1,")
    saved = organizer_client.post(upload(organizer_client, season, corrected).url, SAVE, follow=True)
    assert outcome_of(saved) == (0, 1)
    assert text_of(Event.objects.get(key="n2")) == "Cleo = Dana"
    assert stored() == {"Event": 2, "Entry": 5, "Player": 4, "Change": 3}


def test_only_those_who_enter_results_import(season, refused_to):
    refused_to(upload_url(season), below="helper")
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
        assert client.post(preview, SAVE).status_code == status, who
    assert stored() == NOTHING


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The submitted file is empty."),
        (b"\x00\x01", "no text in a known encoding"),
        (b"\x89PNG\r\n", "This is no table but a picture."),
        (b"a" * 7_000_000, "events.csv has 7.0 MB; 2 MB is the most on this page."),
    ],
)
def test_a_file_that_cannot_be_read_is_reported_beside_the_field(season, organizer_client, data, message):
    answer = upload(organizer_client, season, data)
    assert answer.status_code == 200
    assert message in answer.context["form"].errors["file"][0]
    assert message in answer.content.decode()
    assert not ImportDraft.objects.exists()


def test_no_file_at_all_is_reported_beside_the_field(season, organizer_client):
    answer = organizer_client.post(upload_url(season), {"csrfmiddlewaretoken": "x"})
    assert answer.context["form"].errors["file"] == ["This field is required."]


@pytest.mark.parametrize(
    ("data", "messages"),
    [
        ("\n\n", ["The table has no rows of results."]),
        ("a,b\n1,2\n", ["No column holds the players.", "No column holds the dates."]),
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
def test_everything_wrong_with_a_file_is_reported_and_nothing_saved(season, organizer_client, data, messages):
    preview = upload(organizer_client, season, data).url
    for answer in (organizer_client.get(preview), organizer_client.post(preview, SAVE)):
        assert answer.status_code == 200
        page = answer.content.decode()
        assert all(message in page for message in messages)
        assert "Save all of it" not in page
        assert len(answer.context["problems"]) == len(messages)
    assert stored() == NOTHING


TODAY = datetime(2026, 1, 13, 23, 30, tzinfo=UTC)


def test_an_event_outside_the_season_keeps_the_whole_file_out(season, organizer_client):
    preview = upload(organizer_client, season, GOOD.replace("2026-01-20T19:30", "2025-12-31T19:30")).url
    for answer in (organizer_client.get(preview), organizer_client.post(preview, SAVE)):
        assert answer.status_code == 200
        page = answer.content.decode()
        assert "2025-12-31 is outside the season" in page
        assert "Save all of it" not in page
        assert [(problem.line, problem.column) for problem in answer.context["problems"]] == [(5, "date")]
        assert answer.context["problems"][0].message.endswith("(n2)")
    assert stored() == NOTHING
    assert ImportDraft.objects.get().applied_at is None


def test_all_that_saving_would_refuse_is_reported_beside_what_cannot_be_read(season, organizer_client):
    """Corrected events are checked too, and readable events beside unreadable ones."""
    first = GOOD.partition("n2")[0]
    organizer_client.post(upload(organizer_client, season, first).url, SAVE)
    before = stored()
    data = GOOD.replace("n1,2026", "n1,2025").replace("n2,2026", "n2,2190")
    data += "n3,2026-01-21,Ada,one,1,\n"
    answer = organizer_client.get(upload(organizer_client, season, data).url)
    assert [str(problem) for problem in answer.context["problems"]] == [
        f"line 2, date: 2025-01-13 is outside the season {season}. (n1)",
        "line 5, date: This day is still to come: a result is entered when it is over. (n2)",
        "line 7, place: “one” is no whole number from 1 to 1000000 (n3, Ada)",
    ]
    assert stored() == before


@pytest.mark.parametrize(("day", "is_told"), [("2026-01-15", False), ("2026-01-16", True)])
def test_the_day_after_tomorrow_is_counted_where_the_club_plays(
    season, organizer_client, monkeypatch, day, is_told
):
    Club.objects.update(time_zone="Asia/Tokyo")  # where the date is already the 14th
    monkeypatch.setattr(timezone, "now", lambda: TODAY)
    preview = upload(organizer_client, season, GOOD.replace("2026-01-20", day)).url
    assert bool(organizer_client.get(preview).context["problems"]) == is_told
    assert organizer_client.post(preview, SAVE).status_code == (200 if is_told else 302)


def test_a_preview_saves_and_publishes_nothing(season, organizer_client, published):
    preview = upload(organizer_client, season).url
    version = Pool.objects.get().data_version
    assert organizer_client.get(preview).context["problems"] == []
    assert stored() == NOTHING
    assert (Pool.objects.get().data_version, published) == (version, [])


def events_file(n):
    """Write a file of `n` events of two players each."""
    rows = [f"n{i},2026-01-0{i + 1},{name}{i},{k}" for i in range(n) for k, name in ((1, "a"), (2, "b"))]
    return "\n".join(["event,date,player,place", *rows])


def queries_of_preview(client, preview):
    """List the statements that a preview of an uploaded file takes."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(preview).status_code == 200
    return [query["sql"] for query in queries]


WRITES = re.compile(r"\s*(INSERT|UPDATE|DELETE|SAVEPOINT|.* FOR (NO KEY )?UPDATE)", re.IGNORECASE | re.DOTALL)


@pytest.mark.parametrize("formula", [None, "n / abs(knockouts - 5)"])
@pytest.mark.parametrize("is_known", [False, True], ids=["new", "corrections"])
@pytest.mark.parametrize("is_old", [False, True], ids=["as-found", "found-again"])
def test_a_preview_writes_nothing_and_takes_the_same_queries_for_any_number_of_events(
    season, organizer_client, formula, is_known, is_old
):
    if formula:
        rules = RULES | {"structure": {"name": "expression", "expression": formula}}
        set_rules(season, rules=rules, settle_again=False, actor=None)
    if is_known:
        organizer_client.post(upload(organizer_client, season, events_file(5).replace(",a", ",c")).url, SAVE)
    counts = []
    for n in (1, 3, 5):
        preview = upload(organizer_client, season, events_file(n)).url
        if is_old:
            enter(season, f"Ada\nBoris x{n}", day=20 + n)
        statements = queries_of_preview(organizer_client, preview)
        assert [statement for statement in statements if WRITES.match(statement)] == []
        counts.append(len(statements))
    assert len(set(counts)) == 1
    assert counts[0] <= 27


def test_an_upload_is_checked_once_while_nothing_changes(season, organizer_client):
    """Show what was found until the pool, the club's day or the reader's language changes."""
    preview = upload(organizer_client, season).url
    draft = ImportDraft.objects.get()
    found = {
        "problems": [asdict(Problem(2, "date", "as it was found"))],
        "mending": [("", "")],
        "n_problems": 1,
    }
    draft.preview["shown"] |= found
    draft.save()

    def messages(**headers):
        return [
            problem.message for problem in organizer_client.get(preview, headers=headers).context["problems"]
        ]

    assert messages() == ["as it was found"]
    assert messages(accept_language="ja") == []
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        assert messages() == []
    enter(season, "Ada\nBoris")
    assert messages() == []


def test_an_old_verdict_lets_nothing_be_saved(season, organizer_client):
    preview = upload(organizer_client, season).url
    update_season(season, name=season.name, starts_on=date(2026, 1, 14), ends_on=None, actor=None)
    for answer in (organizer_client.get(preview), organizer_client.post(preview, SAVE)):
        assert [str(problem) for problem in answer.context["problems"]] == [
            f"line 2, date: 2026-01-13 is outside the season {season}. (n1)"
        ]
    assert stored() == NOTHING | {"Change": 1}


def test_a_preview_reports_contradictions_of_stored_results(season, organizer_client, people):
    """The preview and saving report the same: a time of registration, the day of a meet, a formula without points."""
    known = "event,date,player,place,registered_at,closes_at\n" + "\n".join(
        f"n{day},2026-01-{day}T19:30,{name},{place},30,60"
        for day in (13, 14, 15, 16)
        for place, name in ((1, "Ada"), (2, "Boris"))
    )
    organizer_client.post(upload(organizer_client, season, known).url, SAVE)
    meet_events = [Event.objects.get(key="n14").pk, enter(season, "Ada\nBoris", day=8).pk]
    form_meet(season, name="Double", event_ids=meet_events, actor=people["organizer"])
    rules = RULES | {"structure": {"name": "expression", "expression": "n / abs(knockouts - 5)"}}
    set_rules(season, rules=rules, settle_again=True, actor=None)
    wrong = """event,date,player,place,busted_at,knockouts,closes_at
n13,2026-01-13T19:30,Ada,1,,,
n13,2026-01-13T19:30,Boris,2,10,,
n14,2026-01-17T19:30,Ada,1,,,
n14,2026-01-17T19:30,Boris,2,,,
n15,2026-01-15T19:30,Ada,1,,5,
n15,2026-01-15T19:30,Boris,2,,,
n16,2026-01-16T19:30,Ada,1,,,15
n16,2026-01-16T19:30,Boris,2,,,
n17,2026-01-18T19:30,Ada,1,,5,
n17,2026-01-18T19:30,Boris,2,,,
"""
    preview = upload(organizer_client, season, wrong).url
    before = stored()
    looked, saved = organizer_client.get(preview), organizer_client.post(preview, SAVE)
    problems = [str(problem) for problem in looked.context["problems"]]
    assert problems == [str(problem) for problem in saved.context["problems"]]
    assert [re.sub(r"(?<=It divides by zero).*", "", problem) for problem in problems] == [
        "line 2: Boris is out at 19:40, but registered at 20:00. (n13)",
        "line 4, date: This event is part of the meet Double. Take it out before you move it to another day. (n14)",
        f"line 6: The structure has no points for {season} 2026-01-15. It divides by zero",
        "line 8: Ada registered at 20:00, but registration closed at 19:45. (n16)",
        f"line 10: The structure has no points for {season} 2026-01-18. It divides by zero",
    ]
    assert problems[2].endswith("(n15)")
    assert stored() == before


def test_a_closed_season_takes_no_file(season, organizer_client, people):
    preview = upload(organizer_client, season).url
    close_season(season, actor=people["organizer"])
    for answer in (organizer_client.get(preview), organizer_client.post(preview, SAVE)):
        assert answer.content.decode().count("is closed. Reopen it") == 1
    assert stored() == NOTHING | {"Change": 1}


def test_names_like_known_ones_are_pointed_out(season, organizer_client):
    enter(season, "Pilcrow\nHale")
    data = GOOD.replace("Cleo", "Pilcro")
    preview = upload(organizer_client, season, data).url
    page = organizer_client.get(preview)
    assert [question.text for question in page.context["asks"]] == ["Pilcro: new guest, or Pilcrow?"]
    assert 'name="save"' not in page.content.decode()
    assert organizer_client.post(preview, {"save": "1"}).status_code == 200
    assert not Event.objects.filter(key="n1").exists()
    player = Player.objects.get(name="Pilcrow")
    answer = f"name:Pilcro={player.pk}"
    for fields, n_open in (({"answer": answer}, 0), ({"undo": answer}, 1), ({"answer": answer}, 0)):
        organizer_client.post(preview, fields)
        assert organizer_client.get(preview).context["read"].n_open == n_open
    organizer_client.post(preview, {"save": "1"})
    assert player.entries.filter(event__key="n2").exists()
    assert [alias.name for alias in player.aliases.all()] == ["Pilcro"]
    again = organizer_client.get(upload(organizer_client, season, data).url).context["read"]
    assert (again.questions, again.guests) == ([], [])


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
        assert organizer_client.post(preview, SAVE).status_code == 302
    assert stored() == {"Event": 10, "Entry": 1_000, "Player": 100, "Change": 10}


def test_an_event_of_a_file_is_planned_once(season, monkeypatch):
    n_planned = 0

    def plan(*args):
        nonlocal n_planned
        n_planned += 1
        return plan_event(*args)

    for module in (imports, bulk_results):
        monkeypatch.setattr(module, "plan_event", plan)
    events = read_event_file(events_file(3), tz=UTC).events
    imports.import_events(season, events, actor=None)
    assert (n_planned, Event.objects.count()) == (3, 3)
