"""Phones of a night: the code by which helpers join, the list of devices, and their end."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view
from league.qr import qr_svg
from league.rights import Act
from league.vocabulary import gettext as _
from live.models import Device, Night, Pass, Role
from live.services.passes import hash_of, make_pass, open_pass, revoke_device, revoke_pass, secret_of
from live.views.nights import night_of


@require_safe
@club_view(Act.ENTER_RESULTS)
def helpers(request: ClubRequest, night_id: int) -> HttpResponse:
    night = night_of(request, night_id)
    link = _link(request, night)
    devices = night.devices.exclude(key_sha256=None).select_related("replaces").order_by("pk")
    context = {
        "night": night,
        "link": link,
        "qr": qr_svg(link) if link else "",
        "devices": [(device, _facts(device)) for device in devices],
        "n_recording": devices.filter(revoked_at=None).count(),
    }
    return render(request, "live/helpers.html", context)


def _link(request: ClubRequest, night: Night) -> str:
    """Write the link by which helpers join; empty without a pass that is open."""
    found = open_pass(night, Role.HELPER)
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
    """Make a new link for helpers; the old one stops, and phones that have joined stay."""
    night = night_of(request, night_id)
    make_pass(night, role=Role.HELPER, actor=request.user)
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
