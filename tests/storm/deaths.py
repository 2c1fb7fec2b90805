"""Kill what somebody does at many moments: `python -m tests.storm.deaths DEED [--kills N]`.

A deed is done by a process that kills itself with SIGKILL at the n-th moment: before a statement of the database, or
before or after a commit. The moments are spread evenly over the whole deed, so that nothing depends on how fast the machine is.
After each death the rows must be those before the deed or those after one of its commits, results and people must have
changed at once or not at all, the deed must be possible again and end with the very rows of one that was not killed,
and computed rows must be those computed from scratch. The last line printed is the account in JSON.

VAR_DIR and DATABASE_URL name an empty folder and an SQLite file that is not there. The clock of the deeds stands still, so that
rows can be compared with their times.
"""

import argparse
import io
import json
import os
import shutil
import signal
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import django
import time_machine

N_KILLS = 20
CHECKED_EVERY = 4
N_EVENTS, N_IMPORTED = 12, 30
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
SQLITE_FILES = ("", "-wal", "-shm")
# Sessions belong to no deed, and the recomputation writes its state by itself.
NOT_COMPARED = {"sessions.session", "standings.recomputation"}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("deed")
    parser.add_argument("--kills", type=int, default=N_KILLS)
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
    os.environ["BROKER_URL"] = "embedded://localhost"
    django.setup()
    with time_machine.travel(NOW, tick=False):
        sys.stdout.write(json.dumps(kill_again_and_again(options.deed, options.kills)) + "\n")


def kill_again_and_again(name: str, n_kills: int) -> dict[str, object]:
    deed = prepared(name)
    before, file = rows(), Database()
    n_moments, states = witnessed(deed)
    after = rows()
    changes = [typed(state) for state in states]
    account = {"deed": name, "moments": n_moments, "commits": len(states), "kills": 0, "survived": 0}
    found = dict.fromkeys(("half", "not_repeatable", "wrong", "changed_twice"), 0)
    found["changed_twice"] = int(
        sum(a != b for a, b in zip([typed(before), *changes], changes, strict=False)) > 1
    )
    died_at = set()
    for i in range(n_kills):
        file.put_back()
        moment = 1 + i * (n_moments - 1) // max(1, n_kills - 1)
        if die(deed, moment):
            account["kills"] += 1
        else:
            account["survived"] += 1
        left = rows()
        found["half"] += left not in [before, *states]
        died_at.add("before" if typed(left) == typed(before) else "after")
        deed()
        found["not_repeatable"] += rows() != after
        if i % CHECKED_EVERY == 0:  # computing everything twice takes longer than the deed
            found["wrong"] += wrong()
    found["half"] += export.n_half
    return account | found | {"died": sorted(died_at)}


# --- the deeds -----------------------------------------------------------------------------------------------------


def prepared(name: str) -> Callable[[], None]:
    """Make a club in an empty database; return the deed, which can be done again when it was killed."""
    from django.core.management import call_command

    from league.models import Pool, Season
    from processes.tables import create_tables
    from standings.recomputation.service import recompute
    from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter_many, names
    from tests.storm.wire import wire

    create_tables()
    call_command("createcachetable", verbosity=0)
    wire.put_in()
    wire.is_cut = True  # no message is sent: what waits is found in the database
    owner = UserFactory()
    season = SeasonFactory(club=ClubFactory(owner=owner))
    players = names(14)
    # The last two never play together: they can be merged.
    orders = [[*players[i % 5 : i % 5 + 7], players[12 + i % 2]] for i in range(N_EVENTS)]
    enter_many(season, orders)
    deed = DEEDS[name](Season.objects.select_related("club", "pool").get(pk=season.pk), owner)
    for pool_id in Pool.objects.values_list("pk", flat=True):
        if name != "recompute":
            recompute(pool_id)
    return deed


def import_files(season, owner):
    from entry.services.import_reading import read_draft
    from entry.services.imports import answer_draft, apply_draft, stage_import
    from league.models import ImportDraft

    lines = ["event,date,player,place"]
    for number in range(N_IMPORTED):
        day = (NOW - timedelta(days=number + 1)).date()
        lines += [f"New {number},{day},Newcomer {i:02d},{i}" for i in range(1, 13)]
    data = "\n".join(lines).encode()

    def deed():
        staged = ImportDraft.objects.order_by("pk").last()
        draft = staged or stage_import(season, user=owner, files=[("new.csv", data)])
        if not draft.verdict:  # the process died before it had found one; pages find it anew each time
            answer_draft(draft, answers=[])
        read = read_draft(draft)
        assert not read.problems, read.problems
        apply_draft(draft, read.events, actor=owner, aliases=read.aliases)

    return deed


def merge(season, owner):
    from league.models import Player
    from people.services.merges import merge_players
    from tests.factories import names

    kept, merged = Player.objects.filter(club=season.club, name__in=names(14)[12:]).order_by("pk")

    def deed():
        merge_players(kept, merged, actor=owner)

    return deed


def unmerge(season, owner):
    from league.models import PlayerMerge
    from people.services.merges import unmerge

    merge(season, owner)()
    merge_id = PlayerMerge.objects.get().pk

    def deed():
        unmerge(season.club, merge_id, actor=owner)

    return deed


def delete(season, owner):
    from league.services.deletions import delete_season

    def deed():
        delete_season(season, actor=owner)

    return deed


def restore(season, owner):
    from league.models import BinItem
    from league.services.bin import restore

    delete(season, owner)()
    item_id = BinItem.objects.get().pk

    def deed():
        restore(season.club, item_id, actor=owner)

    return deed


def make_club(season, owner):
    """As the page does with a small archive."""
    from standings.archive.reading import read_archive
    from standings.archive.services import import_draft

    draft = uploaded(season, owner)

    def deed():
        import_draft(draft, read_archive(io.BytesIO(draft.data)), name="Moved", slug="moved")

    return deed


def make_asked_club(season, owner):
    """As page and worker do with a large one."""
    from standings.archive.services import ask_for_club, asked_drafts, make_asked_club
    from standings.tasks import ASKED_AGAIN

    draft = uploaded(season, owner)

    def deed():
        ask_for_club(draft, name="Moved", slug="moved")
        for draft_id in asked_drafts(NOW + 2 * ASKED_AGAIN):  # those that the sweep finds
            make_asked_club(draft_id)

    return deed


def uploaded(season, owner):
    from standings.archive.reading import read_archive
    from standings.archive.writing import write_archive
    from standings.models import ArchiveDraft

    file = io.BytesIO()
    write_archive(season.club, file)
    summary = read_archive(io.BytesIO(file.getvalue())).summary
    return ArchiveDraft.objects.create(user=owner, data=file.getvalue(), summary=summary)


def export(season, _owner):
    """Write the archive of a club; what stands under its name is whole."""
    from django.core.management import call_command

    file = Path(os.environ["VAR_DIR"]) / "club.zip"
    file.unlink(missing_ok=True)

    def deed():
        if file.exists():
            export.n_half += not is_whole(file)
            file.unlink()
        call_command("export_club", str(file), club=season.club.slug, verbosity=0, stdout=io.StringIO())

    return deed


export.n_half = 0


def is_whole(file: Path) -> bool:
    try:
        with zipfile.ZipFile(file) as archive:
            return archive.testzip() is None
    except zipfile.BadZipFile:
        return False


def simulate(season, owner):
    """Start a run and compute its chunks, as page, sweep and worker do."""
    from django.db.models import Max

    from lab.models import LabChunk, LabRun
    from lab.services import runs
    from tests.lab.conftest import SMALL

    runs.chunk_sizes = lambda _scenario, _n_seasons: [30] * 4  # as of a long run

    def deed():
        arguments = {"scenario": SMALL, "n_seasons": 120, "seed": 7, "token": UUID(int=1), "actor": owner}
        runs.start_run(season.club, **arguments)
        while LabRun.objects.get().is_running:
            # The clock of deeds stands still: the chunks of a worker that was killed count as lost at once.
            last = LabChunk.objects.aggregate(last=Max("claimed_at"))["last"] or NOW
            for chunk_id in runs.claim_chunks(last + 2 * runs.LOST_AFTER):
                runs.compute_chunk(chunk_id)
        assert LabRun.objects.get().state == "done"

    return deed


def recompute_pool(season, _owner):
    from standings.recomputation.service import recompute

    def deed():
        assert recompute(season.pool_id)

    return deed


DEEDS = {
    "import": import_files,
    "merge": merge,
    "unmerge": unmerge,
    "delete": delete,
    "restore": restore,
    "make_club": make_club,
    "make_asked_club": make_asked_club,
    "export": export,
    "simulate": simulate,
    "recompute": recompute_pool,
}

# --- deaths --------------------------------------------------------------------------------------------------------


class Moments:
    """Counts the moments of a deed, and kills this process at one of them."""

    def __init__(self, last: int = 0, witness: Callable[[], None] = lambda: None) -> None:
        self.n, self.last, self.witness = 0, last, witness

    def pass_one(self) -> None:
        self.n += 1
        if self.n == self.last:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self, deed: Callable[[], None]) -> None:
        from django.db import connection

        connection.ensure_connection()
        commit = connection._commit

        def committed():
            self.pass_one()
            commit()
            self.pass_one()
            self.witness()

        def execute(run, sql, params, many, context):
            self.pass_one()
            result = run(sql, params, many, context)
            if not context["connection"].in_atomic_block and not sql.startswith(("SELECT", "PRAGMA")):
                self.witness()  # a statement outside of a transaction is one of its own
            return result

        connection._commit = committed
        try:
            with connection.execute_wrapper(execute):
                deed()
        finally:
            connection._commit = commit


def witnessed(deed: Callable[[], None]) -> tuple[int, list[dict[str, list[str]]]]:
    """Do a deed without a kill; return how many moments it has, and the rows after each of its commits."""
    states: list[dict[str, list[str]]] = []
    is_looking = False

    def look() -> None:
        nonlocal is_looking
        if not is_looking:
            is_looking = True
            n = moments.n
            states.append(rows())
            moments.n, is_looking = n, False

    moments = Moments(witness=look)
    moments.watch(deed)
    return moments.n, states


def die(deed: Callable[[], None], moment: int) -> bool:
    """Do a deed in a process of its own that is killed at a moment; tell whether it was."""
    from django.db import connections

    connections.close_all()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            Moments(last=moment).watch(deed)
            status = 0
        finally:
            os._exit(status)
    _pid, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the deed has failed"
    return os.WIFSIGNALED(status)


class Database:
    """The SQLite file before the deed."""

    def __init__(self) -> None:
        from django.conf import settings
        from django.db import connections

        connections.close_all()  # the last one writes everything into the file
        self.file = Path(settings.DATABASES["default"]["NAME"])
        self.kept = self.file.with_suffix(".kept")
        shutil.copy(self.file, self.kept)

    def put_back(self) -> None:
        from django.db import connections

        connections.close_all()
        for ending in SQLITE_FILES:
            self.file.with_name(self.file.name + ending).unlink(missing_ok=True)
        shutil.copy(self.kept, self.file)


def rows() -> dict[str, list[str]]:
    """All rows that are not computed, by model."""
    from django.apps import apps

    found = {}
    for model in apps.get_models():
        label = model._meta.label_lower
        if label not in NOT_COMPARED and not getattr(model, "is_computed", False):
            columns = [field.attname for field in model._meta.concrete_fields]
            found[label] = sorted(map(repr, model._base_manager.values_list(*columns)))
    return found


def typed(state: dict[str, list[str]]) -> list[list[str]]:
    """Rows of results and people, without what is only staged, asked for or logged."""
    staged = {"league.importdraft", "league.importfile", "league.useofday", "standings.archivedraft"}
    return [
        lines
        for label, lines in sorted(state.items())
        if label not in staged and not label.startswith("lab.")
    ]


def wrong() -> int:
    """Leagues whose rows, brought up to date, differ from those computed from scratch."""
    from league.models import Pool
    from standings.recomputation.service import recompute
    from tests.storm.rows import wrong_leagues

    for pool_id in Pool.objects.values_list("pk", flat=True):
        assert recompute(pool_id)
    return wrong_leagues()


if __name__ == "__main__":
    main()
