"""Clients that are generated from the description of the API: with them a season is begun, played, corrected and read."""

import importlib
import json
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from api.services import make_key
from api.views.reference import described
from standings.recomputation.service import recompute

pytestmark = pytest.mark.django_db(transaction=True)
TYPESCRIPT = Path(__file__).parent / "typescript"
NAME = "tierboard_client"
NAMES = ("Ada", "Boris", "Cleo")


@pytest.fixture
def generated(tmp_path, monkeypatch):
    """Generate the client in Python, and return how its modules are imported."""
    description, settings = tmp_path / "api.json", tmp_path / "settings.json"
    description.write_text(described(), encoding="utf-8")
    settings.write_text('{"post_hooks": []}', encoding="utf-8")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    options = [
        "--path",
        description,
        "--config",
        settings,
        "--output-path",
        tmp_path / NAME,
        "--fail-on-warning",
    ]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.syspath_prepend(tmp_path)
    yield lambda name: importlib.import_module(f"{NAME}.{name}")
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


@pytest.mark.rest
def test_a_generated_client_in_python(generated, live_server, club, people):
    models, client = generated("models"), generated("client")
    key = make_key(people["organizer"], label="generated")
    options = {"base_url": live_server.url, "token": key, "raise_on_unexpected_status": True}
    with client.AuthenticatedClient(**options) as caller:
        play(
            club,
            models,
            lambda path, *given, **body: generated(f"api.{path}").sync(*given, client=caller, **body),
        )


def play(club, models, call):
    """Begin a season, enter an evening, correct it, and read standings and a player."""
    season = call(
        "clubs.clubs_seasons_create",
        club.slug,
        body=models.NewSeasonRequest(name="Generated", starts_on=date(2026, 1, 1)),
    )
    starts_at = datetime(2026, 1, 13, 19, 30, tzinfo=UTC)
    entries = [models.EntryInputRequest(player=name) for name in NAMES]
    event = call(
        "seasons.seasons_events_create",
        season.id,
        body=models.NewEventRequest(starts_at=starts_at, entries=entries),
    )
    assert [entry.player.name for entry in event.entries] == list(NAMES)
    corrected = models.CorrectedEventRequest(
        starts_at=starts_at, entries=entries[::-1], version=event.version
    )
    event = call("events.events_update", event.id, body=corrected)
    assert (event.version, event.entries[0].player.name) == (2, "Cleo")
    stale = call(
        "events.events_update",
        event.id,
        body=models.CorrectedEventRequest(starts_at=starts_at, entries=entries, version=1),
    )
    assert isinstance(stale, models.Detail)
    recompute(season.pool)
    standings = call("seasons.seasons_standings_list", season.id)
    assert [(row.rank, row.player.name, row.points) for row in standings.results] == [
        (1, "Cleo", "2"), (2, "Boris", "1"), (3, "Ada", "0"),
    ]  # fmt: skip
    cleo = call("players.players_retrieve", standings.results[0].player.id)
    assert (cleo.name, cleo.ratings[0].badge) == ("Cleo", standings.results[0].badge)


@pytest.fixture
def compiled(tmp_path):
    """Generate the types of the client in TypeScript, and compile the program that uses them."""
    folder = tmp_path / "typescript"
    shutil.copytree(TYPESCRIPT, folder)
    (folder / "api.json").write_text(described(), encoding="utf-8")
    for command in (
        ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        [
            "npx",
            "--no-install",
            "openapi-typescript",
            "api.json",
            "--output",
            "schema.d.ts",
            "--default-non-nullable",
            "false",
        ],
        ["npx", "--no-install", "tsc"],
    ):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "built" / "evening.js"


@pytest.mark.night
def test_a_generated_client_in_typescript(compiled, live_server, club, people):
    key = make_key(people["organizer"], label="generated")
    command = ["node", compiled, live_server.url, club.slug, key]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        entered = json.loads(program.stdout.readline() or "null")
        assert entered, program.stderr.read()
        recompute(entered["pool"])
        told, errors = program.communicate(timeout=60)
    assert program.returncode == 0, errors
    assert entered["names"] == ["Cleo", "Boris", "Ada"]
    assert json.loads(told) == {
        "stale": 409, "rows": [[1, "Cleo", "2"], [2, "Boris", "1"], [3, "Ada", "0"]], "player": ["Cleo", True],
    }  # fmt: skip
