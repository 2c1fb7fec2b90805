from django.urls import path

from lab.views import practice
from league.routes import CLUB

app_name = "lab"
urlpatterns = [
    path("lab/practice/", practice.practice, name="practice"),
    path(f"{CLUB}practice/", practice.club_practice, name="club-practice"),
]
