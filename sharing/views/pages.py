"""Pages to share from: the result of an event, a player's badge, the certificate of an award."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view, event_view, season_view
from league.models import Event
from people.services.mails import absolute
from sharing.cards import badge_title, event_title, player_place
from sharing.certificates import certificate_of
from sharing.result_text import result_text
from sharing.views.pictures import player_and_standing, receipt_or_404
from standings.event_story.entries import event_page
from standings.event_story.facts import story_of
from standings.pages.headlines import event_stand
from standings.receipts.sentences import reached, subtitle
from standings.receipts.text import heading, receipt_lines

RELATED = ("rules", "terms", "pool", "season__pool__recomputation")


@require_safe
@event_view(related=RELATED)
def share_event(request: ClubRequest, event: Event) -> HttpResponse:
    page = event_page(event, page=1)
    story = story_of(event, page)
    at = [request.club.slug, event.pk]
    context = {
        "back": event.get_absolute_url(),
        "back_to": str(event),
        "title": event_title(event, page, story),
        "summary": " ".join(event_stand(event, page)),
        "text": result_text(event, page, story, absolute(event.get_absolute_url())),
        "text_address": reverse("sharing:result-text", args=at),
        "picture": reverse("sharing:event-picture", args=at),
        "season": event.season,
        "section": "events",
    }
    return render(request, "sharing/share.html", context)


@require_safe
@event_view(related=("pool__recomputation",))
def share_receipt(request: ClubRequest, event: Event, player_id: int) -> HttpResponse:
    """Show what a night meant for a player as text and picture; only what the pages of the club say too."""
    receipt = receipt_or_404(event, player_id)
    if receipt is None:  # it is not computed yet, and the event can be shared
        return redirect("sharing:event-share", request.club.slug, event.pk)
    address = absolute(receipt.address)
    context = {
        "back": receipt.address,
        "back_to": str(event.meet or event),
        "title": heading(receipt),
        "summary": " ".join(reached(receipt)),
        "text": "\n".join([request.club.name, subtitle(receipt), *receipt_lines(receipt), address]),
        "picture": reverse("sharing:receipt-picture", args=[request.club.slug, event.pk, player_id]),
        "season": event.season,
        "section": "events",
    }
    return render(request, "sharing/share.html", context)


@require_safe
@event_view(related=RELATED)
def result_as_text(_request: ClubRequest, event: Event) -> HttpResponse:
    page = event_page(event, page=1)
    text = result_text(event, page, story_of(event, page), absolute(event.get_absolute_url()))
    return HttpResponse(f"{text}\n", content_type="text/plain; charset=utf-8")


@require_safe
@club_view()
def badge(request: ClubRequest, player_id: int) -> HttpResponse:
    player, standing = player_and_standing(request, player_id)
    title = badge_title(player, standing)
    place = player_place(standing)
    lines = [request.club.name, title, place, absolute(request.path)]
    context = {
        "back": player.get_absolute_url(),
        "back_to": player.name,
        "title": title,
        "summary": place,
        "text": "\n".join(filter(None, lines)),
        "picture": reverse("sharing:badge-picture", args=[request.club.slug, player.pk]),
        "season": standing.season if standing else None,
        "section": "players",
    }
    return render(request, "sharing/share.html", context)


@require_safe
@season_view(related=("summary",))
def certificate(request: ClubRequest, award_id: int, player_id: int) -> HttpResponse:
    shown = certificate_of(request.season, award_id, player_id)
    if shown is None:
        raise Http404
    return render(request, "sharing/certificate.html", {"certificate": shown, "section": "awards"})
