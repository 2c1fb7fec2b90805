from django.urls import path

from league.routes import CLUB, EVENT, SEASON
from payouts.views import balances, brought_forward, door, events, money, seasons, seats

app_name = "payouts"
urlpatterns = [
    path(f"{CLUB}seasons/new/", seasons.season_create, name="season-create"),
    path(f"{SEASON}edit/", seasons.season_edit, name="season-edit"),
    path(f"{SEASON}brought/", brought_forward.brought_forward_edit, name="brought-edit"),
    path(f"{SEASON}seats/", seats.seat_table, name="seat-table"),
    path(f"{SEASON}seats.csv", seats.seat_file, name="seat-file"),
    path(f"{CLUB}money/", money.club_money_edit, name="club-money"),
    path(f"{CLUB}money/balances/", balances.all_balances, name="balances"),
    path(f"{CLUB}money/mine/", balances.my_money, name="my-money"),
    path(f"{CLUB}money/players/<int:player_id>/", balances.player_money, name="player-money"),
    path(f"{EVENT}money/", money.money_edit, name="money-edit"),
    path(f"{EVENT}money/door/", door.money_door, name="money-door"),
    path(f"{EVENT}terms/", events.terms_edit, name="terms-edit"),
]
