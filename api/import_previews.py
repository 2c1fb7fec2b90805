"""An upload as the API answers it: how far it is, and its preview with the texts of the page."""

from typing import Any

from django.db.models import Count, Q, QuerySet

from entry.services.drafts import Look
from entry.services.import_previews import Preview
from league.models import Import, ImportDraft
from reading.problems import Problem
from reading.questions import Question


def counted(records: QuerySet[Import]) -> Any:
    """Count what imports entered and corrected."""
    return records.annotate(
        n_new=Count("events", filter=Q(events__before__isnull=True)),
        n_corrected=Count("events", filter=Q(events__before__isnull=False)),
    )


def upload_of(draft: ImportDraft, look: Look | None) -> dict[str, Any]:
    """Write down how far an upload is, and what was read of it, if it was looked at."""
    record = counted(Import.objects.filter(pk=draft.saved_as_id or 0)).first()
    is_saved = draft.applied_at is not None
    shown = look.preview if look else None
    return {
        "id": draft.pk,
        "season": draft.season_id,
        "is_ready": bool(shown and shown.is_ready) and not is_saved,
        "is_saved": is_saved,
        "asked_for": draft.asked_for,
        "step": draft.step,
        "error": draft.error,
        "import": draft.saved_as_id,
        "entered": (record.n_new if record else 0) if is_saved else None,
        "corrected": (record.n_corrected if record else 0) if is_saved else None,
        "preview": _preview(shown, is_outdated=look.is_outdated) if look and shown else None,
    }


def _preview(shown: Preview, *, is_outdated: bool) -> dict[str, Any]:
    return {
        "is_outdated": is_outdated,
        "files": [_file(file) for file in shown.files],
        "events": [
            {
                "event": event["key"],
                "name": event["name"],
                "season": event["season"],
                "starts_at": event["starts_at"],
                "entries": event["n_entries"],
                "winners": event["winners"],
                "changes": event["n_changes"],
            }
            for event in shown.events
        ],
        "guests": [{"name": guest["name"], "like": guest["like"]} for guest in shown.guests],
        "n_guests": shown.n_guests,
        "questions": [_question(question) for question in shown.questions],
        "problems": [_problem(problem) for problem in shown.problems],
        "n_more_problems": shown.n_problems - len(shown.problems),
    }


def _file(file: dict[str, Any]) -> dict[str, Any]:
    columns = [
        {
            "answer": f"{file['prefix']}{table['prefix']}meaning:{column['index']}",
            "table": table["name"],
            "heading": column["heading"],
            "meaning": column["meaning"],
            "why": column["why"],
            "samples": column["samples"],
        }
        for table in file["tables"]
        for column in table["columns"]
    ]
    return {
        "name": file["name"],
        "encoding": file["encoding"],
        "encodings": file["encodings"],
        "columns": columns,
        "not_used": file["unused"],
        "n_not_used": file["n_unused"],
        "warnings": file["warnings"],
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
