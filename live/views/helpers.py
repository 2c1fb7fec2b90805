"""Phones and screens of a night: the codes by which they join, the list of devices, and their end."""

from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view
from league.qr import qr_svg
from league.rights import Act
from league.vocabulary import gettext as _
from live.models import Device, Night, Pass, Role
from live.queries import running_nights
from live.services.passes import (
    MOST_PLAYERS,
    hash_of,
    make_pass,
    open_pass,
    revoke_device,
    revoke_pass,
    secret_of,
)
from live.views.nights import night_of

# Who joins by a code, and the most devices that one code lets in.
INVITED = {Role.HELPER: 10, Role.PLAYER: MOST_PLAYERS, Role.SCREEN: 10}


@require_safe
@club_view(Act.ENTER_RESULTS)
def helpers(request: ClubRequest, night_id: int) -> HttpResponse:
    night = night_of(request, night_id)
    devices = night.devices.exclude(key_sha256=None).select_related("replaces").order_by("pk")
    context = {
        "night": night,
        "others": running_nights(request.club).exclude(pk=night.pk),
        "cast_address": request.build_absolute_uri(reverse("live:cast")).partition("//")[2],
        "invitations": [_invitation(request, night, role) for role in INVITED],
        "devices": [(device, _facts(device)) for device in devices],
        "n_recording": devices.filter(revoked_at=None).count(),
    }
    return render(request, "live/helpers.html", context)


class Invitation(NamedTuple):
    """A code by which devices of a role join; the link is empty while none is open."""

    role: Role
    link: str
    qr: str


def _invitation(request: ClubRequest, night: Night, role: Role) -> Invitation:
    link = link_of(request, night, role)
    return Invitation(role, link, qr_svg(link) if link else "")


def link_of(request: HttpRequest, night: Night, role: Role) -> str:
    """Write the link by which devices of a role join; empty without a pass that is open."""
    found = open_pass(night, role)
    if found is None or found.secret_sha256 != hash_of(secret_of(found)):
        return ""
    return request.build_absolute_uri(f"{reverse('live:join-page')}#{secret_of(found)}")


def _facts(device: Device) -> list[str]:
    """Say what is known of a device: its role, what it has recorded, when it was seen."""
    facts = [device.get_role_display()]
    facts.append(_("%(n)d recorded") % {"n": device.last_counter})
    if device.last_seen_at:
        facts.append(_("seen %(time)s") % {"time": f"{timezone.localtime(device.last_seen_at):%H:%M}"})
    if device.replaces:
        facts.append(_("in place of %(device)s") % {"device": device.replaces})
    return facts


@require_POST
@club_view(Act.ENTER_RESULTS)
def new_link(request: ClubRequest, night_id: int) -> HttpResponse:
    """Make a new link for helpers, players or screens; the old one stops, and phones that have joined stay."""
    night = night_of(request, night_id)
    role = next((each for each in INVITED if each == request.POST.get("role")), Role.HELPER)
    make_pass(night, role=role, max_devices=INVITED[role], actor=request.user)
    return redirect("live:helpers", request.club.slug, night.pk)


@require_POST
@club_view(Act.ENTER_RESULTS)
def end_devices(request: ClubRequest, night_id: int) -> HttpResponse:
    """End the access of one phone, or of all helpers with their link."""
    night = night_of(request, night_id)
    if "all" in request.POST:
        for found in Pass.objects.filter(night=night, role=Role.HELPER):
            revoke_pass(found)
        messages.success(request, _("All helpers’ phones are ended. What they had not sent waits for you."))
    else:
        tokens = {str(each.token): each for each in night.devices.all()}
        device = tokens.get(request.POST.get("device", ""))
        if device is None:
            return redirect("live:helpers", request.club.slug, night.pk)
        revoke_device(device)
        messages.success(
            request,
            _("The access of %(device)s is ended. What it had not sent waits for you.") % {"device": device},
        )
    return redirect("live:helpers", request.club.slug, night.pk)
