from django.urls import path, re_path

from api.access import UnknownAddressView
from api.views import (
    clubs,
    events,
    imports,
    keys,
    laboratory,
    live_nights,
    nights,
    people,
    players,
    points,
    pools,
    reference,
    schedule,
    seasons,
    webhooks,
)

V1 = "api/v1/"
CLUB = f"{V1}clubs/<slug:club_slug>/"
SEASON = f"{V1}seasons/<int:season_id>/"
EVENT = f"{V1}events/<int:event_id>/"
PLAYER = f"{V1}players/<int:player_id>/"
POOL = f"{V1}pools/<int:pool_id>/"
HOOK = f"{V1}webhooks/<int:hook_id>/"

app_name = "api"
urlpatterns = [
    path("accounts/api-keys/", keys.keys, name="keys"),
    path("accounts/api-keys/<slug:token_key>/revoke/", keys.key_revoke, name="key-revoke"),
    path(V1, reference.StartView.as_view(), name="start"),
    path(f"{V1}schema/", reference.SchemaView.as_view(), name="schema"),
    path(f"{V1}reference/", reference.reference, name="reference"),
    path(f"{V1}seats/", points.SeatsView.as_view(), name="seats"),
    path(f"{V1}points/", points.PointsView.as_view(), name="points"),
    path(f"{V1}vpip/", laboratory.VpipView.as_view(), name="vpip"),
    path(f"{V1}decide/", laboratory.DecideView.as_view(), name="decide"),
    path(f"{V1}clubs/", clubs.ClubsView.as_view(), name="clubs"),
    path(CLUB, clubs.ClubDetailView.as_view(), name="club"),
    path(f"{CLUB}bin/", clubs.BinView.as_view(), name="bin"),
    path(f"{CLUB}bin/<int:item_id>/restore/", clubs.BinRestoreView.as_view(), name="bin-restore"),
    path(f"{CLUB}events/", events.ClubEventsView.as_view(), name="club-events"),
    path(f"{CLUB}claims/", people.ClaimsView.as_view(), name="claims"),
    path(f"{CLUB}claims/<int:claim_id>/", people.ClaimView.as_view(), name="claim"),
    path(f"{CLUB}history/", clubs.HistoryView.as_view(), name="history"),
    path(f"{CLUB}invitations/", people.InvitationsView.as_view(), name="invitations"),
    path(f"{CLUB}invitations/<int:invitation_id>/", people.InvitationView.as_view(), name="invitation"),
    path(f"{CLUB}live/", live_nights.LiveNightsView.as_view(), name="live-nights"),
    path(f"{CLUB}members/", people.MembersView.as_view(), name="members"),
    path(f"{CLUB}members/<int:member_id>/", people.MemberView.as_view(), name="member"),
    path(f"{CLUB}players/", players.PlayersView.as_view(), name="players"),
    path(f"{CLUB}pools/", pools.PoolsView.as_view(), name="pools"),
    path(f"{CLUB}seasons/", seasons.SeasonsView.as_view(), name="seasons"),
    path(f"{CLUB}webhooks/", webhooks.HooksView.as_view(), name="webhooks"),
    path(SEASON, seasons.SeasonDetailView.as_view(), name="season"),
    path(f"{SEASON}awards/", seasons.AwardsView.as_view(), name="awards"),
    path(f"{SEASON}events/", events.SeasonEventsView.as_view(), name="events"),
    path(f"{SEASON}events/many/", events.ManyEventsView.as_view(), name="events-many"),
    path(f"{SEASON}imports/", imports.ImportsView.as_view(), name="imports"),
    path(f"{SEASON}nights/", nights.NightsView.as_view(), name="nights"),
    path(f"{SEASON}planned/", schedule.PlannedEventsView.as_view(), name="planned-events"),
    path(f"{SEASON}rules/", seasons.RulesView.as_view(), name="rules"),
    path(f"{SEASON}standings/", seasons.StandingsView.as_view(), name="standings"),
    path(EVENT, events.EventDetailView.as_view(), name="event"),
    path(f"{EVENT}entries/<int:entry_id>/", events.EntryView.as_view(), name="entry"),
    path(f"{EVENT}scores/", nights.ScoresView.as_view(), name="scores"),
    path(f"{EVENT}terms/", events.TermsView.as_view(), name="terms"),
    path(PLAYER, players.PlayerDetailView.as_view(), name="player"),
    path(f"{PLAYER}aliases/", players.AliasesView.as_view(), name="aliases"),
    path(f"{PLAYER}aliases/<int:alias_id>/", players.AliasView.as_view(), name="alias"),
    path(f"{PLAYER}claim/", people.PlayerClaimView.as_view(), name="player-claim"),
    path(f"{PLAYER}opponents/", players.OpponentsView.as_view(), name="opponents"),
    path(f"{PLAYER}ratings/", players.PlayerRatingsView.as_view(), name="player-ratings"),
    path(POOL, pools.PoolDetailView.as_view(), name="pool"),
    path(f"{POOL}changes/", pools.ChangesView.as_view(), name="changes"),
    path(f"{POOL}calibration/", pools.CalibrationView.as_view(), name="calibration"),
    path(HOOK, webhooks.HookDetailView.as_view(), name="webhook"),
    path(f"{HOOK}deliveries/", webhooks.DeliveriesView.as_view(), name="deliveries"),
    path(f"{HOOK}deliveries/<int:delivery_id>/", webhooks.DeliveryView.as_view(), name="delivery"),
    path(f"{V1}planned/<int:planned_id>/", schedule.PlannedEventDetailView.as_view(), name="planned-event"),
    path(f"{V1}planned/<int:planned_id>/answer/", schedule.AnswerView.as_view(), name="answer"),
    path(f"{V1}live/<int:night_id>/", live_nights.LiveNightView.as_view(), name="live-night"),
    path(f"{V1}uploads/<int:draft_id>/", imports.UploadView.as_view(), name="upload"),
    re_path(r"^api/", UnknownAddressView.as_view(), name="nowhere"),
]
