"""Terms of an event on the form of its result, which are saved with it."""

import json
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from league.models import Event, Season
from league.services.errors import Refused
from league.vocabulary import gettext as _
from payouts.forms.terms import TermsPartForm
from payouts.models import EventTerms
from payouts.queries import settling_of, terms_of, terms_version
from payouts.services.settling import require_points
from payouts.services.terms import TERM_FIELDS, set_event_terms

PREFIX = "terms"
OPENED = f"{PREFIX}-opened"


class TermsPart:
    """Terms as typed. A form without them leaves the stored ones as they are.

    The form holds the terms that it was opened with: what somebody else has changed since then is not undone.
    """

    def __init__(self, season: Season, event: Event | None, data: Mapping[str, str] | None) -> None:
        stored = terms_of(event or Event(season=season))
        self.is_sent = data is not None and OPENED in data
        initial = {name: getattr(stored, name) for name in TERM_FIELDS} | {
            "opened": json.dumps(_texts(stored))
        }
        self.form = TermsPartForm(data if self.is_sent else None, initial=initial, prefix=PREFIX)
        self.form.hide_unused(settling_of(event or Event(season=season)).structure)
        # While a field is wrong, the stored terms are used.
        self.terms = EventTerms(**self.form.terms) if self.form.is_valid() else stored

    def words(self) -> list[str]:
        terms, texts = self.terms, _texts(self.terms)
        return [
            *([_("the final")] if terms.is_final else []),
            *([_("counts × %(n)s") % {"n": texts["multiplier"]}] if terms.multiplier != 1 else []),
            *([_("buy-in %(n)s") % {"n": texts["buy_in"]}] if terms.buy_in != 1 else []),
            *([_("%(n)s points put up") % {"n": texts["total"]}] if texts["total"] else []),
            *([_("paid places: %(n)s") % {"n": texts["paid"]}] if terms.paid != 1 else []),
        ]

    def is_same(self, event: Event) -> bool:
        return not self.is_sent or _texts(self.terms) == _texts(terms_of(event))

    def save(self, event: Event, *, actor: User | None) -> None:
        """Save what was changed on the form; raise Refused if somebody else has changed the same."""
        if self.is_sent:
            stored = EventTerms.objects.filter(event=event).first() or EventTerms(event=event)
            changed = self._changed_since_opened(stored)
            terms = {name: getattr(self.terms if name in changed else stored, name) for name in TERM_FIELDS}
            set_event_terms(event, terms=terms, version=terms_version(event), actor=actor)
        require_points([event.pk])

    def _changed_since_opened(self, stored: EventTerms) -> list[str]:
        opened, typed, now = self.form.opened_terms, _texts(self.terms), _texts(stored)
        changed = [name for name in TERM_FIELDS if typed[name] != opened.get(name)]
        if collided := [name for name in changed if now[name] not in {opened.get(name), typed[name]}]:
            # The form goes on from what is stored, so that it can be sent again after both values have been seen.
            others = {f"{PREFIX}-{name}": now[name] for name in TERM_FIELDS if name not in changed}
            self.form.data = {**self.form.data, **others, OPENED: json.dumps(now)}
            raise Refused(
                _(
                    "%(field)s: somebody else has set “%(stored)s” meanwhile, you typed “%(typed)s”. Look at it again."
                )
                % {
                    "field": self.form.fields[collided[0]].label,
                    "stored": now[collided[0]],
                    "typed": typed[collided[0]],
                }
            )
        return changed


def _texts(terms: EventTerms) -> dict[str, str]:
    """Write terms so that equal ones have equal texts."""
    return {name: _text(getattr(terms, name)) for name in TERM_FIELDS}


def _text(value: Any) -> str:
    if value is None or value is False:
        return ""
    return f"{value.normalize():f}" if hasattr(value, "normalize") else str(value)
