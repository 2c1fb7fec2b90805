"""The preview of uploaded files as the API answers it: what the page shows, with its texts."""

from typing import Any

from entry.services.import_reading import DraftRead, ReadFile
from entry.services.imports import Verdict
from league.models import ImportDraft
from reading.problems import Problem, shown
from reading.questions import Question


def preview_of(draft: ImportDraft, read: DraftRead, verdict: Verdict) -> dict[str, Any]:
    found = [*read.problems, *verdict.problems]
    problems, n_more = shown(found)
    changes = verdict.changes or (None,) * len(read.events)
    return {
        "upload": draft.pk,
        "season": draft.season_id,
        "is_ready": not found and not read.n_open and draft.applied_at is None,
        "files": [_file(file) for file in read.files],
        "events": [
            {
                "event": event.key,
                "name": event.details.name,
                "season": event.season,
                "starts_at": event.details.starts_at.isoformat(),
                "entries": len(event.entries),
                "winners": event.winners,
                "changes": n_changes,
            }
            for event, n_changes in zip(read.events, changes, strict=True)
        ],
        "guests": [{"name": guest.name, "like": guest.like} for guest in read.guests],
        "questions": [_question(question) for question in read.questions],
        "problems": [_problem(problem) for problem in problems],
        "n_more_problems": n_more,
    }


def _file(file: ReadFile) -> dict[str, Any]:
    columns = [
        {
            "answer": f"{file.prefix}{table.prefix}meaning:{column.index}",
            "table": table.grid.name,
            "heading": column.heading,
            "meaning": column.meaning.value,
            "why": column.why,
            "samples": column.samples,
        }
        for table in file.read.tables
        for column in table.layout.columns
    ]
    return {
        "name": file.name,
        "encoding": file.read.encoding,
        "encodings": [
            {"encoding": one.encoding, "label": one.label, "samples": one.samples}
            for one in file.read.encodings
        ],
        "columns": columns,
        "not_used": [
            {"sheet": part.sheet, "line": part.line, "what": part.kind, "text": part.text}
            for part in file.read.unused
        ],
        "warnings": file.read.warnings,
    }


def _question(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "text": question.text,
        "reason": question.reason,
        "choices": [
            {"value": choice.value, "label": choice.label, "hint": choice.hint} for choice in question.choices
        ],
        "answer": question.answer,
    }


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
        "value": problem.value,
        "remedy": problem.remedy,
    }
