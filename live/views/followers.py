"""What screens and players' phones read, and the pages that show it. Nothing is written on GET."""

from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.qr import qr_svg
from live.models import Device, Night, Role
from live.services.envelopes import envelopes_to_check
from live.services.nights import now_ms
from live.services.own_entries import owner_in, owners_of
from live.services.seating import draw_to_check
from live.showing.brings import brings_of
from live.showing.face import face_of, token_of
from live.showing.result import without_ratings
from live.views.helpers import link_of
from live.views.protocol import NOW_HEADER, STAGE_HEADER, by_device
from live.words.faces import words_of_faces
from payouts.queries import club_money

MOST_OF_A_TOKEN = 60


@require_safe
def screen(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show the big screen; whoever has no key of this night sees how to get one."""
    return render(request, "live/screen.html", {"night_id": night_id, "words": words_of_faces()})


@require_safe
def follow(request: HttpRequest, night_id: int) -> HttpResponse:
    """Show the page of a player's phone."""
    return render(request, "live/follow.html", {"night_id": night_id, "words": words_of_faces()})


@by_device
@require_safe
def face(request: HttpRequest, device: Device) -> HttpResponse:
    """Read the face of a night unless the device knows it already; a player's phone learns what concerns it."""
    if device.revoked_at:
        return JsonResponse({"why": "revoked"}, status=HTTPStatus.GONE)
    night = device.night
    now = now_ms()
    headers = {NOW_HEADER: str(now), STAGE_HEADER: night.stage}
    token = token_of(night, device.club_version)  # type: ignore[attr-defined]  # of device_of
    if request.GET.get("after", "")[:MOST_OF_A_TOKEN] == token:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=headers)
    shown = face_of(night, token, now_ms=now)
    if shown["result"] and not _may_see_ratings(device):
        shown = {**shown, "result": without_ratings(shown["result"])}
    told = {"token": token, "now": now, "face": shown}
    if device.role == Role.SCREEN and night.is_open and (link := link_of(request, night, Role.PLAYER)):
        told["qr"] = qr_svg(link)
    if device.role == Role.PLAYER:
        told["me"] = _own(night, device, token)
    return JsonResponse(told, headers=headers)


def _may_see_ratings(device: Device) -> bool:
    """Tell whether a device may show rates and badges: where all may, on the club's own screen, and to its members."""
    return device.night.club.is_public or device.role == Role.SCREEN or device.claimed_id is not None


def _own(night: Night, device: Device, token: str) -> dict[str, Any]:
    """Say whose phone it is, whether it waits for the desk, and what each place would bring its player."""
    own = owner_in(owners_of(night, token), device)
    entry = None if own is None else own.entry
    return {
        "entry": entry,
        "asked": "" if own is None else own.name,
        "player": device.claimed_id,
        "name": "" if device.player is None else device.player.name,
        "brings": _brings(device, entry, token) if entry and night.is_open else [],
    }


def _brings(device: Device, entry: str, token: str) -> list[dict[str, Any]]:
    return brings_of(device.night, entry, token, with_ratings=_may_see_ratings(device))


@never_cache
@require_safe
def draw_file(_request: HttpRequest, night_id: int) -> HttpResponse:
    """Send the draws of a night whose seed is shown, for whoever wants to check them; it has no names.

    What was in envelopes is money: it is there where everybody may see that of the club.
    """
    night = get_object_or_404(Night.objects.select_related("club"), pk=night_id, club__deleted_at=None)
    told = draw_to_check(night)
    if told is None:
        raise Http404
    if night.club.is_public and club_money(night.club).shows_net:
        told["envelopes"] = envelopes_to_check(night)
    return JsonResponse(told, json_dumps_params={"indent": 1})
