"""Pages of the sit-and-go: choose the players, and play."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from lab.addresses import lab_address
from lab.engine.holdem.sit_and_go import Game
from lab.holdem import play
from lab.holdem.chip_curve import chip_curve
from lab.models import SitAndGo
from lab.services import sit_and_go
from league.database.snapshots import reading_one_moment
from league.services.errors import Refused
from league.site.limits import consume_quota

# Games that one visitor may begin in a minute.
MOST_BEGUN = 10
SESSION_KEY = "sit-and-go"
NO_GAME = UUID(int=0)
READ_OR_POST = require_http_methods(["GET", "HEAD", "POST"])


@READ_OR_POST
@reading_one_moment
def begin(request: HttpRequest) -> HttpResponse:
    form = play.StartForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if not consume_quota(request, "sit-and-go", user=request.user, limit=MOST_BEGUN):
            return render(request, "429.html", status=429)
        row = sit_and_go.open_game(form.styles())
        request.session[SESSION_KEY] = str(row.pk)
        return redirect(lab_address(request, "play-game", row.pk))
    running = SitAndGo.objects.filter(pk=request.session.get(SESSION_KEY) or NO_GAME).first()
    return render(request, "lab/holdem/play.html", {"form": form, "running": running})


@READ_OR_POST
@never_cache
@reading_one_moment
def game(request: HttpRequest, token: UUID) -> HttpResponse:
    row = get_object_or_404(SitAndGo, pk=token)
    state = Game.of_json(row.state)
    table = play.table_of(state)
    posted = request.POST if request.method == "POST" else None
    form = play.DecisionForm(posted, low=table.low, high=table.high)
    if posted is not None and _goes_on(request, row, form):
        return redirect(lab_address(request, "play-game", row.pk))
    curve = chip_curve(state.curve, sum(state.stacks)) if state.is_finished else None
    context = {"row": row, "table": table, "form": form, "curve": curve, "costliest": play.costliest(state)}
    return render(request, "lab/holdem/play_game.html", context)


def _goes_on(request: HttpRequest, row: SitAndGo, form: play.DecisionForm) -> bool:
    """Apply the posted action; return False if the form is invalid and has to be shown again."""
    is_valid = form.is_valid()
    if is_valid or form.cleaned_data.get("version", row.version) != row.version:
        try:
            _take(row, form.cleaned_data)
        except Refused as error:
            messages.warning(request, str(error))
        return True
    return False


def _take(row: SitAndGo, data: dict[str, Any]) -> None:
    action, version = data.get("action"), data["version"]
    if action == "next":
        sit_and_go.begin_next_hand(row.pk, version=version)
    elif action is not None:
        sit_and_go.take_decision(row.pk, version=version, action=action, to=data.get("to") or 0)
