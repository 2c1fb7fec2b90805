"""Make a club from an archive."""

import json
from datetime import datetime
from io import BytesIO
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import get_language, override

from league.database.bulk import insert_columns
from league.hooks.signals import results_changed
from league.models import AccessChange, Club, Pool, Role
from league.services.errors import Refused
from league.services.health import CANNOT_SAVE
from league.services.quotas import require_room_for_club, require_room_for_players
from league.vocabulary import gettext as _
from payouts.engine.seasons.season import check_rules
from payouts.models import SeasonRules
from people.services.access_changes import record_access_change
from people.services.clubs import has_hidden_club
from people.services.members import set_member
from ratings.models import RatingSettings
from ratings.queries import values_of
from standings.archive.ids import SAME, Ids, Renumbered, Seen, moved, moved_json, target
from standings.archive.reading import Archive, BadArchive, Table, read_archive
from standings.archive.sequences import last_id, take_ids
from standings.models import ArchiveDraft, SeasonSeal
from standings.seals.document import canonical_text, checksum

MAX_KEPT_ID = 10**12  # ids that an empty site keeps as they are
UNUSABLE = (
    TypeError, ValueError, ArithmeticError, LookupError, AttributeError, FieldDoesNotExist, ValidationError,
    DataError, IntegrityError,
)  # fmt: skip


@transaction.atomic
def import_archive(archive: Archive, *, owner: User, name: str, slug: str) -> Club:
    """Make the club of an archive with another owner; its ratings and standings are computed afterwards.

    Raise Refused if the address is taken, BadArchive if the archive contradicts itself.
    """
    if Club.objects.filter(slug=slug).exists():
        raise Refused(_("The address “%(slug)s” is taken.") % {"slug": slug})
    User.objects.select_for_update().get(pk=owner.pk)
    require_room_for_club(owner)
    try:
        ids = _ids_here(archive, slug)
        for model, table in archive.tables.items():
            insert_columns(model, _moved_columns(table, ids, slug))
        club = Club.objects.get(pk=moved(archive.tables[Club].columns["id"][0], Club, ids))
        Club.objects.filter(pk=club.pk).update(
            name=name, slug=slug, requires_two_factor=False, closed_at=None, deleted_at=None, hidden_at=None
        )
        if has_hidden_club(owner):  # otherwise a hidden club would be public again under another address
            Club.objects.filter(pk=club.pk).update(is_public=False)
        connection.check_constraints()
        _check_rules(club)
        require_room_for_players(club)
    except UNUSABLE as error:
        raise BadArchive(_("The archive contradicts itself: %(problem)s") % {"problem": error}) from error
    club.refresh_from_db()
    set_member(club, user=owner, role=Role.OWNER, actor=owner)
    record_access_change(
        club, kind=AccessChange.Kind.CLUB_IMPORTED, actor=owner, after={"made_at": archive.made_at}
    )
    for pool_id in club.pools.values_list("pk", flat=True):
        results_changed.send(sender=Pool, pool_id=pool_id)
    return club


def _ids_here(archive: Archive, slug: str) -> Ids:
    """Take as many ids as the archive has; an empty site takes them as they are, unless they are beyond all reason."""
    seen = Seen()
    for table in archive.tables.values():
        _moved_columns(table, seen, slug)
    last = {model: last_id(model) for model in seen.ids}
    highest = {model: max(found) for model, found in seen.ids.items()}
    if not any(last.values()) and max(highest.values(), default=0) <= MAX_KEPT_ID:
        for model, most in highest.items():
            take_ids(model, most)
        return SAME
    new_ids = {}
    for model, found in seen.ids.items():
        before = take_ids(model, len(found))
        new_ids[model] = {old: before + i for i, old in enumerate(sorted(found), start=1)}
    return Renumbered(new_ids)


def _check_rules(club: Club) -> None:
    """Raise ValueError or TypeError for rules and settings by which nothing can be computed."""
    for rules in SeasonRules.objects.filter(season__club=club):
        check_rules(rules.scoring)
    for settings in RatingSettings.objects.filter(pool__club=club).select_related("pool"):
        values_of(settings.pool.kind, settings)


def _moved_columns(table: Table, ids: Ids, slug: str) -> dict[str, list[Any]]:
    """Give the rows the ids of this site."""
    columns = {
        column: _moved_column(table.part.model, column, values, ids)
        for column, values in table.columns.items()
    }
    if table.part.model is Club:
        columns["slug"] = [slug]
    if table.part.model is SeasonSeal:
        columns["text"] = [_named_club(text, slug) for text in columns["text"]]
        columns["sha256"] = [checksum(text) for text in columns["text"]]
    return columns


def _moved_column(model: type[Model], column: str, values: list[Any], ids: Ids) -> list[Any]:
    other = target(model, column)
    return [moved(moved_json(model, column, value, ids), other, ids) for value in values]


def _named_club(text: str, slug: str) -> str:
    """Name the club in the text of a seal by its new address; the same text if it is the same."""
    document = json.loads(text)
    return canonical_text(document | {"club": slug}) if document["club"] != slug else text


@transaction.atomic
def import_draft(draft: ArchiveDraft, archive: Archive, *, name: str, slug: str) -> Club:
    """Create the club of an uploaded archive. Idempotent: a repeated call returns the same club."""
    current = (
        ArchiveDraft.objects.select_for_update(of=("self",)).select_related("user", "club").get(pk=draft.pk)
    )
    if current.club is None:
        current.club = import_archive(archive, owner=current.user, name=name, slug=slug)
        current.save(update_fields=["club"])
    return current.club


@transaction.atomic
def ask_for_club(draft: ArchiveDraft, *, name: str, slug: str) -> None:
    """Ask the worker to make the club of a large archive. Idempotent; Refused as in `import_archive`."""
    current = ArchiveDraft.objects.select_for_update(of=("self",)).select_related("user").get(pk=draft.pk)
    if current.club_id or is_asked_for(current):
        return
    if Club.objects.filter(slug=slug).exists():
        raise Refused(_("The address “%(slug)s” is taken.") % {"slug": slug})
    require_room_for_club(current.user)
    current.asked = {"name": name, "slug": slug, "language": get_language() or ""}
    current.asked_at, current.error = timezone.now(), ""
    current.save(update_fields=["asked", "asked_at", "error"])


def is_asked_for(draft: ArchiveDraft) -> bool:
    """Tell whether the worker has still to make the club of an archive."""
    return draft.asked_at is not None and draft.club_id is None and not draft.error


def make_asked_club(draft_id: int) -> None:
    """Make the club that was asked for; note why it cannot be made. Idempotent."""
    draft = ArchiveDraft.objects.filter(pk=draft_id).first()
    if draft is None or not is_asked_for(draft):
        return
    with override(draft.asked["language"] or None):
        try:
            archive = read_archive(BytesIO(draft.data))
            import_draft(draft, archive, name=draft.asked["name"], slug=draft.asked["slug"])
        except (Refused, BadArchive) as error:
            _note(draft_id, str(error))
        except CANNOT_SAVE:
            raise  # it is tried again when the database can
        except Exception:
            _note(
                draft_id, _("The site could not make this club. Whoever runs it finds the reason in its log.")
            )
            raise


def _note(draft_id: int, error: str) -> None:
    ArchiveDraft.objects.filter(pk=draft_id).update(error=error)


def asked_drafts(before: datetime) -> list[int]:
    """Find the archives that were asked for before a moment, and whose clubs are not made."""
    asked = ArchiveDraft.objects.filter(asked_at__lt=before, club=None, error="")
    return list(asked.values_list("pk", flat=True))
