"""The site's URLs and a bare django-tables2 page with the same rows and columns, its default template and no layout."""

import django_tables2 as tables
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from league.models import Club, Event, Player, Season
from payouts.models import EntryPoints
from ratings.models import RatedEntry
from standings.models import Standing
from standings.queries import events_of, players_of, rated_pools


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


class BareEvents(tables.Table):
    """Show the events of a player, the newest first."""

    class Meta:
        model = RatedEntry
        template_name = "django_tables2/table.html"
        fields = ("event", "place", "n_entries", "prior_rate", "posterior_rate", "posterior_sigma", "badge")


class BareEntries(tables.Table):
    """Show the entries of an event by place."""

    player = tables.Column(
        accessor="player__name", linkify=lambda record: f"/c/bench/players/{record.player_id}/"
    )

    class Meta(BareEvents.Meta):
        fields = ("place", "player", "prior_rate", "posterior_rate", "posterior_sigma", "badge")


class BarePlayers(tables.Table):
    """Show the players of a club by name."""

    badge, rate, n_entries, last_at = (tables.Column() for _name in range(4))

    class Meta:
        model = Player
        template_name = "django_tables2/table.html"
        fields = ("name", "badge", "rate", "n_entries", "last_at")


class BareSeasonEvents(tables.Table):
    """Show the events of a season, the newest first."""

    winner, n_players, n_entries = (tables.Column() for _name in range(3))

    class Meta:
        model = Event
        template_name = "django_tables2/table.html"
        fields = ("starts_at", "name", "winner", "n_players", "n_entries")


def bare_players(request: HttpRequest) -> HttpResponse:
    club = Club.objects.get(slug="bench")
    table = BarePlayers(players_of(club, rated_pools(club)[0]).order_by("key"))
    tables.RequestConfig(request, paginate={"per_page": 50}).configure(table)
    return HttpResponse(PAGE.render({"table": table}, request))


def bare_events(request: HttpRequest) -> HttpResponse:
    table = BareSeasonEvents(events_of(Season.objects.get(pk=1)))
    tables.RequestConfig(request, paginate={"per_page": 50}).configure(table)
    return HttpResponse(PAGE.render({"table": table}, request))


def _bare_page(request: HttpRequest, table: tables.Table) -> HttpResponse:
    tables.RequestConfig(request, paginate=False).configure(table)
    return HttpResponse(PAGE.render({"table": table}, request))


def bare_player(request: HttpRequest, player_id: int) -> HttpResponse:
    rows = RatedEntry.objects.filter(player=player_id).select_related("event__season__club")
    return _bare_page(request, BareEvents(rows.order_by("-starts_at", "-event_id")))


def bare_event(request: HttpRequest, event_id: int) -> HttpResponse:
    rows = RatedEntry.objects.filter(event=event_id).select_related("player")
    return _bare_page(request, BareEntries(rows.order_by("place")))


def bare_season(request: HttpRequest, season_id: int) -> HttpResponse:
    """Show the points of each player at each event of a season."""
    season = Season.objects.get(pk=season_id)
    events = list(season.events.in_rating_order())
    rows: dict[int, dict[str, object]] = {
        each.player_id: {"rank": each.points_rank, "player": each.player.name, "total": each.total}
        for each in season.standings.select_related("player").order_by("points_position")
    }
    points = EntryPoints.objects.filter(entry__event__season=season).select_related("entry")
    for each in points:
        rows[each.entry.player_id][f"e{each.entry.event_id}"] = each.numerator / each.denominator
    columns = [(name, tables.Column(empty_values=(None,))) for name in ("rank", "player", "total")] + [
        (f"e{event.pk}", tables.Column(verbose_name=f"{event.starts_at:%m-%d}")) for event in events
    ]
    table = tables.Table(
        list(rows.values()), extra_columns=columns, template_name="django_tables2/table.html"
    )
    return _bare_page(request, table)


urlpatterns = [
    path("bare/", bare),
    path("bare/players/", bare_players),
    path("bare/events/", bare_events),
    path("bare/players/<int:player_id>/", bare_player),
    path("bare/events/<int:event_id>/", bare_event),
    path("bare/seasons/<int:season_id>/", bare_season),
    path("", include("league.urls")),
]
