from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import (
    BEGINNING,
    AccessChange,
    Change,
    Club,
    EntryForm,
    EventWord,
    Game,
    GameKind,
    Pool,
    PoolKind,
    Role,
)
from league.queries import has_two_factor
from league.services.changes import lock_pools, record_change
from league.services.errors import Refused
from league.services.quotas import require_room_for_club
from league.services.slugs import (
    claiming_slug,
    keep_former_club_slug,
    propose_club_slug,
    require_free_club_address,
)
from people.services.access_changes import record_access_change
from people.services.members import lock_club, set_member
from people.services.notices import notify_owners
from reading.names.keys import name_key

TOURNAMENT_SEATS = 9


class HiddenByOperator(Refused):
    """The operator of the site has hidden a club of the owner, who cannot make it or another one public."""

    def __init__(self) -> None:
        super().__init__(
            _("The operator of this site has hidden a club of yours. Ask there before you make one public.")
        )


Kind = AccessChange.Kind


def require_nothing_hidden(club: Club | None, owner: User) -> None:
    """Raise HiddenByOperator if the operator has hidden the club, or another one of the same owner."""
    if (club and club.hidden_at) or has_hidden_club(owner):
        raise HiddenByOperator


def has_hidden_club(owner: User) -> bool:
    """Tell whether the operator has hidden a club of an account that is not an operator's."""
    hidden = Club.objects.exclude(hidden_at=None).filter(
        memberships__user=owner, memberships__role=Role.OWNER
    )
    return not owner.is_superuser and hidden.exists()


USUAL_WORDS = {GameKind.MAHJONG_4: EventWord.HANCHAN, GameKind.MAHJONG_3: EventWord.HANCHAN}


@transaction.atomic
def open_club(
    owner: User,
    *,
    name: str,
    time_zone: str,
    is_public: bool,
    slug: str = "",
    language: str = "",
    plays: GameKind = GameKind.POKER,
    event_word: EventWord | None = None,
) -> Club:
    """Make a club with the game it plays first, and the pool that rates it: R for mahjong, TIER for the others.

    Without an address it gets one from its name, without a word for its events the usual one of its game. Raise Refused
    if the owner has a club of this name.
    """
    User.objects.select_for_update().get(pk=owner.pk)  # the same form can be sent twice at one time
    own = Club.objects.filter(memberships__user=owner, memberships__role=Role.OWNER)
    if name_key(name) in map(name_key, own.values_list("name", flat=True)):
        raise Refused(_("You have a club “%(name)s” already.") % {"name": name})
    require_room_for_club(owner)
    if is_public:
        require_nothing_hidden(None, owner)
    slug = slug or propose_club_slug(name)
    with claiming_slug(slug):
        club = Club.objects.create(
            name=name,
            slug=slug,
            time_zone=time_zone,
            is_public=is_public,
            language=language,
            event_word=USUAL_WORDS.get(plays, EventWord.EVENT) if event_word is None else event_word,
        )
    require_free_club_address(club, slug)
    set_member(club, user=owner, role=Role.OWNER, actor=owner)
    _add_first_game(club, plays)
    return club


def _add_first_game(club: Club, kind: GameKind) -> None:
    seats = {GameKind.MAHJONG_4: 4, GameKind.MAHJONG_3: 3}.get(kind)
    if seats:
        pool = Pool.objects.create(club=club, name="R", kind=PoolKind.PROFIT)
    else:
        pool = Pool.objects.create(club=club, name="TIER")
    Game.objects.create(
        club=club,
        name=_("Mahjong") if seats else _("Poker") if kind == GameKind.POKER else _("Game"),
        kind=kind,
        entry_form=EntryForm.SCORES if seats else EntryForm.ORDER,
        pool=pool,
        table_size=seats or TOURNAMENT_SEATS,
    )


@transaction.atomic
def update_club(
    club: Club,
    *,
    name: str,
    time_zone: str,
    is_public: bool,
    requires_two_factor: bool,
    contact: str = "",
    slug: str = "",
    language: str = "",
    event_word: str | None = None,
    night_word: str | None = None,
    out_word: str | None = None,
    embed_hosts: str | None = None,
    actor: User,
) -> Club:
    """Change the settings of a club. What is not given stays as it is."""
    pools = lock_pools(club)
    club = lock_club(club)
    if is_public and not club.is_public:
        require_nothing_hidden(club, actor)
    slug = slug or club.slug
    after = {
        "name": name,
        "slug": slug,
        "time_zone": time_zone,
        "language": language,
        "event_word": club.event_word if event_word is None else event_word,
        "night_word": club.night_word if night_word is None else night_word,
        "out_word": club.out_word if out_word is None else out_word,
        "is_public": is_public,
    }
    before = {field: getattr(club, field) for field in after}
    with claiming_slug(slug):
        Club.objects.filter(pk=club.pk).update(**after, contact=contact)
    if before["slug"] != slug:
        keep_former_club_slug(club, slug)
    if before != after:
        # A season begins at local midnight, and rating changes at a season's start depend on that moment.
        rated_from = BEGINNING if before["time_zone"] != time_zone else None
        for pool in pools:
            record_change(
                pool,
                kind=Change.Kind.CLUB_CHANGED,
                actor=actor,
                rated_from=rated_from,
                before=before,
                after=after,
            )
    if embed_hosts not in {None, club.embed_hosts}:
        Club.objects.filter(pk=club.pk).update(embed_hosts=embed_hosts)
        _record_access(club, actor, {"embed_hosts": club.embed_hosts}, {"embed_hosts": embed_hosts})
    if club.requires_two_factor != requires_two_factor:
        _set_two_factor(club, is_required=requires_two_factor, actor=actor)
    club.refresh_from_db()
    return club


def _set_two_factor(club: Club, *, is_required: bool, actor: User) -> None:
    """Set whether organizers need a second factor; refuse to require it if the actor has none."""
    if is_required and not has_two_factor(actor):
        raise Refused(_("Set up two-factor sign-in for your own account first."))
    Club.objects.filter(pk=club.pk).update(requires_two_factor=is_required)
    before, after = ({"requires_two_factor": value} for value in (not is_required, is_required))
    _record_access(club, actor, before, after)


def _record_access(club: Club, actor: User, before: dict[str, Any], after: dict[str, Any]) -> None:
    kind = Kind.RULES_OF_ACCESS
    record_access_change(club, kind=kind, actor=actor, before=before, after=after)


@transaction.atomic
def close_club(club: Club, *, actor: User) -> Club:
    """Close a club for changes. Idempotent."""
    return _mark(club, "closed_at", timezone.now(), Kind.CLUB_CLOSED, actor)


@transaction.atomic
def reopen_club(club: Club, *, actor: User) -> Club:
    """Open a closed club again. Idempotent."""
    return _mark(club, "closed_at", None, Kind.CLUB_REOPENED, actor)


@transaction.atomic
def soft_delete_club(club: Club, *, actor: User) -> Club:
    """Mark the club deleted. Idempotent; `standings.archive.erasing` erases it after 30 days."""
    return _mark(club, "deleted_at", timezone.now(), Kind.CLUB_DELETED, actor)


@transaction.atomic
def restore_club(club: Club, *, actor: User) -> Club:
    """Restore a club that is marked deleted. Idempotent."""
    return _mark(club, "deleted_at", None, Kind.CLUB_RESTORED, actor)


def _mark(club: Club, name: str, at: datetime | None, kind: AccessChange.Kind, actor: User) -> Club:
    """Set or clear a mark of a club, record it and notify the other owners."""
    current = lock_club(club)
    if (getattr(current, name) is None) != (at is None):
        setattr(current, name, at)
        current.save(update_fields=[name])
        notify_owners(record_access_change(current, kind=kind, actor=actor), but=actor)
    return current
