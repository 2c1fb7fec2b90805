"""The receipt as pages show it: its words, its strip, and where its parts lead."""

from dataclasses import dataclass

from django.urls import reverse

from league import formats
from league.models import Event, Player
from league.vocabulary import gettext as _
from standings.receipts import sentences
from standings.receipts.facts import Receipt, receipt_of
from standings.receipts.strip import Strip, strip_of

EDGE = 48.0  # a label nearer to an end of the strip begins or ends there


@dataclass(frozen=True)
class ShownReceipt:
    title: str
    subtitle: str
    lines: list[sentences.Line]
    strip: Strip | None
    expected: str
    anchor: str
    address: str
    why: str
    badges: str
    event_id: int
    player_id: int
    reached: list[str]
    since: str  # when the player came first, told beside a milestone


def shown_receipt(player: Player, event: Event, *, alone: bool = False) -> ShownReceipt | None:
    """Read and write the receipt of a player, of the event alone or of its night; None without one."""
    receipt = receipt_of(player, event, alone=alone)
    return _shown(receipt) if receipt else None


def _shown(receipt: Receipt) -> ShownReceipt:
    club, strip = receipt.event.season.club.slug, strip_of(receipt)
    is_explained = receipt.field is not None
    expected = formats.number(receipt.expected, 1) if receipt.expected is not None else ""
    return ShownReceipt(
        title=sentences.title(receipt),
        subtitle=sentences.subtitle(receipt),
        lines=sentences.lines(receipt),
        strip=strip,
        expected=_("expected %(expected)s") % {"expected": expected} if expected else "",
        anchor=_anchor(strip),
        address=receipt.address,
        why=reverse("standings:explanation", args=[club, receipt.event.pk, receipt.player.pk])
        if is_explained
        else "",
        badges=f"{reverse('standings:badges', args=[club])}?pool={receipt.event.pool_id}",
        event_id=receipt.event.pk,
        player_id=receipt.player.pk,
        reached=sentences.reached(receipt),
        since=sentences.first_day(receipt),
    )


def _anchor(strip: Strip | None) -> str:
    if strip is None or EDGE <= strip.expected_x <= strip.width - EDGE:
        return "middle"
    return "start" if strip.expected_x < EDGE else "end"
