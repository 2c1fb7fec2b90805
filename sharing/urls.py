from django.urls import path

from league.routes import CLUB, EVENT, SEASON
from sharing.views import pages, pictures

PLAYER = f"{CLUB}players/<int:player_id>/"

app_name = "sharing"
urlpatterns = [
    path(f"{EVENT}picture.png", pictures.event_picture, name="event-picture"),
    path(f"{EVENT}share/", pages.share_event, name="event-share"),
    path(f"{EVENT}receipts/<int:player_id>/", pages.share_receipt, name="receipt"),
    path(f"{EVENT}receipts/<int:player_id>/picture.png", pictures.receipt_picture, name="receipt-picture"),
    path(f"{EVENT}result.txt", pages.result_as_text, name="result-text"),
    path(f"{PLAYER}picture.png", pictures.player_picture, name="player-picture"),
    path(f"{PLAYER}badge.png", pictures.badge_picture, name="badge-picture"),
    path(f"{PLAYER}badge/", pages.badge, name="badge"),
    path(f"{SEASON}picture.png", pictures.season_picture, name="season-picture"),
    path(
        f"{SEASON}awards/<int:award_id>/certificate/<int:player_id>/", pages.certificate, name="certificate"
    ),
]
