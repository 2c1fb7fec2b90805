"""Put actions and questions of a night into words."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import pgettext_lazy

from league import formats
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from live.engine.state import Night as State
from live.engine.state import Question
from live.services import log
from live.services.storing import TOO_MANY

WHY = {
    log.OTHER_CONTENT: gettext_lazy("Two texts came under one number. The first stands in the log."),
    log.REVOKED: gettext_lazy("The access of this phone had been ended."),
    log.NOT_THEIRS: gettext_lazy("Helpers do not do this."),
    log.PUBLISHED: gettext_lazy("It came after publishing."),
    TOO_MANY: gettext_lazy("The night has as many taps as it can have."),
    log.TAKEN_NUMBER: gettext_lazy("The phone has used this number before."),
    log.BROUGHT_AS_TEXT: gettext_lazy("It was brought in as text."),
}


def why_held(reason: str) -> str:
    """Say why an action is held; one of an unknown form says what is wrong with it."""
    return str(WHY.get(reason, "")) or _("This version does not know it: %(reason)s.") % {"reason": reason}


def described(kind: str, body: Mapping[str, Any], state: State) -> str:
    """Say what an action does; of a kind that pages do not make, its name."""
    describe = DESCRIPTIONS.get(kind)
    return describe(body, state) if describe else kind


def _of_out(body: Mapping[str, Any], state: State) -> str:
    groups = body.get("groups")
    lists = [group for group in groups if isinstance(group, list)] if isinstance(groups, list) else []
    names = [_name(state, each) for group in lists for each in group]
    return _("%(names)s out") % {"names": formats.listed(names)}


def _of_by(body: Mapping[str, Any], state: State) -> str:
    return _("%(name)s out by %(by)s") % {
        "name": _name(state, body.get("target")),
        "by": _name(state, body.get("by")),
    }


DESCRIPTIONS: Mapping[str, Callable[[Mapping[str, Any], State], str]] = {
    "enter": lambda body, _state: _("%(name)s in") % {"name": _text(body.get("name"))},
    "out": _of_out,
    "by": _of_by,
    "buy": lambda body, state: _("%(name)s: rebuy or add-on") % {"name": _name(state, body.get("entry"))},
    "pay": lambda body, state: _("%(name)s has paid") % {"name": _name(state, body.get("entry"))},
    "void": lambda body, _state: _("Undo") if body.get("on") else _("Redo"),
    "note": lambda body, _state: _("Note: %(text)s") % {"text": _text(body.get("text"))},
}


def _name(state: State, entry_id: object) -> str:
    entry = state.find(entry_id) if isinstance(entry_id, str) else None
    return entry.name if entry else "–"


def _text(value: object) -> str:
    return value if isinstance(value, str) else "–"


QUESTIONS = {
    "order": gettext_lazy("Two phones saw %(names)s go out in different orders."),
    "twice": gettext_lazy("%(names)s is out twice, far apart in time."),
    "tied": gettext_lazy("%(names)s: a tie with somebody who was out already."),
    "not_together": gettext_lazy("%(names)s cannot be tied: they are not next to each other."),
    "last_one": gettext_lazy("%(names)s is the last one in and was put out."),
    "by": gettext_lazy("Who put %(names)s out? Two phones say different names."),
    "in_twice": gettext_lazy("%(names)s is in twice."),
    "same_name": gettext_lazy("Two players are called %(names)s."),
    "unknown": gettext_lazy("Something was recorded about an entry that the log does not have."),
    "seat_taken": gettext_lazy("A seat was given that somebody else has."),
    "wants_in": gettext_lazy("%(names)s asks to be checked in."),
    "is_it_you": gettext_lazy("A phone says it is that of %(names)s, who is in. Is it?"),
    "says_out": gettext_lazy("%(names)s says on the phone to be out."),
    "no_cash": gettext_lazy("%(names)s was cashed out, but this is no cash table."),
    "after_closing": gettext_lazy("%(names)s came in after late entry had closed."),
    "late_clock": gettext_lazy("A touch of the clock came late. Set the clock back to it?"),
    "moved_twice": gettext_lazy("%(names)s was moved on two phones. Which move counts?"),
}
CHOICES = {
    "first": gettext_lazy("As it was recorded first"),
    "second": gettext_lazy("As it was recorded second"),
    "ignore": gettext_lazy("It is right as it is"),
    "yes": pgettext_lazy("answer", "Yes"),
    "set_back": gettext_lazy("Set it back"),
}


def asked(question: Question, state: State) -> str:
    """Put a question of the log into words."""
    named = question.entries[:1] if question.kind == "by" else question.entries
    names = formats.listed(dict.fromkeys(_name(state, each) if state.find(each) else each for each in named))
    return str(QUESTIONS[question.kind]) % {"names": names}
