from django.urls import path

from league.routes import CLUB, EVENT, SEASON
from standings.views import clubs, explanations, points, seasons

app_name = "standings"
urlpatterns = [
    path("about/", clubs.about, name="about"),
    path(CLUB, clubs.club, name="club"),
    path(f"{CLUB}players/", clubs.players, name="players"),
    path(f"{CLUB}players/<int:player_id>/", clubs.player, name="player"),
    path(EVENT, seasons.event, name="event"),
    path(f"{EVENT}players/<int:player_id>/", explanations.explanation, name="explanation"),
    path(SEASON, seasons.leaderboard, name="leaderboard"),
    path(f"{SEASON}table/", seasons.table, name="season-table"),
    path(f"{SEASON}events/", seasons.events, name="events"),
    path(f"{SEASON}standings.csv", seasons.standings_file, name="standings-file"),
    path(f"{SEASON}players/<int:player_id>/", points.breakdown, name="breakdown"),
    path(f"{SEASON}what-if/", points.what_if_page, name="what-if"),
    path(f"{SEASON}state/", seasons.state, name="state"),
]
