from django.urls import URLPattern, path

from lab.views import play

app_name = "lab"
urlpatterns: list[URLPattern] = [
    path("lab/play/", play.begin, name="play"),
    path("lab/play/<uuid:token>/", play.game, name="play-game"),
]
