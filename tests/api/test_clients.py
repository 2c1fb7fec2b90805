"""A client that is generated from the description of the API: with it a season is begun, played, corrected and read."""

import importlib
import subprocess
import sys
from datetime import UTC, date, datetime

import pytest

from api.services import make_key
from api.views.reference import described
from standings.recomputation.service import recompute

pytestmark = [pytest.mark.rest, pytest.mark.django_db(transaction=True)]
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
