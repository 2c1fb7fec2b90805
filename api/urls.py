from django.urls import path, re_path

from api.access import UnknownAddressView
from api.views import events, imports, keys, laboratory, live_nights, nights, points, pools, seasons

V1 = "api/v1/"

app_name = "api"
urlpatterns = [
    path("accounts/api-keys/", keys.keys, name="keys"),
    path("accounts/api-keys/<slug:token_key>/revoke/", keys.key_revoke, name="key-revoke"),
    path(f"{V1}seats/", points.SeatsView.as_view(), name="seats"),
    path(f"{V1}points/", points.PointsView.as_view(), name="points"),
    path(f"{V1}vpip/", laboratory.VpipView.as_view(), name="vpip"),
    path(f"{V1}decide/", laboratory.DecideView.as_view(), name="decide"),
    path(f"{V1}clubs/<slug:club_slug>/seasons/", seasons.SeasonsView.as_view(), name="seasons"),
    path(f"{V1}seasons/<int:season_id>/rules/", seasons.RulesView.as_view(), name="rules"),
    path(f"{V1}seasons/<int:season_id>/standings/", seasons.StandingsView.as_view(), name="standings"),
    path(f"{V1}pools/<int:pool_id>/calibration/", pools.CalibrationView.as_view(), name="calibration"),
    path(f"{V1}seasons/<int:season_id>/nights/", nights.NightsView.as_view(), name="nights"),
    path(f"{V1}clubs/<slug:club_slug>/live/", live_nights.LiveNightsView.as_view(), name="live-nights"),
    path(f"{V1}live/<int:night_id>/", live_nights.LiveNightView.as_view(), name="live-night"),
    path(f"{V1}seasons/<int:season_id>/imports/", imports.ImportsView.as_view(), name="imports"),
    path(f"{V1}uploads/<int:draft_id>/", imports.UploadView.as_view(), name="upload"),
    path(f"{V1}events/<int:event_id>/result/", nights.ResultView.as_view(), name="result"),
    path(f"{V1}events/<int:event_id>/terms/", events.TermsView.as_view(), name="terms"),
    re_path(r"^api/", UnknownAddressView.as_view(), name="nowhere"),
]
