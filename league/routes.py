"""Addresses of the core: pages of the site, its clubs, players and pools."""

from django.urls import path

from league.views import clubs, deletions, pools, rosters, site, versions

CLUB = "c/<slug:club_slug>/"
SEASON = f"{CLUB}s/<slug:season_slug>/"
EVENT = f"{CLUB}events/<int:event_id>/"

app_name = "league"
urlpatterns = [
    path("healthz", site.health, name="health"),
    path(".well-known/security.txt", site.security_contact, name="security-contact"),
    path("language/<str:code>/", site.set_language, name="language"),
    path("theme/<str:name>/", site.set_theme, name="theme"),
    path(f"{CLUB}players/members/", rosters.roster, name="roster"),
    path(f"{CLUB}players/members/undo/", rosters.roster_undo, name="roster-undo"),
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
    path(f"{SEASON}pool/", pools.season_pool, name="season-pool"),
    path(f"{SEASON}close/", clubs.season_close, name="season-close"),
    path(f"{SEASON}delete/", deletions.season_delete, name="season-delete"),
    path(f"{EVENT}versions/<int:correction_id>/", versions.version_restore, name="version-restore"),
]
