"""The site's URLs and a bare django-tables2 page with the same rows and columns, its default template and no layout."""

import django_tables2 as tables
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from standings.models import Standing


class BareTable(tables.Table):
    player = tables.Column(
        accessor="player__name", linkify=lambda record: f"/c/bench/players/{record.player_id}/"
    )

    class Meta:
        model = Standing
        template_name = "django_tables2/table.html"
        fields = (
            "points_rank", "points_moved", "player", "badge", "rate", "last_rates", "last_change", "n_events", "n_wins",
            "profit", "total",
        )  # fmt: skip


PAGE = engines["django"].from_string("{% load render_table from django_tables2 %}{% render_table table %}")


def bare(request: HttpRequest) -> HttpResponse:
    table = BareTable(
        Standing.objects.filter(season_id=1).select_related("player").order_by("points_position")
    )
    tables.RequestConfig(request, paginate={"per_page": 50}).configure(table)
    return HttpResponse(PAGE.render({"table": table}, request))


urlpatterns = [path("bare/", bare), path("", include("league.urls"))]
