"""Addresses of the pages that members read, leagues to fill them, and what is read off them."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from entry.services.drafts import stage_import
from league.models import Player
from people.services.members import set_member
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter, names
from tests.pages import markup_of

SEASON_PAGES = (
    "standings:leaderboard",
    "standings:season-table",
    "standings:events",
    "standings:standings-file",
    "forecasts:title",
)


def url(page, season, *more, query=""):
    needs_season = page in {*SEASON_PAGES, "standings:state"}
    arguments = [season.club.slug, *([season.slug] if needs_season else []), *more]
    return reverse(page, args=arguments) + query


def queries(client, address):
    from django.core.cache import caches

    caches["pages"].clear()
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return len(captured), answer


def pages_of(season, event, draft=None):
    player = Player.objects.filter(club=season.club).order_by("key").first()
    leaderboard = url("standings:leaderboard", season)
    pages = {
        "club": url("standings:club", season),
        **{f"leaderboard {by}": f"{leaderboard}?by={by}" for by in ("points", "tier", "profit")},
        "leaderboard sorted": f"{leaderboard}?sort=-n_wins",
        "leaderboard searched": f"{leaderboard}?q=a",
        "season table": url("standings:season-table", season),
        "events": url("standings:events", season),
        "event": url("standings:event", season, event.pk),
        "players": url("standings:players", season),
        "players then": url("standings:players", season, query="?on=2026-01-20"),
        "why": url("standings:explanation", season, event.pk, player.pk),
        "rating settings": url("ratings:settings", season),
        "rating settings form": url("ratings:settings-edit", season),
        "player": url("standings:player", season, player.pk),
        "champions": url("standings:champions", season),
        "compare": url("standings:compare", season, query=f"?name={player.name}&name=Boris"),
        "opponents": url("forecasts:opponents", season, player.pk),
        "changes": url("standings:changes", season),
        "csv": url("standings:standings-file", season),
        "quality": url("forecasts:quality", season),
        "title": url("forecasts:title", season),
        "new event": reverse("entry:event-create", args=[season.club.slug, season.slug]),
        "event form": url("entry:event-edit", season, event.pk),
        "people": url("people:people", season),
    }
    if draft:
        pages["import preview"] = url("entry:import-preview", season, draft.pk)
    return pages


def drafted(season, user, n):
    rows = [
        f"n{i},2026-02-{i + 1:02},{name},{place}"
        for i in range(n)
        for place, name in enumerate(("Ada", f"New{i}"), 1)
    ]
    text = "\n".join(["event,date,player,place", *rows])
    return stage_import(season, user=user, files=[("f.csv", text.encode())])


def league_of(n):
    """n seasons, events, and about as many of everything else."""
    club = ClubFactory()
    for i in range(n - 1):
        enter(SeasonFactory(club=club), "Ada\nBoris", day=i)
    season = SeasonFactory(club=club)
    for day in range(10, 10 + n):
        event = enter(season, "\n".join(["Ada", "Boris", *names(n)]), day=day)
    for _member in range(n - 1):
        set_member(club, user=UserFactory(), role=10, actor=None)
    recompute(season.pool_id)
    return season, event


def rows_of(answer):
    table = markup_of(answer).partition('<table class="lead-t')[2].partition("</table>")[0]
    return re.findall(r'<th scope="row"><a href="[^"]+">([^<]+)</a>', table)
