from django.urls import path

from forecasts import views
from league.routes import CLUB, SEASON

app_name = "forecasts"
urlpatterns = [
    path(f"{CLUB}ratings-quality/", views.ratings_quality, name="quality"),
    path(f"{CLUB}ratings-quality/<int:pool_id>/fit/", views.fit, name="fit"),
    path(f"{CLUB}players/<int:player_id>/opponents/", views.opponents, name="opponents"),
    path(f"{SEASON}title/", views.title, name="title"),
    path(f"{SEASON}skill/", views.skill, name="skill"),
]
