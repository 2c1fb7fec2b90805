from django.urls import path

from league.routes import CLUB
from ratings import brought_views, calibration_views, views

app_name = "ratings"
urlpatterns = [
    path(f"{CLUB}rating/", views.settings, name="settings"),
    path(f"{CLUB}rating/edit/", views.settings_edit, name="settings-edit"),
    path(f"{CLUB}rating/<int:pool_id>/", views.settings, name="settings"),
    path(f"{CLUB}rating/<int:pool_id>/edit/", views.settings_edit, name="settings-edit"),
    path(f"{CLUB}pools/<int:pool_id>/calibrate/", calibration_views.calibrate, name="calibrate"),
    path(f"{CLUB}pools/<int:pool_id>/brought/", brought_views.brought_ratings_edit, name="brought"),
    path(
        f"{CLUB}pools/<int:pool_id>/brought/take-back/",
        brought_views.brought_ratings_take_back,
        name="brought-take-back",
    ),
    path(
        f"{CLUB}pools/<int:pool_id>/calibrate/take-back/",
        calibration_views.calibrate_take_back,
        name="calibrate-take-back",
    ),
]
