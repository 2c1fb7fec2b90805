from django.urls import URLPattern, path

from lab.views import play, runs
from league.routes import CLUB

app_name = "lab"
urlpatterns: list[URLPattern] = [
    path("lab/play/", play.begin, name="play"),
    path("lab/play/<uuid:token>/", play.game, name="play-game"),
    path(f"{CLUB}lab/", runs.runs, name="runs"),
    path(f"{CLUB}lab/new/", runs.run_create, name="run-create"),
    path(f"{CLUB}lab/<int:run_id>/", runs.run, name="run"),
    path(f"{CLUB}lab/<int:run_id>/progress/", runs.run_progress, name="run-progress"),
    path(f"{CLUB}lab/<int:run_id>/cancel/", runs.run_cancel, name="run-cancel"),
    path(f"{CLUB}lab/<int:run_id>/report.csv", runs.run_file, name="run-file"),
]
