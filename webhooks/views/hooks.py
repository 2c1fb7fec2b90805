"""Pages of webhooks: the list with what waits, a hook with its log, and what an owner decides."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view
from league.rights import Act
from league.services.errors import Refused
from webhooks.bodies import headline_of
from webhooks.forms import HookForm, initial_of
from webhooks.models import Delivery, Hook, Kind, State, Target
from webhooks.services.hooks import DECISIONS, change_hook, delete_hook, make_hook, switch_hook

PER_PAGE = 30
MOST_ASKED = 20
USUAL = [Kind.RESULT_PUBLISHED, Kind.RESULT_CORRECTED, Kind.SEASON_CLOSED]


@require_safe
@club_view(Act.CHANGE_CLUB)
def hooks(request: ClubRequest) -> HttpResponse:
    """List the hooks of a club, and the messages that wait to be looked at."""
    asked = Delivery.objects.filter(hook__club=request.club, state=State.ASKED).order_by("pk")
    waiting = list(asked.select_related("hook", "message__club")[:MOST_ASKED])
    for delivery in waiting:
        delivery.headline = headline_of(delivery.message)  # type: ignore[attr-defined]
    context = {"hooks": Hook.objects.filter(club=request.club), "waiting": waiting}
    return render(request, "webhooks/hooks.html", context)


@club_view(Act.CHANGE_CLUB)
def hook_create(request: ClubRequest) -> HttpResponse:
    form = HookForm(request.POST or None, initial={"kinds": USUAL, "target": Target.DISCORD})
    if request.method == "POST" and form.is_valid():
        try:
            hook = make_hook(request.club, fields=form.fields_of_hook, actor=request.user)
            return redirect("webhooks:hook", request.club.slug, hook.pk)
        except Refused as error:
            form.add_error("name", str(error))
    context = {"form": form, "title": _("New webhook"), "action": _("Make the webhook")}
    return render(request, "webhooks/hook_form.html", context)


@require_safe
@club_view(Act.CHANGE_CLUB)
def hook(request: ClubRequest, hook_id: int) -> HttpResponse:
    """Show a hook with the log of its deliveries."""
    shown = _hook(request, hook_id)
    deliveries = shown.deliveries.select_related("message")
    page = Paginator(deliveries, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "webhooks/hook.html", {"hook": shown, "page": page})


@club_view(Act.CHANGE_CLUB)
def hook_edit(request: ClubRequest, hook_id: int) -> HttpResponse:
    changed = _hook(request, hook_id)
    form = HookForm(request.POST or None, initial=initial_of(changed))
    if request.method == "POST" and form.is_valid():
        try:
            version = form.cleaned_data["version"] or 0
            change_hook(changed, fields=form.fields_of_hook, version=version, actor=request.user)
            return redirect("webhooks:hook", request.club.slug, changed.pk)
        except Refused as error:
            form.add_error(None, str(error))
    context = {"form": form, "title": changed.name, "action": _("Save"), "hook": changed}
    return render(request, "webhooks/hook_form.html", context)


@require_POST
@club_view(Act.CHANGE_CLUB)
def hook_switch(request: ClubRequest, hook_id: int) -> HttpResponse:
    switch_hook(_hook(request, hook_id), is_on="on" in request.POST, actor=request.user)
    return redirect("webhooks:hook", request.club.slug, hook_id)


@require_POST
@club_view(Act.CHANGE_CLUB)
def hook_delete(request: ClubRequest, hook_id: int) -> HttpResponse:
    """Delete a hook; nothing happens if somebody has already."""
    if deleted := Hook.objects.select_related("club").filter(pk=hook_id, club=request.club).first():
        delete_hook(deleted, actor=request.user)
        messages.success(request, _("The webhook “%(name)s” is deleted.") % {"name": deleted.name})
    return redirect("webhooks:hooks", request.club.slug)


@require_POST
@club_view(Act.CHANGE_CLUB)
def delivery_decide(request: ClubRequest, delivery_id: int) -> HttpResponse:
    """Send a message, send it again, or leave it out."""
    deliveries = Delivery.objects.select_related("hook")
    delivery = get_object_or_404(deliveries, pk=delivery_id, hook__club=request.club)
    if decide := DECISIONS.get(request.POST.get("decision", "")):
        decide(delivery)
    if "back" in request.POST:
        return redirect("webhooks:hooks", request.club.slug)
    return redirect("webhooks:hook", request.club.slug, delivery.hook_id)


def _hook(request: ClubRequest, hook_id: int) -> Hook:
    return get_object_or_404(Hook.objects.select_related("club"), pk=hook_id, club=request.club)
