"""Questions about names, in words."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reading.names.near import Suggestion
from reading.questions import Choice, Question

# An answer is "name:TYPED=VALUE"; the value is the id of a player, or one of these.
PREFIX = "name:"
NEW = "new"
OTHER = "as:"  # before another new name of the same text, written as in an address


def question_about(
    typed: str, suggestions: Sequence[Suggestion], answer: str, n_evenings: Mapping[int, int]
) -> Question:
    names = " / ".join(suggestion.name for suggestion in suggestions)
    text = _("%(typed)s: new guest, or %(names)s?") % {"typed": typed, "names": names}
    reason = " ".join(_reason(suggestion, n_evenings) for suggestion in suggestions if suggestion.reason)
    known = (_choice(typed, suggestion) for suggestion in suggestions)
    new = Choice(NEW, _("New guest"), _("%(typed)s is someone else") % {"typed": typed})
    return Question(PREFIX + typed, text, reason, (*known, new), answer)


def _choice(typed: str, suggestion: Suggestion) -> Choice:
    hint = _("and remember “%(typed)s”") % {"typed": typed} if suggestion.is_remembered else ""
    if suggestion.player_id is None:
        return Choice(OTHER + quote(suggestion.name, safe=""), suggestion.name, hint)
    return Choice(str(suggestion.player_id), suggestion.name, hint)


def _reason(suggestion: Suggestion, n_evenings: Mapping[int, int]) -> str:
    values = {"reason": suggestion.reason, "name": suggestion.name}
    if suggestion.player_id is None:
        return _("%(reason)s; %(name)s is new, too.") % values
    n = n_evenings.get(suggestion.player_id, 0)
    text = ngettext(
        "%(reason)s; %(name)s played on %(n)d evening.", "%(reason)s; %(name)s played on %(n)d evenings.", n
    )
    return text % (values | {"n": n})
