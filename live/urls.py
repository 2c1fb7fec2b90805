"""Addresses of live nights: those of devices, which have a key, and those of organizers, which are of a club."""

from django.urls import path

from league.routes import CLUB
from live.views import blinds, casting, deal, desk, finish, followers, held, helpers, nights, protocol, seats

DESK = "live/<int:night_id>/"
NIGHT = f"{CLUB}live/<int:night_id>/"

app_name = "live"
urlpatterns = [
    path("live/join", protocol.join_night, name="join"),
    path("live/join/", desk.join_page, name="join-page"),
    path(DESK, desk.desk, name="desk"),
    path(f"{DESK}worker.js", desk.worker, name="worker"),
    path(f"{DESK}log", protocol.log, name="log"),
    path(f"{DESK}roster", protocol.roster, name="roster"),
    path(f"{DESK}room", seats.room, name="room"),
    path(f"{DESK}face", followers.face, name="face"),
    path(f"{DESK}screen/", followers.screen, name="screen"),
    path(f"{DESK}follow/", followers.follow, name="follow"),
    path(f"{DESK}draw.json", followers.draw_file, name="draw-file"),
    path(f"{DESK}organizer/", nights.organizer, name="organizer"),
    path("live/screen/", casting.waiting, name="cast"),
    path("live/cast", casting.cast, name="cast-state"),
    path(f"{CLUB}live/blinds/", blinds.blinds, name="club-blinds"),
    path(f"{CLUB}live/start/", nights.start, name="start"),
    path(NIGHT, nights.open_desk, name="open"),
    path(f"{NIGHT}call-off/", nights.night_call_off, name="call-off"),
    path(f"{NIGHT}reopen/", nights.night_reopen, name="reopen"),
    path(f"{NIGHT}setup/", nights.setup, name="setup"),
    path(f"{NIGHT}blinds/", blinds.blinds, name="blinds"),
    path(f"{NIGHT}slips/", seats.slips, name="slips"),
    path(f"{NIGHT}cast/", casting.show_here, name="show-here"),
    path(f"{NIGHT}helpers/", helpers.helpers, name="helpers"),
    path(f"{NIGHT}helpers/link/", helpers.new_link, name="new-link"),
    path(f"{NIGHT}helpers/end/", helpers.end_devices, name="end-devices"),
    path(f"{NIGHT}held/", held.held, name="held"),
    path(f"{NIGHT}finish/", finish.finish, name="finish"),
    path(f"{NIGHT}deal/", deal.deal, name="deal"),
    path(f"{NIGHT}finish/undo/<str:action>/", finish.undo, name="undo"),
    path(f"{NIGHT}finish/rest/", finish.rest, name="rest"),
    path(f"{NIGHT}finish/settle/", finish.settle, name="settle"),
]
