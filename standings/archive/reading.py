"""Read an archive of a club: everything about it is checked before a row is written."""

import hashlib
import json
import math
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Field, ForeignKey, Model

from league.database.bulk import field_of
from league.models import Club, Event, Player, Season
from league.vocabulary import gettext as _
from standings.archive.cells import check_cell
from standings.archive.ids import MAX_ID, target
from standings.archive.parts import LATER, PART_OF, PARTS, Part, is_of_account
from standings.archive.writing import FORMAT, MANIFEST
from standings.models import SeasonSeal
from standings.seals.document import checksum

# An escaped half of a character, or NUL: no database or page takes these.
NO_CHARACTER = re.compile(rb"(?<!\\)(?:\\\\)*\\u(?:0000|[dD][89a-fA-F])")
MAX_MANIFEST = 1_000_000


class Limits(NamedTuple):
    """How much an archive may hold once it is unpacked: a small file may hold very much."""

    n_bytes: int  # of all files together
    n_values: (
        int  # of all rows together, since an empty list takes twenty times as much memory as in its file
    )


# A value takes up to forty bytes of memory, and a web process of the smallest installation has 1 GB.
MOST_FILES = 200  # one for each model, and the manifest
ON_PAGES = Limits(100_000_000, 5_000_000)
BY_COMMAND = Limits(10_000_000_000, 1_000_000_000)


class BadArchive(ValueError):
    """A file that is no archive of a club, or a damaged one; the message names file, line and column."""


@dataclass
class Table:
    """The rows of one model: columns by name, in the types of their fields."""

    part: Part
    columns: dict[str, list[Any]]

    def __len__(self) -> int:
        return len(self.columns["id"])


@dataclass
class Archive:
    """A checked archive."""

    name: str
    slug: str
    made_at: str
    tables: dict[type[Model], Table]

    @property
    def summary(self) -> dict[str, Any]:
        """Say what is in the archive, as JSON holds it."""
        counts = {f"n_{model._meta.model_name}s": self.n_rows(model) for model in (Season, Event, Player)}
        return {"name": self.name, "slug": self.slug, "made_at": self.made_at, **counts}

    def n_rows(self, model: type[Model]) -> int:
        return len(self.tables[model])


def read_archive(file: IO[bytes], *, limits: Limits = ON_PAGES) -> Archive:
    """Read an archive; raise BadArchive if anything of it is wrong."""
    try:
        with zipfile.ZipFile(file) as archive:
            _check_size(archive, limits)
            manifest = _manifest(archive)
            tables = {part.model: _table(archive, part, manifest) for part in PARTS}
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, RuntimeError) as error:
        raise BadArchive(_("This file is no archive of a club, or it is damaged.")) from error
    club = manifest["club"]
    found = Archive(str(club["name"]), str(club["slug"]), str(manifest["made_at"]), tables)
    _check_ids(found)
    _check_seals(tables[SeasonSeal])
    return found


def _check_size(archive: zipfile.ZipFile, limits: Limits) -> None:
    """Raise BadArchive if the unpacked archive would exceed the limits."""
    n_values, members = 0, archive.infolist()
    if len(members) <= MOST_FILES and sum(member.file_size for member in members) <= limits.n_bytes:
        for part in PARTS:
            n_values += _n_values(archive, f"rows/{part.label}.jsonl")
        if n_values <= limits.n_values:
            return
    raise BadArchive(
        _("The archive is too large when it is unpacked. Ask the operator of the site to import it.")
    )


def _n_values(archive: zipfile.ZipFile, name: str) -> int:
    """Count the commas and opening brackets of a file, to estimate its number of values."""
    if name not in archive.namelist():
        return 0
    with archive.open(name) as member:
        return sum(
            sum(map(chunk.count, (b",", b"[", b"{"))) for chunk in iter(lambda: member.read(2**20), b"")
        )


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        with archive.open(MANIFEST) as member:
            manifest = json.loads(member.read(MAX_MANIFEST))
        known = manifest["format"] == FORMAT
        complete = {"club", "files", "made_at"} <= manifest.keys()
        named = {"name", "slug"} <= manifest["club"].keys()
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadArchive(
            _("This file is no archive of a club: %(file)s is missing or damaged.") % {"file": MANIFEST}
        ) from error
    if not (known and complete and named):
        raise BadArchive(_("%(file)s: “format” must be “%(format)s”.") % {"file": MANIFEST, "format": FORMAT})
    return manifest  # type: ignore[no-any-return]


def _is_of_later(part: Part, manifest: dict[str, Any]) -> bool:
    """Tell whether an archive was written before there was such a part: it then names no file of it."""
    return part.label in LATER and f"rows/{part.label}.jsonl" not in manifest["files"]


def _table(archive: zipfile.ZipFile, part: Part, manifest: dict[str, Any]) -> Table:
    name = f"rows/{part.label}.jsonl"
    said = manifest["files"].get(name)
    if _is_of_later(part, manifest):
        return Table(part, {field.attname: [] for field in part.fields})
    if said is None or name not in archive.namelist():
        raise BadArchive(_("The archive has no file %(file)s.") % {"file": name})
    digest = hashlib.sha256()
    rows = list(_rows(archive, name, digest))
    if digest.hexdigest() != said.get("sha256") or not rows:
        raise BadArchive(_("%(file)s is not as it was written: its checksum differs.") % {"file": name})
    heading, *rows = rows
    unknown = [column for column in heading if column not in part.columns]
    if unknown:
        raise BadArchive(
            _(
                "%(file)s: this site does not know %(columns)s. The archive is of a later version of Tierboard."
            )
            % {"file": name, "columns": ", ".join(map(str, unknown))}
        )
    return Table(part, {field.attname: _column(name, field, heading, rows) for field in part.fields})


def _rows(archive: zipfile.ZipFile, name: str, digest: Any) -> Iterator[list[Any]]:
    with archive.open(name) as member:
        for number, line in enumerate(member, start=1):
            digest.update(line)
            try:
                row = _json(line)
            except ValueError as error:
                raise BadArchive(
                    _("%(file)s, line %(line)d: this is no JSON") % {"file": name, "line": number}
                ) from error
            if not isinstance(row, list):
                raise BadArchive(
                    _("%(file)s, line %(line)d: not a list of values.") % {"file": name, "line": number}
                )
            yield row


def _json(line: bytes) -> Any:
    """Read JSON; raise ValueError also for text and numbers that a database does not take."""
    if NO_CHARACTER.search(line):
        raise ValueError(line)
    return json.loads(line, parse_float=_finite, parse_constant=_finite)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _column(name: str, field: "Field[Any, Any]", heading: Sequence[str], rows: list[list[Any]]) -> list[Any]:
    """Read a column in the type of its field; one that an earlier version did not have takes the default."""
    if field.attname not in heading:
        return [field.get_default() for _row in rows]
    if is_of_account(field):
        return [None] * len(rows)
    index, values = heading.index(field.attname), []
    for number, row in enumerate(rows, start=2):
        try:
            values.append(check_cell(field, row[index]))
        except (
            ValidationError,
            LookupError,
            TypeError,
            ValueError,
            ArithmeticError,
            AttributeError,
        ) as error:
            said = "; ".join(error.messages) if isinstance(error, ValidationError) else _("not understood")
            raise BadArchive(
                _("%(file)s, line %(line)d, %(column)s: %(problem)s")
                % {"file": name, "line": number, "column": field.attname, "problem": said}
            ) from error
    return values


def _check_ids(archive: Archive) -> None:
    """Raise BadArchive for an id that is not the archive's own: it would name a row of another club."""
    if archive.n_rows(Club) != 1:
        raise BadArchive(_("An archive holds exactly one club."))
    own = {model: set(table.columns["id"]) for model, table in archive.tables.items()}
    for model, table in archive.tables.items():
        if not all(0 < pk <= MAX_ID for pk in own[model]) or len(own[model]) < len(table):
            raise BadArchive(
                _("rows/%(model)s.jsonl: an id is there twice, or is too high.") % {"model": table.part.label}
            )
        for column, values in table.columns.items():
            other = target(model, column)
            if (
                other in PART_OF
                and isinstance(field_of(model, column), ForeignKey)
                and not set(values) - {None} <= own[other]
            ):
                raise BadArchive(
                    _("rows/%(model)s.jsonl, %(column)s: refers to a row that is not in the archive.")
                    % {"model": table.part.label, "column": column}
                )


def _check_seals(seals: Table) -> None:
    for text, sha256 in zip(seals.columns["text"], seals.columns["sha256"], strict=True):
        if checksum(text) != sha256:
            raise BadArchive(_("The seal of a season is broken: its text does not have its checksum."))
