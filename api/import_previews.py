"""The preview of uploaded files as the API answers it: what the page shows, with its texts."""

from typing import Any

from entry.services.drafts import Look
from league.models import ImportDraft
from reading.problems import Problem
from reading.questions import Question


def preview_of(draft: ImportDraft, look: Look) -> dict[str, Any]:
    """Write down what was read of an upload."""
    assert look.preview is not None
    shown = look.preview
    return {
        "upload": draft.pk,
        "season": draft.season_id,
        "is_ready": shown.is_ready and draft.applied_at is None,
        "is_outdated": look.is_outdated,
        "is_saved": draft.applied_at is not None,
        "import": draft.saved_as_id,
        "asked_for": "",
        "error": draft.error,
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


def progress_of(draft: ImportDraft) -> dict[str, Any]:
    """Say what the worker is asked to do with a large upload, and how far it is."""
    return {
        "upload": draft.pk,
        "season": draft.season_id,
        "is_ready": False,
        "is_saved": False,
        "asked_for": draft.asked_for,
        "step": draft.step,
        "error": draft.error,
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
