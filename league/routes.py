"""Addresses of the core: pages of the site, and forms of organizers and owners."""

from django.urls import path

from league.views import (
    clubs,
    deletions,
    events,
    imports,
    meets,
    nights,
    people,
    pools,
    rosters,
    site,
    versions,
)

CLUB = "c/<slug:club_slug>/"
SEASON = f"{CLUB}s/<slug:season_slug>/"
EVENT = f"{CLUB}events/<int:event_id>/"

app_name = "league"
urlpatterns = [
    path("", site.home, name="home"),
    path("healthz", site.health, name="health"),
    path(".well-known/security.txt", site.security_contact, name="security-contact"),
    path("language/<str:code>/", site.set_language, name="language"),
    path("theme/<str:name>/", site.set_theme, name="theme"),
    path("join/<str:token>/", people.join, name="join"),
    path("notices/seen/", people.notices_seen, name="notices-seen"),
    path("clubs/new/", site.club_create, name="club-create"),
    path(f"{CLUB}settings/", clubs.club_edit, name="club-edit"),
    path(f"{CLUB}people/", people.people, name="people"),
    path(f"{CLUB}people/add/", people.member_add, name="member-add"),
    path(f"{CLUB}people/leave/", people.leave, name="leave"),
    path(f"{CLUB}people/hand-over/", people.club_hand_over, name="hand-over"),
    path(f"{CLUB}people/<int:membership_id>/role/", people.member_role, name="member-role"),
    path(f"{CLUB}people/<int:membership_id>/remove/", people.member_remove, name="member-remove"),
    path(f"{CLUB}people/removed/<int:change_id>/restore/", people.member_restore, name="member-restore"),
    path(f"{CLUB}people/invite/", people.invitation_make, name="invitation-make"),
    path(f"{CLUB}people/invitations/<int:invitation_id>/", people.invitation, name="invitation"),
    path(
        f"{CLUB}people/invitations/<int:invitation_id>/revoke/",
        people.invitation_revoke,
        name="invitation-revoke",
    ),
    path(f"{CLUB}people/claims/<int:claim_id>/", people.claim_answer, name="claim-answer"),
    path(f"{CLUB}players/<int:player_id>/claim/", people.player_claim, name="player-claim"),
    path(f"{CLUB}players/<int:player_id>/unclaim/", people.player_unclaim, name="player-unclaim"),
    path(f"{CLUB}players/members/", rosters.roster, name="roster"),
    path(f"{CLUB}players/guests/", rosters.guests, name="guests"),
    path(f"{CLUB}players/new/", clubs.player_create, name="player-create"),
    path(f"{CLUB}players/<int:player_id>/edit/", clubs.player_edit, name="player-edit"),
    path(f"{CLUB}players/<int:player_id>/delete/", deletions.player_delete, name="player-delete"),
    path(
        f"{CLUB}players/<int:player_id>/names/<int:alias_id>/remove/",
        clubs.alias_remove,
        name="alias-remove",
    ),
    path(f"{CLUB}pools/", pools.pools, name="pools"),
    path(f"{CLUB}pools/new/", pools.pool_create, name="pool-create"),
    path(f"{CLUB}pools/<int:pool_id>/edit/", pools.pool_edit, name="pool-edit"),
    path(f"{CLUB}games/new/", pools.game_create, name="game-create"),
    path(f"{CLUB}games/<int:game_id>/edit/", pools.game_edit, name="game-edit"),
    path(f"{CLUB}games/<int:game_id>/rules/", pools.game_rules, name="game-rules"),
    path(f"{CLUB}imports/<int:draft_id>/", imports.import_preview, name="import-preview"),
    path(f"{SEASON}enter/", pools.enter, name="enter"),
    path(f"{SEASON}pool/", pools.season_pool, name="season-pool"),
    path(f"{SEASON}close/", clubs.season_close, name="season-close"),
    path(f"{SEASON}delete/", deletions.season_delete, name="season-delete"),
    path(f"{SEASON}events/new/", events.event_create, name="event-create"),
    path(f"{SEASON}meets/new/", meets.meet_create, name="meet-create"),
    path(f"{SEASON}meets/<int:meet_id>/edit/", meets.meet_edit, name="meet-edit"),
    path(f"{SEASON}meets/<int:meet_id>/dissolve/", meets.meet_dissolve, name="meet-dissolve"),
    path(f"{SEASON}night/", nights.night_create, name="night-create"),
    path(f"{SEASON}night/<int:meet_id>/edit/", nights.night_edit, name="night-edit"),
    path(f"{SEASON}night/<int:meet_id>/delete/", nights.night_delete, name="night-delete"),
    path(f"{SEASON}import/", imports.import_upload, name="import-upload"),
    path(f"{EVENT}edit/", events.event_edit, name="event-edit"),
    path(f"{EVENT}versions/<int:correction_id>/", versions.version_restore, name="version-restore"),
    path(f"{EVENT}delete/", events.event_delete, name="event-delete"),
]
