from django.urls import path

from league.routes import CLUB, SEASON
from payouts import views

app_name = "payouts"
urlpatterns = [
    path(f"{CLUB}seasons/new/", views.season_create, name="season-create"),
    path(f"{SEASON}edit/", views.season_edit, name="season-edit"),
]
