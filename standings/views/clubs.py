"""The page of a club."""

from typing import Any, cast

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.models import Season
from league.queries import nearest_season
from league.schedule import coming_to, planned_events
from standings.home.champions import holders_of, titles_of
from standings.home.queries import LastNight, last_night, last_nights, places_of, season_lines
from standings.home.records import records_of
from standings.home.sentences import record_lines, sentence_of, steps_of
from standings.models import Standing
from standings.pages.headlines import season_headline, season_kicker
from standings.pages.readers import reader_of
from standings.queries import has_ended, leader_rows, rating_terms, seasons_of, summary_of
from standings.receipts.followed import followed_lines
from standings.receipts.pages import shown_receipt
from standings.receipts.visits import keep_visit, news_since, visit_before

N_RECENT = 5
N_TOP = 5
N_SEASONS = 6


@require_safe
@club_view()
def club(request: ClubRequest) -> HttpResponse:
    """Show the home page of a club: what comes next, the last event, who leads, records and champions."""
    now = timezone.now()
    seasons = list(seasons_of(request.club).select_related("pool__recomputation"))
    season = nearest_season(seasons, timezone.localdate())
    request.season = cast("Season", season)
    planned = next(iter(planned_events(request.club, now)), None)
    context = {
        "seasons": season_lines(seasons[:N_SEASONS], timezone.localdate()),
        "n_seasons": len(seasons),
        "planned": planned,
        "coming": coming_to(planned, request.user) if planned else None,
        "records": record_lines(records_of(request.club, season.pool if season else None)),
        "recent": (recent := last_nights(request.club, N_RECENT)),
        **(_of_season(request, season) if season else {"headline": request.club.name}),
    }
    if not (context.get("receipt") or context.get("followed")):
        return render(request, "standings/club/club.html", context)
    if since := visit_before(request):
        news = news_since(request.club, since)
        context |= {
            "news": news,
            "new_nights": [each for each in recent if set(each.events) & set(news.event_ids)],
        }
    response = render(request, "standings/club/club.html", context)
    keep_visit(request, response, request.club)
    return response


@require_safe
@club_view()
def champions(request: ClubRequest) -> HttpResponse:
    titles = titles_of(request.club, timezone.localdate())
    return render(
        request, "standings/season/champions.html", {"titles": titles, "holders": holders_of(titles)}
    )


def _of_season(request: ClubRequest, season: Season) -> dict[str, Any]:
    """Read the last event and the top of the table of the season of today, and the reader's line in it."""
    summary, night = summary_of(season), last_night(season)
    facts = summary.facts if summary else None
    top = Standing.objects.filter(season=season, points_position__lte=N_TOP)
    return {
        "season": season,
        "kicker": season_kicker(season, summary),
        "headline": season_headline(
            facts,
            season.name,
            has_ended=has_ended(season, timezone.localdate()),
            nobody_leads=request.club.name,
        ),
        "night": night,
        "sentence": sentence_of(night) if night else "",
        "podium": steps_of(night) if night else [],
        "top": leader_rows(top, "points", ()),
        "has_badges": (terms := rating_terms(season)) is not None and terms.has_badges,
        **_of_reader(request, season, night),
        "n_players": summary.n_players if summary else 0,
    }


def _of_reader(request: ClubRequest, season: Season, night: LastNight | None) -> dict[str, Any]:
    """Read the receipt of the reader's last night, the reader's line of the season, and whom the reader follows."""
    reader = reader_of(request)
    if not reader.player_id and not reader.followed:
        return {}
    rows = Standing.objects.filter(season=season).select_related("player__club")
    lines = {row.player_id: row for row in rows.filter(player__in=[reader.player_id or 0, *reader.followed])}
    own, followed = lines.get(reader.player_id or 0), [pk for pk in reader.followed if pk in lines]
    return {
        "own": own,
        "receipt": shown_receipt(own.player, night.event) if own and night else None,
        "followed": followed_lines(
            [lines[pk] for pk in followed], own, places_of(night, followed) if night else {}
        ),
    }
