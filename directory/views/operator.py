"""The pages of the operator: who may do what on the site, which clubs are listed or hidden, and what is reported."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from directory.forms import AnswerForm, SiteRulesForm
from directory.models import Listing
from directory.queries import (
    LATEST,
    hidden_clubs,
    open_reports,
    settled_clubs,
    sought_clubs,
    waiting_listings,
)
from directory.services.listings import answer_listing
from directory.services.reports import hide_club, open_reports_again, settle_reports, show_club
from league.access import signed_in
from league.database.snapshots import reading_one_moment
from league.forms.names import MAX_TITLE
from league.models import Club, SiteRules

View = Callable[..., HttpResponse]


def operator_view(view: View) -> View:
    """Wrap a view that only superusers may use."""

    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not request.user.is_superuser:
            raise PermissionDenied
        return view(request, **kwargs)

    return signed_in(wrapped)


@require_safe
@reading_one_moment
@operator_view
def overview(request: HttpRequest) -> HttpResponse:
    sought = request.GET.get("q", "")[:MAX_TITLE]
    context = {
        "section": "operator",
        "rules": SiteRules.current(),
        "n_clubs": Club.objects.filter(deleted_at=None).count(),
        "n_accounts": User.objects.filter(is_active=True).count(),
        "reported": open_reports(),
        "settled": settled_clubs()[:LATEST],
        "n_waiting": waiting_listings().count(),
        "waiting": waiting_listings()[:LATEST],
        "n_hidden": hidden_clubs().count(),
        "hidden": hidden_clubs()[:LATEST],
        "sought": sought,
        "clubs": sought_clubs(sought),
    }
    return render(request, "directory/operator.html", context)


@operator_view
def rules(request: HttpRequest) -> HttpResponse:
    form = SiteRulesForm(request.POST or None, instance=SiteRules.current())
    if request.method == "POST" and form.is_valid():
        _save_rules(request, form)
        messages.success(request, _("Saved."))
        return redirect("directory:operator")
    context = {"form": form, "title": _("Rules of the site"), "action": _("Save")}
    return render(request, "league/form.html", context)


@transaction.atomic
def _save_rules(request: HttpRequest, form: SiteRulesForm) -> None:
    """Save the rules with a line among what operators did."""
    assert isinstance(request.user, User)
    saved = form.save()
    if form.changed_data:
        said = ", ".join(
            f"{name}: {form.initial[name]} → {form.cleaned_data[name]}" for name in form.changed_data
        )
        LogEntry.objects.log_actions(
            request.user.pk, [saved], CHANGE, change_message=said, single_object=True
        )


@require_POST
@operator_view
def listing_answer(request: HttpRequest, listing_id: int) -> HttpResponse:
    listing = get_object_or_404(Listing.objects.select_related("club"), pk=listing_id)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["answer"][0]))
        return redirect("directory:operator")
    assert isinstance(request.user, User)
    is_taken_in = request.POST.get("act") == "list"
    answer_listing(listing, is_taken_in=is_taken_in, **form.cleaned_data, actor=request.user)
    said = _("%(club)s is in the directory.") if is_taken_in else _("%(club)s is not taken in.")
    messages.success(request, said % {"club": listing.club})
    return redirect("directory:operator")


@require_POST
@operator_view
def club_hide(request: HttpRequest, club_id: int) -> HttpResponse:
    return _show_or_hide(request, club_id, hide_club, _("Only its members can read %(club)s now."))


@require_POST
@operator_view
def club_show(request: HttpRequest, club_id: int) -> HttpResponse:
    return _show_or_hide(request, club_id, show_club, _("%(club)s is shown as before."))


def _show_or_hide(request: HttpRequest, club_id: int, do: Callable[..., None], said: str) -> HttpResponse:
    club = get_object_or_404(Club, pk=club_id)
    do(club, actor=request.user)
    messages.success(request, said % {"club": club})
    return redirect("directory:operator")


@require_POST
@operator_view
def reports_settle(request: HttpRequest, club_id: int) -> HttpResponse:
    settle_reports(get_object_or_404(Club, pk=club_id))
    messages.success(request, _("The reports are marked as read."))
    return redirect("directory:operator")


@require_POST
@operator_view
def reports_reopen(request: HttpRequest, club_id: int) -> HttpResponse:
    open_reports_again(get_object_or_404(Club, pk=club_id))
    messages.success(request, _("The reports wait again."))
    return redirect("directory:operator")
