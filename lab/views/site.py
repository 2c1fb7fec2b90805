"""Pages of the laboratory that belong to no club and are open to everybody."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from lab.calculators.answers import ALL_SEATS, vpip_answer
from lab.calculators.decide import decide_context
from lab.calculators.forms import DecideForm, VpipForm
from lab.calculators.vpip import vpip_context
from league.downloads import BYTE_ORDER_MARK, csv_text


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "lab/index.html")


@require_safe
def vpip(request: HttpRequest) -> HttpResponse:
    form = VpipForm(request.GET)
    found = vpip_context(form) if form.is_valid() else {}
    return render(request, "lab/calculators/vpip.html", {"form": form, "query": form.query, **found})


@require_safe
def vpip_file(request: HttpRequest) -> HttpResponse:
    """Send the whole table as CSV; a wrong number leads to the page that names it."""
    form = VpipForm(request.GET)
    if not form.is_valid():
        return redirect(f"{reverse('lab:vpip')}?{request.GET.urlencode()}")
    answer = vpip_answer({**form.data, "seats": ALL_SEATS})
    return HttpResponse(
        BYTE_ORDER_MARK + csv_text(answer.columns, answer.rows),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="vpip.csv"'},
    )


@require_safe
def decide(request: HttpRequest) -> HttpResponse:
    form = DecideForm(request.GET)
    found = decide_context(form) if form.is_valid() else {}
    return render(request, "lab/calculators/decide.html", {"form": form, "query": form.query, **found})
