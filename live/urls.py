"""Addresses of live nights: those of devices, which have a key, and those of organizers, which are of a club."""

from django.urls import path

from league.routes import CLUB
from live.views import deal, desk, finish, held, helpers, nights, protocol

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
    path(f"{DESK}organizer/", nights.organizer, name="organizer"),
    path(f"{CLUB}live/start/", nights.start, name="start"),
    path(NIGHT, nights.open_desk, name="open"),
    path(f"{NIGHT}call-off/", nights.night_call_off, name="call-off"),
    path(f"{NIGHT}reopen/", nights.night_reopen, name="reopen"),
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
