"""Write an archive of a club: rows as JSON for other sites, results and ratings as CSV for people."""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, Any

from django.db import transaction
from django.utils import timezone

from league.downloads import csv_text
from league.models import Club
from league.services.kept_rows import plain_value
from ratings.models import PlayerRating, ProfitRating
from standings.archive.ids import SAME, moved_json
from standings.archive.parts import LEFT_EMPTY, PARTS, Part, is_of_account
from standings.exports.tables import results_table

FORMAT = "tierboard-club/1"
MANIFEST = "manifest.json"
RATING_COLUMNS = ("pool", "player", "rating", "sigma", "rate", "badge", "entries")


@transaction.atomic
def write_archive(club: Club, file: IO[bytes]) -> dict[str, Any]:
    """Write everything of a club as ZIP, from one moment; return the manifest."""
    files: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in PARTS:
            name = f"rows/{part.label}.jsonl"
            files[name] = _write(archive, name, _lines(part, club))
        for season in club.seasons.order_by("pk"):
            name = f"results/{season.slug}.csv"
            files[name] = _write(archive, name, [results_table(season).csv])
        files["ratings.csv"] = _write(archive, "ratings.csv", [_ratings(club)])
        manifest = _manifest(club, files)
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False))
    return manifest


def _manifest(club: Club, files: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "made_at": timezone.now().isoformat(timespec="seconds"),
        "club": {"name": club.name, "slug": club.slug},
        "files": files,
    }


def _write(archive: zipfile.ZipFile, name: str, lines: Iterable[str]) -> dict[str, Any]:
    """Write a file line by line; return what the manifest says about it."""
    digest, n_lines = hashlib.sha256(), 0
    with archive.open(name, "w") as member:
        for line in lines:
            data = line.encode()
            member.write(data)
            digest.update(data)
            n_lines += 1
    # The first line of rows names the columns.
    return (
        {"rows": n_lines - 1, "sha256": digest.hexdigest()}
        if name.startswith("rows/")
        else {"sha256": digest.hexdigest()}
    )


def _lines(part: Part, club: Club) -> Iterator[str]:
    yield _json_line(part.columns)
    own = [_plain_cells(part, field.attname, is_of_account(field)) for field in part.fields]
    for row in part.rows(club).values_list(*part.columns).iterator(chunk_size=2000):
        yield _json_line([plain(value) for plain, value in zip(own, row, strict=True)])


def _plain_cells(part: Part, column: str, is_account: bool) -> Any:
    """Make the function that converts the values of a column; accounts, tokens of forms and keys stay behind."""
    if is_account or column in LEFT_EMPTY:
        return lambda _value: None
    return lambda value: plain_value(moved_json(part.model, column, value, SAME))


def _json_line(values: list[Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"


def _ratings(club: Club) -> str:
    tier = PlayerRating.objects.filter(pool__club=club).order_by("pool", "-rate", "pk")
    profit = ProfitRating.objects.filter(pool__club=club).order_by("pool", "-r", "pk")
    rows = [
        *tier.values_list("pool__name", "player__name", "mu", "sigma", "rate", "badge", "n_entries"),
        *(
            (*row[:3], None, *row[2:])
            for row in profit.values_list("pool__name", "player__name", "r", "badge", "n_games")
        ),
    ]
    return csv_text(RATING_COLUMNS, rows)
