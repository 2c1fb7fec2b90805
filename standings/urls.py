from django.urls import path

from league.routes import CLUB, EVENT, SEASON
from standings.views import (
    awards,
    bins,
    clubs,
    deals,
    explanations,
    files,
    meets,
    players,
    points,
    seals,
    seasons,
)

app_name = "standings"
urlpatterns = [
    path("about/", clubs.about, name="about"),
    path(CLUB, clubs.club, name="club"),
    path(f"{CLUB}changes/", clubs.changes, name="changes"),
    path(f"{CLUB}bin/", bins.bin_page, name="bin"),
    path(f"{CLUB}bin/<int:item_id>/restore/", bins.bin_restore, name="bin-restore"),
    path(f"{CLUB}deal/", deals.deal, name="deal"),
    path(f"{CLUB}players/", players.players, name="players"),
    path(f"{CLUB}players/<int:player_id>/", players.player, name="player"),
    path(EVENT, seasons.event, name="event"),
    path(f"{EVENT}players/<int:player_id>/", explanations.explanation, name="explanation"),
    path(SEASON, seasons.leaderboard, name="leaderboard"),
    path(f"{SEASON}table/", seasons.table, name="season-table"),
    path(f"{SEASON}events/", seasons.events, name="events"),
    path(f"{SEASON}players/<int:player_id>/", points.breakdown, name="breakdown"),
    path(f"{SEASON}what-if/", points.what_if_page, name="what-if"),
    path(f"{SEASON}meets/<int:meet_id>/", meets.meet, name="meet"),
    path(f"{SEASON}awards/", awards.awards, name="awards"),
    path(f"{SEASON}awards/edit/", awards.award_edit, name="award-edit"),
    path(f"{SEASON}awards/<int:award_id>/edit/", awards.award_change, name="award-change"),
    path(f"{SEASON}awards/<int:award_id>/move/", awards.award_move, name="award-move"),
    path(f"{SEASON}awards/<int:award_id>/remove/", awards.award_remove, name="award-remove"),
    path(f"{SEASON}standings.csv", files.standings_csv, name="standings-file"),
    path(f"{SEASON}standings.xlsx", files.standings_xlsx, name="standings-workbook"),
    path(f"{SEASON}awards.csv", files.awards_csv, name="awards-file"),
    path(f"{SEASON}awards.xlsx", files.awards_xlsx, name="awards-workbook"),
    path(f"{SEASON}seal/", seals.seal, name="seal"),
    path(f"{SEASON}seal/edit/", seals.seal_edit, name="seal-edit"),
    path(f"{SEASON}sealed.json", seals.seal_file, name="seal-file"),
    path(f"{SEASON}state/", seasons.state, name="state"),
]
