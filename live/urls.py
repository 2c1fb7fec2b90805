from django.urls import path

from live.views import protocol

app_name = "live"
urlpatterns = [
    path("live/join", protocol.join_night, name="join"),
    path("live/<uuid:night_id>/log", protocol.log, name="log"),
]
