import argparse
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from entry.services.import_reading import DraftRead, ReadFile, Upload, read_upload
from entry.services.imports import NotImported, import_events, import_problems
from league.models import Season
from reading.event_files.reader import ANY_NUMBER
from reading.problems import Problem, shown
from reading.questions import Question
from reading.tables.layouts import Column
from reading.tables.meanings import Meaning, heading_key
from reading.tables.sheets import MEANING

MOST_UNUSED = 20


class Command(BaseCommand):
    help = (
        "Imports files of results (docs/event-files.md) into a season, all of them or nothing. What could mean two"
        " things is asked: the command then ends, and says with which options it goes on."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("files", type=Path, nargs="+", metavar="file")
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--season", required=True, metavar="SLUG")
        parser.add_argument("--dry-run", action="store_true", help="check the files, save nothing")
        parser.add_argument(
            "--meaning",
            action="append",
            default=[],
            metavar="COLUMN=MEANING",
            help=f"what a column means, by its heading or its number from 1: {', '.join(Meaning)}",
        )
        parser.add_argument(
            "--answer",
            action="append",
            default=[],
            metavar="QUESTION=ANSWER",
            help="answer a question; encoding=cp1252 reads the file in another encoding",
        )
        parser.add_argument(
            "--new-players", action="store_true", help="all unknown names are new: do not ask"
        )

    def handle(self, *_args: Any, files: list[Path], club: str, season: str, **options: Any) -> None:
        target = Season.objects.select_related("club").filter(club__slug=club, slug=season).first()
        if target is None:
            raise CommandError(f"--season: club {club} has no season {season}")
        read = _read(target, files, options)
        for line in (line for file in read.files for line in _how(file)):
            self.stderr.write(line)
        found = list(read.problems)
        if options["dry_run"] or found:
            found += import_problems(target, read.events)
        self._stop(read, found)
        if options["dry_run"]:
            self.stderr.write(f"{_names(read)}: {len(read.events)} events, nothing saved")
            return
        try:
            imported = import_events(
                target, read.events, actor=None, files=_names(read), aliases=read.aliases
            )
        except NotImported as error:
            self._stop(read, error.problems)
            raise
        self.stderr.write(
            f"{imported.n_entered} entered, {imported.n_corrected} corrected, {imported.n_same} unchanged"
        )

    def _stop(self, read: DraftRead, problems: Sequence[Problem]) -> None:
        """Raise CommandError with the problems and the open questions, if there are any."""
        first, n_more = shown(map(_named(read), problems))
        lines = list(map(str, first))
        lines += [f"and {n_more} more"] if n_more else []
        lines += [
            line for question in read.questions if not question.is_answered for line in _asked(question)
        ]
        if lines:
            raise CommandError("\n".join(lines))


def _read(season: Season, files: Sequence[Path], options: dict[str, Any]) -> DraftRead:
    """Read files by the options; columns are looked up by what they are called in the files."""
    try:
        contents = [(file.name, file.read_bytes()) for file in files]
    except OSError as error:
        raise CommandError(str(error)) from error
    answers = [_option("--answer", text) for text in options["answer"]]
    upload = Upload(season, contents, answers, options["new_players"], ANY_NUMBER, ANY_NUMBER)
    read = read_upload(upload)
    if not options["meaning"]:
        return read
    chosen = [answer for text in options["meaning"] for answer in _chosen(read, text)]
    return read_upload(
        Upload(season, contents, [*answers, *chosen], options["new_players"], ANY_NUMBER, ANY_NUMBER)
    )


def _option(option: str, text: str) -> str:
    if "=" not in text:
        raise CommandError(f"{option}: “{text}” has no =")
    return text


def _chosen(read: DraftRead, text: str) -> Iterator[str]:
    """Turn COLUMN=MEANING into the answers that choose it, in each table that has the column."""
    name, _sign, meaning = _option("--meaning", text).rpartition("=")
    if meaning not in set(Meaning):
        raise CommandError(f"--meaning: “{meaning}” is none of {', '.join(Meaning)}")
    found = [
        f"{file.prefix}{table.prefix}{MEANING}{column.index}={meaning}"
        for file in read.files
        for table in file.read.tables
        for column in table.layout.columns
        if _is_called(column, name)
    ]
    if not found:
        raise CommandError(f"--meaning: no table has a column “{name}”")
    yield from found


def _is_called(column: Column, name: str) -> bool:
    return name == str(column.index + 1) or bool(
        column.heading and heading_key(name) == heading_key(column.heading)
    )


def _how(file: ReadFile) -> Iterator[str]:
    """Say how a file was read: its encoding, what its columns mean, and what was not used."""
    several = len(file.read.encodings) > 1
    for encoding in file.read.encodings:
        if several and encoding.encoding == file.read.encoding:
            yield f"{file.name}: {encoding.label}: {', '.join(encoding.samples)}"
    for table in file.read.tables:
        columns = ", ".join(f"{c.heading or c.index + 1} = {c.meaning}" for c in table.layout.columns)
        yield f"{table.grid.name}: {columns} (--meaning COLUMN=MEANING says it otherwise)"
    for unused in file.read.unused[:MOST_UNUSED]:
        line = f"line {unused.line}, " if unused.line else ""
        yield f"{file.name}: not used: {line}{unused.kind} {unused.text}".rstrip()
    if (n := len(file.read.unused) - MOST_UNUSED) > 0:
        yield f"{file.name}: and {n} more parts are not used"
    for warning in file.read.warnings:
        yield warning if warning.startswith(f"{file.name}: ") else f"{file.name}: {warning}"


def _named(read: DraftRead) -> Callable[[Problem], Problem]:
    """Make a function that adds the name of the file to a problem, which says it only if there are several."""
    if len(read.files) > 1:
        return lambda problem: problem
    name = read.files[0].name
    return lambda problem: replace(problem, file=f"{name}, {problem.file}" if problem.file else name)


def _names(read: DraftRead) -> str:
    return ", ".join(file.name for file in read.files)


def _asked(question: Question) -> Iterator[str]:
    """Write a question with the options that answer it."""
    yield f"{question.text} {question.reason}".rstrip()
    for choice in question.choices:
        label = f"{choice.label} ({choice.hint})" if choice.hint else choice.label
        yield f"    --answer {shlex.quote(f'{question.id}={choice.value}')}    {label}"
