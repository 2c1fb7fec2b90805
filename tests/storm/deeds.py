"""Deeds that are killed at many moments (`deaths.py`): each is made in a club, and can be done again when it was killed."""

import io
import os
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

N_EVENTS, N_IMPORTED = 12, 30
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


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
    from entry.services.drafts import answer_draft, apply_draft, stage_import
    from entry.services.import_reading import read_draft
    from league.models import ImportDraft

    lines = ["event,date,player,place"]
    for number in range(N_IMPORTED):
        day = (NOW - timedelta(days=number + 1)).date()
        lines += [f"New {number},{day},Newcomer {i:02d},{i}" for i in range(1, 13)]
    data = "\n".join(lines).encode()

    def deed():
        staged = ImportDraft.objects.order_by("pk").last()
        draft = staged or stage_import(season, user=owner, files=[("new.csv", data)])
        if not draft.preview:  # the process died before it had made one; pages make it anew each time
            answer_draft(draft, answers=[])
        read = read_draft(draft)
        assert not read.problems, read.problems
        apply_draft(draft, read, actor=owner)

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
