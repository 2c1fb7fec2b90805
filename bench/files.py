"""Processor time and memory of the commands that read large files: `rate`, `import_events` and those of archives."""

import os
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from bench.start import Figure

ROOT = Path(__file__).resolve().parents[1]
N_PLAYERS = 28_000
FIRST_DAY = date(1950, 1, 1)
NOTES = "Processor time (user and system) and peak memory of a whole process, with its output, kernels compiled before."


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="tierboard-bench-") as folder:
        return [*_rate(Path(folder)), *_import(Path(folder))]


def _rate(folder: Path) -> list[Figure]:
    environment = os.environ | {"VAR_DIR": str(folder)}
    _cost(["rate", _results(folder, 2, 10)], environment)
    seconds, megabytes = _cost(["rate", _results(folder, 1_000, 1_000)], environment)
    note = f"1,000 events of 1,000 among {N_PLAYERS:,} players"
    return [
        Figure("`rate`, 1,000,000 participations", seconds, "s", 6.0, note),
        Figure("its memory", megabytes, "MB", 600.0),
    ]


def _import(folder: Path) -> list[Figure]:
    own = {"VAR_DIR": str(folder), "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3"}
    environment = os.environ | own | {"DJANGO_SETTINGS_MODULE": "league.settings"}
    club, season = _run_here("season", environment).split()
    file = _results(folder, 2_610, 100)
    seconds, megabytes = _cost(["import_events", file, "--club", club, "--season", season], environment)
    computed, _megabytes = _cost(["recompute", "--club", club], environment)
    note = f"2,610 events of 100 into an empty season, SQLite; peak memory {megabytes:.0f} MB"
    return [
        Figure("`import_events`, 261,000 entries", seconds, "s", 20.0, note),
        Figure("the recomputation after it", computed, "s", 15.0, "ratings, points and standings"),
        Figure(
            "all standings of it as XLSX",
            float(_run_here("workbook", environment)),
            "s",
            1.0,
            "in a running site",
        ),
        *_archive(folder, club, environment),
    ]


def _archive(folder: Path, club: str, environment: dict[str, str]) -> list[Figure]:
    """Measure a club as a file, and another club from this file."""
    file = folder / "club.zip"
    written, writing = _cost(["export_club", "--club", club, str(file)], environment)
    read, reading = _cost(["import_club", "--owner", "bench", "--slug", "copy", str(file)], environment)
    size = f"a file of {file.stat().st_size / 2**20:.1f} MB"
    return [
        Figure("`export_club`, 261,000 entries", written, "s", 60.0, size),
        Figure("its memory", writing, "MB", 1_000.0),
        Figure("`import_club` of this file", read, "s", 60.0),
        Figure("its memory", reading, "MB", 1_000.0),
    ]


def _results(folder: Path, n_events: int, size: int) -> str:
    """Write a file of results, an event a day, and return its path."""
    rng = np.random.default_rng(7)
    path = folder / f"{n_events}.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("event,date,player,place\n")
        for e in range(n_events):
            day = FIRST_DAY + timedelta(e)
            players = rng.choice(N_PLAYERS, size, replace=False).tolist()
            file.writelines(f"e{e},{day},Player {p},{place}\n" for place, p in enumerate(players, start=1))
    return str(path)


def _cost(arguments: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run a command of the site; return its processor seconds and peak megabytes."""
    command = [sys.executable, "manage.py", *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as process:
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024.0


def _run_here(step: str, environment: dict[str, str]) -> str:
    """Run a step of `main` in a process of its own and return what it prints."""
    command = [sys.executable, "-m", "bench.files", step]
    return subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def main() -> None:
    """Run a step that needs Django: `season` or `workbook`."""
    import django

    django.setup()
    sys.stdout.write({"season": _make_season, "workbook": _write_workbook}[sys.argv[1]]())


def _make_season() -> str:
    """Make an empty season in a new database; return the names of club and season in addresses."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    from bench.leagues import open_seasons

    (season,) = open_seasons(1)
    type(season).objects.filter(pk=season.pk).update(starts_on=FIRST_DAY, ends_on=None)
    return f"{season.club.slug} {season.slug}"


def _write_workbook() -> str:
    """Write the standings of the season as XLSX twice; return the processor seconds of the second time."""
    from league.models import Season
    from standings.exports.tables import season_rows, standings_table
    from standings.exports.xlsx import workbook

    season = Season.objects.select_related("club").get()
    for _turn in range(2):  # the first time also imports the library
        began = time.process_time()
        workbook(standings_table(season_rows(season, by="points")))
        seconds = time.process_time() - began
    return str(seconds)


if __name__ == "__main__":
    main()
