"""Databases of earlier releases are migrated with their data, and computed again to the same rows."""

import pytest

from tests.production.conftest import (
    clean_environment,
    connect,
    kept_database,
    one_process,
    shell,
    tables_of,
)
from tests.releases import CLUB, RELEASES, checksums

SEALED = "SELECT slug FROM league_season WHERE is_sealed"
NAMES = sorted(folder.name for folder in RELEASES.iterdir())
APPS = ("auth_", "league_", "ratings_", "payouts_", "standings_", "api_", "lab_")
# Rows that the recomputation replaces, by what identifies one.
COMPUTED = {
    "ratings_ratedentry": ("event_id", "player_id", "number"),
    "ratings_playerrating": ("pool_id", "player_id"),
    "ratings_ratedgame": ("event_id", "player_id", "pool_id"),
    "ratings_profitrating": ("pool_id", "player_id"),
    "payouts_entrypoints": ("entry_id",),
    "standings_standing": ("season_id", "player_id"),
    "standings_seasonsummary": ("season_id",),
    "standings_eventcolumns": ("event_id",),
}
# Columns that later releases store in a table of their own, and how to read them before and after; what was found of an
# upload (verdict) is found anew.
MOVED = {"league_importdraft": {"file_name", "text", "verdict"}}
UPLOADS = "SELECT id, file_name, text FROM league_importdraft ORDER BY id"
UPLOADED_FILES = "SELECT draft_id, name, data FROM league_importfile ORDER BY draft_id"
# The oldest revision of the rating engine that gives the same ratings; raise it when they change on purpose.
UNCHANGED_SINCE = 7
# Django adds permissions for new models, and the time of a computation differs each time.
CHANGING = {"auth_permission", "standings_recomputation"}


def rows_of(url, columns=None):
    """Every row of our tables as a dict, in the order of its key; of `columns` by table, or of all."""
    found = {}
    with connect(url) as connection:
        for table in tables_of(connection):
            if table.startswith(APPS) and table not in CHANGING and (columns is None or table in columns):
                cursor = connection.execute(f"SELECT * FROM {table}")
                names = [column[0] for column in cursor.description]
                shown = names if columns is None else columns[table]
                key = COMPUTED.get(table, ("id",) if "id" in names else names)
                rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
                rows.sort(key=lambda row, key=key: [row[name] for name in key])
                found[table] = [{name: row[name] for name in shown if name in names} for row in rows]
    return found


def columns_of(rows):
    """The columns to compare by table; the numbers of computed rows are given anew each time."""
    left_out = {table: {"id"} for table in COMPUTED} | MOVED
    return {
        table: [name for name in (found[0] if found else ()) if name not in left_out.get(table, ())]
        for table, found in rows.items()
    }


def uploads_of(url, query):
    """Number, name and text of each uploaded file."""
    with connect(url) as connection:
        rows = connection.execute(query).fetchall()
    return [(pk, name, data if isinstance(data, str) else bytes(data).decode()) for pk, name, data in rows]


@pytest.mark.parametrize("release", NAMES)
def test_migrations_of_a_release_are_never_edited(release):
    """A database that has applied one would not get the edit."""
    lines = (RELEASES / release / "migrations.sha256").read_text().splitlines()
    released = {file: checksum for checksum, file in map(str.split, lines)}
    now = checksums()
    assert {file: now.get(file) for file in released} == released


@pytest.mark.usefixtures("server_url")
@pytest.mark.parametrize("release", NAMES)
def test_a_database_of_a_release_is_upgraded(release, new_database, tmp_path):
    url = new_database()
    shell("restore.sh", kept_database(release), url=url)
    with connect(url) as connection:
        revisions = connection.execute("SELECT engine_revision FROM standings_recomputation").fetchall()
        ((sealed,),) = connection.execute(SEALED).fetchall()
    stored = rows_of(url)
    columns = columns_of(stored)
    released = rows_of(url, columns)
    # A release has not the tables of later ones.
    computed = COMPUTED.keys() & released.keys()
    assert computed
    assert all(released[table] for table in computed)
    has_texts = "text" in stored["league_importdraft"][0]
    uploads = uploads_of(url, UPLOADS if has_texts else UPLOADED_FILES)
    assert uploads
    with one_process(clean_environment(DATABASE_URL=url, VAR_DIR=str(tmp_path / "var"))) as manage:
        manage("migrate", "--verbosity", "0")
        assert rows_of(url, columns) == released
        assert uploads_of(url, UPLOADED_FILES) == uploads
        manage("recompute", "--stale")
        upgraded = rows_of(url, columns)
        people = {table: rows for table, rows in released.items() if table not in COMPUTED}
        assert {table: upgraded[table] for table in people} == people
        for club in ("riverbank", CLUB):
            manage("recompute", "--club", club)
        manage("check_seal", "--club", CLUB, "--season", sealed)
    assert rows_of(url, columns) == upgraded
    if min(revisions) >= (UNCHANGED_SINCE,):
        assert upgraded == released
