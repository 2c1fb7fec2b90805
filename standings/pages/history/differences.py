"""What was before and what is now, in words."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Model
from django.utils import timezone
from django.utils.text import capfirst

from league.vocabulary import gettext as _

NOTHING = "–"
Summary = Mapping[str, Any]
CurrentName = Callable[[str], str]


def time_text(moment: str | None, pattern: str = "%H:%M") -> str:
    return f"{timezone.localtime(datetime.fromisoformat(moment)):{pattern}}" if moment else NOTHING


def from_to(label: str, before: object, after: object) -> str:
    return _("%(label)s: %(before)s → %(after)s") % {
        "label": label,
        "before": _readable(before),
        "after": _readable(after),
    }


def _readable(value: object) -> str:
    """Write a recorded value for readers. Some are recorded as Python writes them, such as None."""
    text = str(value)
    if re.fullmatch(r"\d+\.\d+", text):
        return text.rstrip("0").rstrip(".")
    return {"None": NOTHING, "": NOTHING, "True": _("yes"), "False": _("no")}.get(text, text)


def field_changes(model: type[Model], before: Summary, after: Summary) -> list[str]:
    return [
        from_to(capfirst(str(field.verbose_name)), before.get(field.name), after[field.name])
        for field in model._meta.fields  # PostgreSQL does not keep the order of a JSON object
        if field.name in after and _readable(after[field.name]) != _readable(before.get(field.name))
    ]
