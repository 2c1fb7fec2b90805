"""The deal calculator, which stores nothing."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.models import Club
from live.deals import deal_lines
from payouts.queries import club_money
from standings.pages.forms.deal import DealForm


@require_safe
@club_view()
def deal(request: ClubRequest) -> HttpResponse:
    money = club_money(Club.objects.select_related("money").get(pk=request.club.pk))
    form = DealForm(request.GET or None, smallest=money.smallest)
    lines = []
    if form.is_valid():
        data = form.cleaned_data
        lines = deal_lines(data["prizes"], data["chips"], data["round_to"])
    total = sum(line.even for line in lines)
    return render(
        request, "standings/points/deal.html", {"form": form, "lines": lines, "total": total, "money": money}
    )
