"""The page of what weakens a simulated player."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def duels(request: HttpRequest) -> HttpResponse:
    from lab.holdem.duels import duel_report

    return render(request, "lab/holdem/duels.html", {"report": duel_report()})
