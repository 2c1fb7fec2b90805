"""Files of results over the API: the preview of the page, its questions, and saving."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from league.models import Event, Import, ImportDraft, Player, PlayerAlias
from tests.reading.tables.previews import DATA

pytestmark = pytest.mark.django_db
TABLE = (
    "Datum;Rang;Wer;Bem\n13.01.2026;1;Belle;5\n13.01.2026;2;Ada;-\n20.01.2026;1;Ada;\n20.01.2026;2;Cleo;\n"
)


@pytest.fixture
def upload(organizer_client, season):
    def upload(*files, client=organizer_client):
        uploads = [
            SimpleUploadedFile(name, data if isinstance(data, bytes) else data.encode())
            for name, data in files
        ]
        return client.post(f"/api/v1/seasons/{season.pk}/imports/", {"file": uploads})

    return upload


@pytest.fixture
def send(organizer_client):
    def send(number, data, client=organizer_client):
        return client.post(f"/api/v1/uploads/{number}/", data, content_type="application/json")

    return send


def outcome(answer):
    return tuple(answer.json()[name] for name in ("is_saved", "import", "entered", "corrected"))


def test_a_file_is_previewed_answered_and_saved_once(upload, send, season, organizer_client):
    bella = Player.objects.create(club=season.club, name="Bella", key="bella")
    answer = upload(("january.csv", TABLE))
    sent = answer.json()
    number, preview = sent["id"], sent["preview"]
    assert (answer.status_code, sent["is_ready"], preview["problems"]) == (201, False, [])
    assert [column["meaning"] for column in preview["files"][0]["columns"]] == [
        "date",
        "place",
        "player",
        "unused",
    ]
    assert preview["files"][0]["columns"][0]["why"] == "by its heading"
    assert preview["files"][0]["not_used"][0]["text"] == "Bem"
    assert [event["entries"] for event in preview["events"]] == [2, 2]
    (question,) = preview["questions"]
    assert (question["id"], question["choices"][0]["value"]) == ("name:Belle", str(bella.pk))
    early = send(number, {"confirm": True})
    assert (early.status_code, early.json()["is_ready"]) == (400, False)
    saved = send(number, {"answers": {"name:Belle": str(bella.pk)}, "confirm": True})
    assert saved.status_code == 200
    assert outcome(saved) == (True, Import.objects.get().pk, 2, 0)
    assert send(number, {"confirm": True}).json() == saved.json()
    assert (Event.objects.count(), PlayerAlias.objects.get().player) == (2, bella)
    (listed,) = organizer_client.get(f"/api/v1/seasons/{season.pk}/imports/").json()["results"]
    assert (listed["files"], listed["entered"], listed["undone_at"]) == ("january.csv", 2, None)


def test_what_is_stored_already_changes_nothing(upload, send):
    send(upload(("january.csv", TABLE)).json()["id"], {"confirm": True})
    again = upload(("january.csv", TABLE)).json()
    assert [event["changes"] for event in again["preview"]["events"]] == [0, 0]
    assert outcome(send(again["id"], {"confirm": True})) == (True, None, 0, 0)


def test_problems_name_file_line_column_and_remedy(upload, send):
    files = (
        ("a.csv", TABLE.replace(";1;Belle", ";7a;Belle")),
        ("b.csv", TABLE.replace("20.01.2026;2", "?;2")),
    )
    sent = upload(*files).json()
    number, preview = sent["id"], sent["preview"]
    told = [(problem["file"], problem["line"], problem["column"]) for problem in preview["problems"]]
    assert told == [("a.csv", 2, "place"), ("b.csv", 4, "player"), ("b.csv", 5, "date")]
    assert preview["problems"][2]["remedy"] == "Write it like 2026-01-13."
    mended = send(number, {"answers": {"cell:2:1": "1", "2#cell:5:0": "2026-01-20"}}).json()["preview"]
    assert {problem["column"] for problem in mended["problems"]} == {
        "event"
    }  # both files hold the same evenings
    taken_back = send(number, {"answers": {"cell:2:1": ""}}).json()["preview"]
    assert [problem["line"] for problem in taken_back["problems"]][:1] == [2]
    assert not Event.objects.exists()


def test_files_that_cannot_be_read_are_refused(upload, send):
    assert upload().json() == {"file": ["This field is required."]}
    (message,) = upload(("a.csv", b"%PDF-1.4")).json()["file"]
    assert message.startswith("a.csv: This is no table but a PDF.")
    assert not ImportDraft.objects.exists()
    number = upload(("a.csv", TABLE)).json()["id"]
    assert send(number, {"answer": {}}).json()["answer"][0].startswith("There is no such field.")
    assert send(number, {"answers": [1]}).status_code == 400


def test_an_upload_belongs_to_its_account(upload, send, client_of):
    number = upload(("a.csv", TABLE)).json()["id"]
    for who in ("anonymous", "stranger", "member", "owner"):
        assert client_of(who).get(f"/api/v1/uploads/{number}/").status_code == 404, who
        assert send(number, {"confirm": True}, client_of(who)).status_code == 404, who


def test_a_workbook_of_several_sheets_is_asked_about(upload, send):
    path = DATA / "files" / "workbook-with-several-sheets.xlsx"
    sent = upload((path.name, path.read_bytes())).json()
    assert [question["id"] for question in sent["preview"]["questions"]] == ["sheets"]
    answered = send(sent["id"], {"answers": {"sheets": "likely"}}).json()
    assert answered["is_ready"]
