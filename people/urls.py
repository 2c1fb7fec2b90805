"""Addresses of accounts, members and clubs."""

from django.urls import path

from league.routes import CLUB
from people.views import clubs, mails, names, people

app_name = "people"
urlpatterns = [
    path("join/<str:token>/", people.join, name="join"),
    path("notices/seen/", people.notices_seen, name="notices-seen"),
    path("accounts/mails/", mails.mail_choices, name="mails"),
    path("mails/stop/<str:token>/", mails.mail_stop, name="mail-stop"),
    path("clubs/new/", clubs.club_create, name="club-create"),
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
    path(f"{CLUB}players/<int:player_id>/hide/", names.player_hide, name="player-hide"),
    path(f"{CLUB}players/<int:player_id>/forget/", names.player_forget, name="player-forget"),
]
