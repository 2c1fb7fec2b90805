from django.urls import URLPattern, path

from lab.views import duels, play, practice, runs, site
from league.access import club_view
from league.routes import CLUB

app_name = "lab"
# Pages for everybody: of the site, and below the masthead of each club.
PAGES = (
    ("", site.index, "index"),
    ("vpip/", site.vpip, "vpip"),
    ("vpip.csv", site.vpip_file, "vpip-file"),
    ("decide/", site.decide, "decide"),
    ("duels/", duels.duels, "duels"),
    ("practice/", practice.practice, "practice"),
    ("play/", play.begin, "play"),
    ("play/<uuid:token>/", play.game, "play-game"),
)
urlpatterns: list[URLPattern] = [
    *(path(f"lab/{page}", view, name=name) for page, view, name in PAGES),
    *(
        path(f"{CLUB}laboratory/{page}", club_view()(view), name=f"in-club-{name}")
        for page, view, name in PAGES
    ),
    path(f"{CLUB}practice/", practice.club_practice, name="club-practice"),
    path(f"{CLUB}lab/", runs.runs, name="runs"),
    path(f"{CLUB}lab/new/", runs.run_create, name="run-create"),
    path(f"{CLUB}lab/<int:run_id>/", runs.run, name="run"),
    path(f"{CLUB}lab/<int:run_id>/progress/", runs.run_progress, name="run-progress"),
    path(f"{CLUB}lab/<int:run_id>/cancel/", runs.run_cancel, name="run-cancel"),
    path(f"{CLUB}lab/<int:run_id>/report.csv", runs.run_file, name="run-file"),
]
