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
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import django
import time_machine

from tests.storm.deeds import NOW, export, prepared

N_KILLS = 20
CHECKED_EVERY = 4
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
