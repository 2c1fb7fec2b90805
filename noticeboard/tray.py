"""The tray of a club: what waits for those who run it, what touches results first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet, Value
from django.db.models.functions import TruncDate
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from entry.services.drafts import DRAFT_LIFETIME
from league.models import Claim, Club, Event, ImportDraft, PlannedEvent, Pool, Role
from league.rights import Act, may
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from noticeboard.models import ResultMail
from noticeboard.result_mails import NEW
from standings.queries import stale_pools

OVER = timedelta(hours=4)  # after its start an evening may have a result
LATEST = timedelta(days=60)  # older plans are history
LEFT = timedelta(hours=1)  # after which an upload is not being looked at any more
TRIED = timedelta(hours=1)  # after which a mail that is not sent needs somebody


class Kind(StrEnum):
    """What waits, in the order in which it is shown."""

    STUCK = "1-stuck"
    RESULT = "2-result"
    UPLOAD = "3-upload"
    CLAIM = "4-claim"
    MAIL = "5-mail"


@dataclass(frozen=True)
class Answer:
    """A button of an item: a link, or a post with its field."""

    label: str
    address: str
    field: str = ""  # "" for a link


@dataclass(frozen=True)
class Item:
    """One thing that waits: `key` tells it from all others."""

    key: str
    kind: str
    text: str
    reason: str
    answers: tuple[Answer, ...] = ()


def keys_of(club: Club, user: User, role: Role) -> list[tuple[str, int]]:
    """List kind and id of what waits, in one query."""
    rows = _rows(club, user, role)
    if not rows:
        return []
    first, *others = rows
    return sorted(first.union(*others, all=True))


def _rows(club: Club, user: User, role: Role) -> list[QuerySet[PlannedEvent, tuple[str, int]]]:
    """Make a query of kind and id for each kind that the role may do something about."""
    queries: list[tuple[Kind, QuerySet]] = []  # type: ignore[type-arg]
    if may(role, Act.ENTER_RESULTS):
        queries += [
            (Kind.RESULT, without_result(club)),
            (Kind.UPLOAD, uploads(club, user)),
            (Kind.STUCK, stuck_pools(club)),
        ]
    if may(role, Act.EDIT_PLAYERS):
        queries += [(Kind.CLAIM, claims(club)), (Kind.MAIL, unsent_mails(club))]
    return [rows.order_by().annotate(what=Value(kind)).values_list("what", "pk") for kind, rows in queries]


def without_result(club: Club) -> QuerySet[PlannedEvent]:
    """Find planned events of open seasons that are over and have no result of their day."""
    now = timezone.now()
    on_day = Event.objects.annotate(local_day=TruncDate("starts_at", tzinfo=club.tz)).filter(
        season__club=club, local_day=OuterRef("local_day")
    )
    planned = PlannedEvent.objects.filter(
        season__club=club, season__is_closed=False, starts_at__lt=now - OVER, starts_at__gt=now - LATEST
    )
    return planned.annotate(local_day=TruncDate("starts_at", tzinfo=club.tz)).filter(~Exists(on_day))


def uploads(club: Club, user: User) -> QuerySet[ImportDraft]:
    """Find files that this person uploaded, left for a while and has not saved."""
    now = timezone.now()
    return ImportDraft.objects.filter(
        season__club=club,
        user=user,
        applied_at=None,
        created_at__gt=now - DRAFT_LIFETIME,
        created_at__lt=now - LEFT,
    )


def stuck_pools(club: Club) -> QuerySet[Pool]:
    return stale_pools().filter(club=club, recomputation__n_failures__gt=0)


def claims(club: Club) -> QuerySet[Claim]:
    return Claim.objects.filter(player__club=club)


def unsent_mails(club: Club) -> QuerySet[ResultMail]:
    now = timezone.now()
    return ResultMail.objects.filter(club=club, sent_at=None, made_at__lt=now - TRIED, made_at__gt=now - NEW)


def items_of(club: Club, user: User, role: Role) -> list[Item]:
    """List the items of the tray that the role may handle."""
    ids: dict[str, list[int]] = {}
    for kind, pk in keys_of(club, user, role):
        ids.setdefault(kind, []).append(pk)
    items: list[Item] = []
    for kind, pks in ids.items():
        items += _ITEMS[Kind(kind)](club, pks)
    return items


def _stuck(club: Club, pks: Sequence[int]) -> list[Item]:
    pools = Pool.objects.filter(pk__in=pks).select_related("recomputation")
    return [
        Item(
            f"{Kind.STUCK}:{pool.pk}:{pool.data_version}",
            _("Numbers"),
            _("%(pool)s: the table shows the figures of %(time)s.")
            % {"pool": pool.name, "time": _moment(pool.recomputation.rated_at)},
            _("Working them out has stopped. Nothing is lost."),
            (Answer(_("Try again"), reverse("noticeboard:try-again", args=[club.slug, pool.pk]), "again"),),
        )
        for pool in pools
    ]


def _moment(at: datetime | None) -> str:
    return str(date_format(timezone.localtime(at), "DATETIME_FORMAT")) if at else "–"


def _results(club: Club, pks: Sequence[int]) -> list[Item]:
    planned = PlannedEvent.objects.filter(pk__in=pks).select_related("season__club")
    return [
        Item(
            f"{Kind.RESULT}:{event.pk}",
            _("Result missing"),
            _("%(event)s was planned and has no result.") % {"event": _day_of(event)},
            event.name,
            (
                Answer(
                    _("Enter the result"),
                    reverse("entry:event-create", args=[club.slug, event.season.slug])
                    + f"?planned={event.pk}",
                ),
                Answer(
                    _("It was called off"),
                    reverse("noticeboard:plan-cancel", args=[club.slug, event.pk]),
                    "off",
                ),
            ),
        )
        for event in planned
    ]


def _day_of(event: PlannedEvent) -> str:
    return str(date_format(timezone.localtime(event.starts_at), "DATE_FORMAT"))


def _uploads(club: Club, pks: Sequence[int]) -> list[Item]:
    drafts = ImportDraft.objects.filter(pk__in=pks).prefetch_related("files")
    return [
        Item(
            f"{Kind.UPLOAD}:{draft.pk}",
            _("Upload"),
            _("%(files)s is uploaded and not saved.") % {"files": draft},
            _("It is kept for two days."),
            (Answer(_("Go on"), reverse("entry:import-preview", args=[club.slug, draft.pk])),),
        )
        for draft in drafts
    ]


def _claims(club: Club, pks: Sequence[int]) -> list[Item]:
    asked = Claim.objects.filter(pk__in=pks).select_related("player", "user")
    return [
        Item(
            f"{Kind.CLAIM}:{claim.pk}",
            _("Claim"),
            _("%(account)s says: “I am %(player)s”.")
            % {"account": claim.user.username, "player": claim.player.name},
            _("Asked %(time)s.") % {"time": _moment(claim.asked_at)},
            (
                Answer(
                    _("Yes, %(player)s") % {"player": claim.player.name},
                    reverse("people:claim-answer", args=[club.slug, claim.pk]),
                    "yes",
                ),
                Answer(_("No"), reverse("people:claim-answer", args=[club.slug, claim.pk]), "no"),
            ),
        )
        for claim in asked
    ]


def _mails(_club: Club, pks: Sequence[int]) -> list[Item]:
    n = len(pks)
    text = ngettext("%(n)d mail of results is not sent.", "%(n)d mails of results are not sent.", n) % {
        "n": n
    }
    return [
        Item(
            f"{Kind.MAIL}:{max(pks)}",
            _("Mail"),
            text,
            _("The mail server does not take them; they are tried again for three days."),
        )
    ]


_ITEMS = {
    Kind.STUCK: _stuck,
    Kind.RESULT: _results,
    Kind.UPLOAD: _uploads,
    Kind.CLAIM: _claims,
    Kind.MAIL: _mails,
}
