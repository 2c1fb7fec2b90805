"""Pages to create and edit a season with its rules, with a preview."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from entry.views.sending import FormSubmission, answered
from league.access import ClubRequest, club_view, open_season_form, season_view
from league.hooks.taking_over import taken_over
from league.models import Club, EntryForm, Season
from league.queries import nearest_season, typed_id
from league.rights import Act
from league.services.errors import BadResult, Refused, Stale
from league.services.seasons import pool_taken_over
from league.services.slugs import SlugTaken
from league.vocabulary import gettext as _
from payouts.engine.errors import EngineError
from payouts.engine.structures.settings import STRUCTURE_SETTINGS
from payouts.engine.structures.structure import PointsStructure
from payouts.forms.rules import MOVE, RulesForm, rules_initial
from payouts.forms.seasons import OF_SEASON, NewSeasonForm, SeasonForm
from payouts.models import SeasonRules
from payouts.previews import N_PLACES, points_by_size, share_plots
from payouts.queries import rules_of, rules_version
from payouts.sentences import rules_in_words, structure_in_words
from payouts.services.rules import open_season_with_rules, update_season_with_rules

# Fields of the form that a link can fill in; those it does not name are emptied with the structure.
OF_LINK = ("structure", *STRUCTURE_SETTINGS, "best_n", "drop_worst")


@club_view(Act.CHANGE_RULES)
def season_create(request: ClubRequest) -> HttpResponse:
    club, other = request.club, _chosen_season(request)
    initial = _beginning(club, other)
    if request.htmx and request.method == "GET":
        proposing = NewSeasonForm(club=club, initial=initial | request.GET.dict())
        return HttpResponse(proposing.fields["slug"].help_text)
    form = NewSeasonForm(request.POST or None, club=club, initial=initial)
    is_filled = form.is_bound and form.is_to_be_filled and not form.has_error("taken_from")
    if is_filled:
        form = NewSeasonForm(club=club, initial=initial | form.typed)
    elif _is_save_request(request) and form.is_valid():
        try:
            season = open_season_with_rules(
                club, **form.season_fields, rules=form.rules, taken_from=other, actor=request.user
            )
            return redirect(season)
        except SlugTaken as error:
            form.add_error("slug", str(error))
        except Refused as error:
            form.add_error("name", str(error))
    return _editor(
        request,
        form,
        title=_("Begin a season"),
        action=_("Begin the season"),
        taken_over=other and _taken_over(other),
        is_filled=is_filled,
    )


def _chosen_season(request: ClubRequest) -> Season | None:
    """Find the season to take over from: the chosen one, on a new form that of today or the last that has begun."""
    seasons = request.club.seasons.select_related("pool", "rules")
    if request.method != "POST":
        return nearest_season(seasons, timezone.localdate())
    chosen = typed_id(request.POST.get("taken_from", ""))
    return seasons.filter(pk=chosen).first() if chosen else None


def _beginning(club: Club, other: Season | None) -> dict[str, Any]:
    """Fill in a new season: from this month on, with the rules of another season or those that suit the club's game."""
    today = timezone.localdate()
    first_day = today - timedelta(days=today.day - 1)
    if other and other.ends_on:
        first_day = max(first_day, other.ends_on + timedelta(days=1))
    of_other = {"taken_from": other and other.pk, "filled_from": other and other.pk}
    rules = rules_of(other) if other else _suggested_rules(club)
    return rules_initial(rules) | of_other | {"starts_on": first_day}


def _taken_over(other: Season) -> dict[str, Any]:
    """Describe what a season takes over from another one."""
    of_apps = taken_over(other)
    pool = pool_taken_over(other)
    rated = [_("Rated in %(pool)s.") % {"pool": pool.name}] if pool else []
    return {
        "season": other,
        "taken": [*rules_in_words(rules_of(other)), *rated, *of_apps.taken],
        "left": of_apps.left,
    }


def _suggested_rules(club: Club) -> SeasonRules:
    """Suggest rules for a new season: points from balances if the club's first game records balances."""
    game = club.games.order_by("pk").first()
    if game is None or game.entry_form == EntryForm.ORDER:
        return SeasonRules()
    return SeasonRules(structure={"name": "balance"}, attendance_points=0)


@season_view(Act.CHANGE_RULES, related=("rules",))
@open_season_form
def season_edit(request: ClubRequest) -> HttpResponse:
    return answered(read_season_form(request))


def read_season_form(request: ClubRequest) -> FormSubmission | HttpResponse:
    """Read the form of a stored season; return its submission if valid, else the response."""
    season = request.season
    of_season = {name: getattr(season, name) for name in OF_SEASON}
    version = rules_version(season)
    initial = rules_initial(rules_of(season)) | _rules_to_take(request) | of_season | {"version": version}
    form = SeasonForm(request.POST or None, club=request.club, initial=initial)
    title = _("Season %(season)s") % {"season": season}

    def shown() -> HttpResponse:
        return _editor(request, form, title=title, action=_("Save"), effects=_effects_address(request))

    def save() -> Season:
        return update_season_with_rules(
            season,
            **form.season_fields,
            rules=form.rules,
            settle_again=form.cleaned_data["settle_again"],
            version=form.cleaned_data["version"] or 0,
            actor=request.user,
        )

    def published(saved: Season) -> HttpResponse:
        messages.success(request, _("Saved."))
        return redirect(saved)

    def refused(error: Refused) -> HttpResponse:
        if isinstance(error, SlugTaken):
            form.add_error("slug", str(error))
            return shown()
        form.add_error("structure" if isinstance(error, BadResult) else None, str(error))
        if isinstance(error, Stale):
            form.data = {**request.POST.dict(), "version": str(version)}
        return shown()

    if not (_is_save_request(request) and form.is_valid()):
        return shown()
    return FormSubmission(save, published, refused)


def _effects_address(request: ClubRequest) -> str:
    """Build the URL of the page that shows the effects of new rules, in an app of a higher layer."""
    return reverse("standings:rule-change", args=[request.club.slug, request.season.slug])


def _rules_to_take(request: ClubRequest) -> dict[str, Any]:
    """Read suggested rules from the query string: a structure without own settings, and counts."""
    name = request.GET.get("structure", "")
    try:
        structure = PointsStructure(name)
    except EngineError:
        return {}
    rules = SeasonRules(structure=structure.to_dict(), best_n=None, drop_worst=0)
    taken = {key: value for key, value in rules_initial(rules).items() if key in OF_LINK}
    for count in ("attendance_points", "best_n", "drop_worst"):
        if (typed := request.GET.get(count, "")).isdecimal():
            taken[count] = int(typed)
    return taken


def _is_save_request(request: ClubRequest) -> bool:
    return request.method == "POST" and request.POST.keys().isdisjoint({"preview", MOVE}) and not request.htmx


def _editor(request: ClubRequest, form: RulesForm, **context: Any) -> HttpResponse:
    """Render the page, or only its preview while the form is being typed."""
    is_whole = not (request.htmx and request.POST.keys().isdisjoint({"fill", MOVE}))
    template = "payouts/season_form.html" if is_whole else "payouts/_preview.html"
    preview = structure_preview(form)
    of_structure = [form[name] for name in ("structure", *STRUCTURE_SETTINGS)]
    return render(
        request, template, {"form": form, "preview": preview, "of_structure": of_structure, **context}
    )


def structure_preview(form: RulesForm) -> dict[str, Any] | None:
    """Make the preview of the chosen structure; None while it is invalid."""
    if form.is_bound:
        form.is_valid()
        structure = form.chosen
    else:
        structure = form.known
    if structure is None:
        return None
    return {
        "formula": structure_in_words(structure),
        "is_dhondt": structure.is_dhondt,
        # Balances alone give the places nothing that could be shown.
        "rows": [] if structure.name == "balance" else points_by_size(structure),
        "places": range(1, N_PLACES + 1),
        "plots": [] if structure.name == "balance" else share_plots(structure),
    }
