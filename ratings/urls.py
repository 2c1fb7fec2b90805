from django.urls import path

from league.routes import CLUB
from ratings import views

app_name = "ratings"
urlpatterns = [
    path(f"{CLUB}rating/", views.settings, name="settings"),
    path(f"{CLUB}rating/edit/", views.settings_edit, name="settings-edit"),
    path(f"{CLUB}rating/<int:pool_id>/", views.settings, name="settings"),
    path(f"{CLUB}rating/<int:pool_id>/edit/", views.settings_edit, name="settings-edit"),
]
