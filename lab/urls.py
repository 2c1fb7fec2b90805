from django.urls import URLPattern, path

from lab.views import duels, play, practice, runs, site
from league.routes import CLUB

app_name = "lab"
urlpatterns: list[URLPattern] = [
    path("lab/", site.index, name="index"),
    path("lab/vpip/", site.vpip, name="vpip"),
    path("lab/vpip.csv", site.vpip_file, name="vpip-file"),
    path("lab/decide/", site.decide, name="decide"),
    path("lab/duels/", duels.duels, name="duels"),
    path("lab/practice/", practice.practice, name="practice"),
    path("lab/play/", play.begin, name="play"),
    path("lab/play/<uuid:token>/", play.game, name="play-game"),
    path(f"{CLUB}practice/", practice.club_practice, name="club-practice"),
    path(f"{CLUB}lab/", runs.runs, name="runs"),
    path(f"{CLUB}lab/new/", runs.run_create, name="run-create"),
    path(f"{CLUB}lab/<int:run_id>/", runs.run, name="run"),
    path(f"{CLUB}lab/<int:run_id>/progress/", runs.run_progress, name="run-progress"),
    path(f"{CLUB}lab/<int:run_id>/cancel/", runs.run_cancel, name="run-cancel"),
    path(f"{CLUB}lab/<int:run_id>/report.csv", runs.run_file, name="run-file"),
]
