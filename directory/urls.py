"""Addresses of the front door."""

from django.urls import path

from directory.views import clubs, operator
from league.routes import CLUB

app_name = "directory"
urlpatterns = [
    path("", clubs.home, name="home"),
    path("clubs/", clubs.clubs, name="clubs"),
    path(f"{CLUB}listing/", clubs.listing, name="listing"),
    path(f"{CLUB}listing/withdraw/", clubs.listing_withdraw, name="listing-withdraw"),
    path(f"{CLUB}report/", clubs.report, name="report"),
    path("operator/", operator.overview, name="operator"),
    path("operator/rules/", operator.rules, name="operator-rules"),
    path("operator/listings/<int:listing_id>/", operator.listing_answer, name="listing-answer"),
    path("operator/clubs/<int:club_id>/hide/", operator.club_hide, name="club-hide"),
    path("operator/clubs/<int:club_id>/show/", operator.club_show, name="club-show"),
    path("operator/clubs/<int:club_id>/reports/", operator.reports_settle, name="reports-settle"),
    path("operator/clubs/<int:club_id>/reports/again/", operator.reports_reopen, name="reports-reopen"),
]
