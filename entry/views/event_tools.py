"""The tools of the entry form: what was pressed changes the text."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import QueryDict

from entry.forms.results import EventForm
from league.vocabulary import gettext as _
from reading.finishing_order.edits import Edit, add_name, apply_edit
from reading.finishing_order.order import apply_fix, turned_round, without_places

TIMES = ("in", "out")


@dataclass(frozen=True)
class Typed:
    """The fields of a form after the tool that was pressed, and what the tool did."""

    fields: Mapping[str, str] = field(default_factory=dict)
    did: str = ""
    held: str = ""  # the name whose tools are open
    was: str = ""  # the text before the last tool
    is_changed: bool = False  # whether the tool changed the text
    is_moved: bool = False


def read_typed(data: QueryDict, known: Mapping[str, object], *, is_part: bool) -> Typed:
    """Read the posted fields, and apply the tool whose button was pressed to the text.

    A name in the field beside the list is added unless a part of the page is asked for: it may not be complete yet.
    """
    fields = {name: data.get(name, "") for name in EventForm.base_fields}
    if chosen := data.get("put"):
        fields["into"] = chosen
    text, was = fields["order"], data.get("was", "")
    added = (data.get("add") or ("" if is_part else data.get("find", ""))).strip()
    did, held = "", ""
    if added:
        changed, did = add_name(text, added), _("%(name)s added.") % {"name": added}
    elif fix := data.get("fix"):
        changed, did = apply_fix(text, fix), _("Line changed.")
    elif "turn" in data:
        is_round = data["turn"] == "round"
        changed = turned_round(text, known) if is_round else without_places(text, known)
        did = _("Turned round.") if is_round else _("The lines stay as they stand.")
    elif "back" in data:
        changed, did = was, _("Taken back.")
    elif pressed := data.get("edit"):
        changed, held = _edited(text, pressed, data, known)
        did = "" if held else _("Taken out.")
    else:
        changed = text
    if changed == text:
        return Typed(fields, held=held, was=was)
    kept = "" if "back" in data else text
    return Typed(fields | {"order": changed}, did, held, kept, is_changed=True, is_moved="edit" in data)


def _edited(text: str, pressed: str, data: QueryDict, known: Mapping[str, object]) -> tuple[str, str]:
    """Apply a tool of a row; that for its times sets both."""
    edit = Edit.parse(pressed)
    if edit.action != "times":
        edited = apply_edit(text, edit, known)
        return edited.text, edited.ref
    ref = edit.ref
    for name in TIMES:
        edited = apply_edit(text, Edit(ref, name, data.get(f"{name}-{edit.ref}", "")), known)
        text, ref = edited.text, edited.ref
    return text, ref
