"""Addresses of the forms of results, of nights and of imports."""

from django.urls import path

from entry.views import events, games, imports, meets, nights
from league.routes import CLUB, EVENT, SEASON

app_name = "entry"
urlpatterns = [
    path(f"{CLUB}games/<int:game_id>/rules/", games.game_rules, name="game-rules"),
    path(f"{CLUB}imports/", imports.imports, name="imports"),
    path(f"{CLUB}imports/saved/<int:import_id>/", imports.import_saved, name="import-saved"),
    path(f"{CLUB}imports/saved/<int:import_id>/undo/", imports.import_undo, name="import-undo"),
    path(f"{CLUB}imports/<int:draft_id>/", imports.import_preview, name="import-preview"),
    path(f"{SEASON}enter/", games.enter, name="enter"),
    path(f"{SEASON}events/new/", events.event_create, name="event-create"),
    path(f"{SEASON}meets/new/", meets.meet_create, name="meet-create"),
    path(f"{SEASON}meets/<int:meet_id>/edit/", meets.meet_edit, name="meet-edit"),
    path(f"{SEASON}meets/<int:meet_id>/dissolve/", meets.meet_dissolve, name="meet-dissolve"),
    path(f"{SEASON}night/", nights.night_create, name="night-create"),
    path(f"{SEASON}night/<int:meet_id>/edit/", nights.night_edit, name="night-edit"),
    path(f"{SEASON}night/<int:meet_id>/delete/", nights.night_delete, name="night-delete"),
    path(f"{SEASON}import/", imports.import_upload, name="import-upload"),
    path(f"{EVENT}edit/", events.event_edit, name="event-edit"),
    path(f"{EVENT}delete/", events.event_delete, name="event-delete"),
]
