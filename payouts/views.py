from datetime import timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_view, season_view
from league.models import Role
from league.services.errors import Refused
from payouts.forms import SeasonForm
from payouts.queries import rules_of
from payouts.services import open_season_with_rules, update_season_with_rules

PREVIEWED = (10, 20, 30)


@club_view(Role.ORGANIZER)
def season_create(request: ClubRequest) -> HttpResponse:
    today = timezone.localdate()
    form = SeasonForm(request.POST or None, initial={"starts_on": today - timedelta(days=today.day - 1)})
    del form.fields["settle_again"]
    if request.method == "POST" and form.is_valid():
        try:
            season = open_season_with_rules(request.club, **form.season_fields, rules=form.rules)
            return redirect(season)
        except Refused as error:
            form.add_error("name", str(error))
    context = {
        "form": form,
        "title": _("Begin a season"),
        "action": _("Begin the season"),
        "sizes": PREVIEWED,
    }
    return render(request, "payouts/season_form.html", context)


@season_view(Role.ORGANIZER)
def season_edit(request: ClubRequest) -> HttpResponse:
    season = request.season
    stored = rules_of(season)
    initial = {"name": season.name, "starts_on": season.starts_on, "ends_on": season.ends_on}
    form = SeasonForm(request.POST or None, instance=stored, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            update_season_with_rules(
                season,
                **form.season_fields,
                rules=form.rules,
                settle_again=form.cleaned_data["settle_again"],
                actor=request.user,
            )
            messages.success(request, _("Saved."))
            return redirect(season)
        except Refused as error:
            form.add_error(None, str(error))
    title = _("Season %(season)s") % {"season": season}
    context = {"form": form, "title": title, "action": _("Save"), "sizes": PREVIEWED}
    return render(request, "payouts/season_form.html", context)
