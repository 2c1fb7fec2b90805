"""Lines about rights in words, and a history in which they stand beside changes of results."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from league.models import AccessChange, Change, Club, Role, shown_account
from league.queries import Rename
from league.vocabulary import gettext as _
from standings.pages.history.changes import ChangeLine, change_line
from standings.pages.history.differences import NOTHING, field_changes, from_to

Summary = Mapping[str, Any]


def history_lines(rows: Iterable[Change | AccessChange], renames: Sequence[Rename]) -> list[ChangeLine]:
    return [access_line(row) if isinstance(row, AccessChange) else change_line(row, renames) for row in rows]


def access_line(change: AccessChange) -> ChangeLine:
    words = WORDS[AccessChange.Kind(change.kind)](change.before, change.after)
    return ChangeLine(change, shown_account(change.person), words)


def _role_changed(before: Summary, after: Summary) -> list[str]:
    roles = [Role(side["role"]).label if side else NOTHING for side in (before, after)]
    return [from_to(_("Role"), *roles)]


def _key(before: Summary, after: Summary) -> list[str]:
    key = after or before
    rights = {"read": _("read"), "write": _("read and write")}[key["scope"]]
    label = _("Key “%(label)s”, %(rights)s") % {"label": key["label"], "rights": rights}
    return [label, _("Ends on %(day)s") % {"day": key["ends_on"]}] if key["ends_on"] else [label]


def _factor(before: Summary, after: Summary) -> list[str]:
    return [{"totp": _("Authenticator app"), "webauthn": _("Security key")}[(after or before)["type"]]]


def _sign_in(before: Summary, after: Summary) -> list[str]:
    return [str((after or before)["with"])]


def _invitation(before: Summary, after: Summary) -> list[str]:
    invitation = after or before
    role = _("Role: %(role)s") % {"role": Role(invitation["role"]).label}
    return [role, invitation["name"]] if invitation.get("name") else [role]


def _player(before: Summary, after: Summary) -> list[str]:
    return [(after or before)["name"]]


def _hook(before: Summary, after: Summary) -> list[str]:
    return [str((after or before)["name"])]


def _nothing_more(_before: Summary, _after: Summary) -> list[str]:
    return []


WORDS: dict[AccessChange.Kind, Callable[[Summary, Summary], list[str]]] = {
    AccessChange.Kind.MEMBER_ADDED: _role_changed,
    AccessChange.Kind.ROLE_CHANGED: _role_changed,
    AccessChange.Kind.MEMBER_REMOVED: _role_changed,
    AccessChange.Kind.MEMBER_LEFT: _role_changed,
    AccessChange.Kind.HANDED_OVER: _role_changed,
    AccessChange.Kind.INVITATION_MADE: _invitation,
    AccessChange.Kind.INVITATION_REVOKED: _invitation,
    AccessChange.Kind.PLAYER_CLAIMED: _player,
    AccessChange.Kind.CLAIM_TAKEN_BACK: _player,
    AccessChange.Kind.KEY_MADE: _key,
    AccessChange.Kind.KEY_REVOKED: _key,
    AccessChange.Kind.PASSWORD_CHANGED: _nothing_more,
    AccessChange.Kind.TWO_FACTOR_ADDED: _factor,
    AccessChange.Kind.TWO_FACTOR_REMOVED: _factor,
    AccessChange.Kind.SIGN_IN_ADDED: _sign_in,
    AccessChange.Kind.SIGN_IN_REMOVED: _sign_in,
    AccessChange.Kind.HOOK_MADE: _hook,
    AccessChange.Kind.HOOK_CHANGED: _hook,
    AccessChange.Kind.HOOK_REMOVED: _hook,
    AccessChange.Kind.CLUB_CLOSED: _nothing_more,
    AccessChange.Kind.CLUB_REOPENED: _nothing_more,
    AccessChange.Kind.CLUB_DELETED: _nothing_more,
    AccessChange.Kind.CLUB_RESTORED: _nothing_more,
    AccessChange.Kind.CLUB_IMPORTED: lambda _before, after: [
        _("Written on %(day)s") % {"day": after["made_at"][:10]}
    ],
    AccessChange.Kind.LISTING_ASKED: _nothing_more,
    AccessChange.Kind.CLUB_LISTED: _nothing_more,
    AccessChange.Kind.CLUB_UNLISTED: _nothing_more,
    AccessChange.Kind.CLUB_HIDDEN: _nothing_more,
    AccessChange.Kind.CLUB_SHOWN: _nothing_more,
    AccessChange.Kind.RULES_OF_ACCESS: lambda before, after: field_changes(Club, before, after),
}
