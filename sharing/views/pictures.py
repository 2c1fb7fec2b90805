"""The pictures of shared links."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view, event_view, season_view
from league.models import Event, Player
from sharing.cards import N_ROWS, Card, badge_card, event_card, player_card, receipt_card, season_card
from sharing.pictures import Undrawn, drawn
from standings.event_story.entries import event_page
from standings.event_story.facts import story_of
from standings.models import Standing
from standings.queries import has_ended, leader_rows, standings_of, summary_of
from standings.receipts.facts import Receipt, receipt_of

RELATED = ("rules", "terms", "pool__recomputation")


@require_safe
@drawn
@event_view(related=RELATED)
def event_picture(_request: ClubRequest, event: Event) -> HttpResponse:
    return Undrawn(_card_of(event))


def _card_of(event: Event) -> Card:
    page = event_page(event, page=1)
    return event_card(event, page, story_of(event, page))


@require_safe
@drawn
@event_view(related=RELATED)
def receipt_picture(_request: ClubRequest, event: Event, player_id: int) -> HttpResponse:
    """Draw the receipt of a player's night; until it is computed, the event."""
    receipt = receipt_or_404(event, player_id)
    return Undrawn(receipt_card(receipt) if receipt else _card_of(event))


def receipt_or_404(event: Event, player_id: int) -> Receipt | None:
    """Read the receipt of a player's night, None until it is computed; raise Http404 if the player was not there.

    The event was read with season, pool, its recomputation and meet.
    """
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=event.season.club_id)
    receipt = receipt_of(player, event)
    if receipt is None and not event.entries.filter(player=player).exists():
        raise Http404
    return receipt


@require_safe
@drawn
@season_view(related=("summary",))
def season_picture(request: ClubRequest) -> HttpResponse:
    season = request.season
    first = Standing.objects.filter(season=season, points_position__lte=N_ROWS)
    is_over = has_ended(season, timezone.localdate())
    return Undrawn(season_card(season, summary_of(season), leader_rows(first, "points", ()), is_over=is_over))


@require_safe
@drawn
@club_view()
def player_picture(request: ClubRequest, player_id: int) -> HttpResponse:
    return Undrawn(player_card(*player_and_standing(request, player_id)))


@require_safe
@drawn
@club_view()
def badge_picture(request: ClubRequest, player_id: int) -> HttpResponse:
    return Undrawn(badge_card(*player_and_standing(request, player_id)))


def player_and_standing(request: ClubRequest, player_id: int) -> tuple[Player, Standing | None]:
    """Read a player of the club and the standing in the newest season, if there is one."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=request.club)
    return player, next(iter(standings_of(player)), None)
