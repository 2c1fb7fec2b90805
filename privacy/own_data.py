"""What an account downloads about itself (docs/own-data.md). Each part is one query of the fields that it names.

No part has a secret (keys, passwords, links that give a right), nor what the log holds of other people.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.auth.models import User
from django.utils import timezone

from privacy.awards import awards_of

FORMAT = 1


class Part(NamedTuple):
    model: str
    link: str  # how its rows belong to the account
    fields: str
    is_single: bool = False


PARTS: Mapping[str, Part] = {
    "profile": Part("auth.User", "pk", "username email first_name last_name date_joined last_login", True),
    "email_addresses": Part("account.EmailAddress", "user", "email verified primary"),
    "second_factors": Part("mfa.Authenticator", "user", "type created_at last_used_at"),
    "sign_ins_elsewhere": Part(
        "socialaccount.SocialAccount", "user", "provider uid extra_data date_joined last_login"
    ),
    "sessions": Part("usersessions.UserSession", "user", "ip user_agent created_at last_seen_at"),
    "api_keys": Part("api.ApiKey", "user", "label token_key scope created expiry"),
    "api_writes": Part("api.SentWrite", "user", "status at"),
    "groups": Part("auth.User_groups", "user", "group__name"),
    "permissions": Part("auth.User_user_permissions", "user", "permission__codename"),
    "admin_log": Part("admin.LogEntry", "user", "action_time action_flag object_repr change_message"),
    "memberships": Part("league.Membership", "user", "club__name club__slug role joined_at"),
    "mail_settings": Part("league.MailChoice", "user", "club__name kind is_wanted language"),
    "answers_to_planned_events": Part(
        "league.Rsvp",
        "user",
        "planned_event__season__club__name planned_event__name planned_event__starts_at answer said_at",
    ),
    "live_nights_begun": Part("live.Night", "created_by", "club__name name starts_at stage"),
    "live_night_links": Part("live.Pass", "created_by", "night__club__name role expires_at"),
    "live_night_devices": Part("live.Device", "user", "night__club__name name joined_at last_seen_at"),
    "followed_players": Part("standings.Following", "user", "club__name players"),
    "mails_about_what_waits": Part("noticeboard.TrayMail", "user", "club__name sent_at"),
    "mails_of_results": Part("noticeboard.ResultMail", "user", "club__name made_at sent_at"),
    "uses_of_a_day": Part("league.UseOfDay", "user", "what day n"),
    "reports_of_clubs": Part("directory.Report", "user", "club__name reason text page made_at settled_at"),
    "claims": Part("league.Claim", "user", "player__club__name player__name asked_at"),
    "invitations_accepted": Part(
        "league.Acceptance", "user", "invitation__club__name invitation__role accepted_at"
    ),
    "invitations_made": Part(
        "league.Invitation", "made_by", "club__name role email made_at ends_at n_uses revoked_at"
    ),
    "webhooks_made": Part("webhooks.Hook", "made_by", "club__name name target made_at"),
    "notices": Part("league.Notice", "user", "change__club__name change__kind change__at"),
    "uploads": Part("league.ImportDraft", "user", "season__club__name season__name created_at applied_at"),
    "practice": Part(
        "lab.PracticeDecision",
        "user",
        "club__name round number made_at position stack hand is_call is_played is_right lost_chips lost_points",
    ),
    "changes_made": Part(
        "league.Change", "actor", "pool__club__name kind at event__name event__starts_at season__name reason"
    ),
    "changes_of_rights_made": Part("league.AccessChange", "actor", "club__name kind person at before after"),
    "changes_of_own_rights": Part("league.AccessChange", "person", "club__name kind at before after"),
    "deleted": Part("league.BinItem", "deleted_by", "club__name kind label deleted_at"),
    "imports": Part("league.Import", "actor", "club__name files at n_entries"),
    "imports_undone": Part("league.Import", "undone_by", "club__name files undone_at"),
    "players_merged": Part("league.PlayerMerge", "merged_by", "club__name name kept__name merged_at"),
    "rating_settings": Part(
        "ratings.RatingSettings", "changed_by", "pool__club__name pool__name revision params changed_at"
    ),
    "seasons_sealed": Part("standings.SeasonSeal", "sealed_by", "season__club__name season__name sealed_at"),
    "laboratory_runs": Part(
        "lab.LabRun", "created_by", "club__name scenario_settings n_seasons seed state created_at expires_at"
    ),
    "players": Part("league.Player", "user", "id club__name club__slug name real_name is_guest joined_at"),
    "other_names": Part("league.PlayerAlias", "player__user", "player__name name created_at"),
    "merged_into_you": Part("league.PlayerMerge", "kept__user", "club__name name merged_at"),
    "claimed_by_others": Part("league.Claim", "player__user", "player__name asked_at"),
    "invitations_as_player": Part(
        "league.Invitation", "player__user", "club__name player__name role made_at ends_at revoked_at"
    ),
    "entries": Part(
        "league.Entry",
        "player__user",
        "player__name event__season__club__name event__season__name event__name event__starts_at number place "
        "registered_at busted_at knockouts cost score balance chips penalty seat "
        "points__numerator points__denominator money__rebuys money__add_ons money__prize money__paid "
        "bonus__points bonus__reason",
    ),
    "totals_brought": Part(
        "payouts.BroughtTotals",
        "player__user",
        "player__name season__name numerator denominator n_events n_entries n_wins",
    ),
    "ratings_brought": Part(
        "ratings.BroughtRating",
        "player__user",
        "player__name pool__club__name pool__name day mu sigma n_entries",
    ),
    "ratings": Part(
        "ratings.PlayerRating",
        "player__user",
        "player__name pool__club__name pool__name mu sigma rate badge n_entries is_provisional last_at",
    ),
    "rated_entries": Part(
        "ratings.RatedEntry",
        "player__user",
        "player__name pool__name event__name starts_at number place field_size expected_place prior_mu prior_sigma "
        "posterior_mu posterior_sigma prior_rate posterior_rate badge",
    ),
    "r": Part(
        "ratings.ProfitRating",
        "player__user",
        "player__name pool__club__name pool__name r n_games badge is_provisional last_at",
    ),
    "rated_games": Part(
        "ratings.RatedGame",
        "player__user",
        "player__name pool__name event__name starts_at place balance r_before r_after badge",
    ),
    "standings": Part(
        "standings.Standing",
        "player__user",
        "player__name season__club__name season__name points profit n_events n_entries n_wins rate badge "
        "points_rank tier_rank profit_rank",
    ),
    "uploaded_archives": Part("standings.ArchiveDraft", "user", "uploaded_at"),
    "awards_given": Part("standings.Award", "player__user", "season__club__name season__name title"),
}


def own_data(user: User) -> dict[str, Any]:
    """Read everything the site holds about an account, in the order of PARTS."""
    parts = {name: _rows(part, user) for name, part in PARTS.items()}
    return {
        "format": FORMAT,
        "made_at": timezone.now(),
        **parts,
        "awards": awards_of(user),
    }


def _rows(part: Part, user: User) -> Sequence[dict[str, Any]] | dict[str, Any] | None:
    value: Any = {"person": user.username, "pk": user.pk}.get(part.link, user)
    rows = apps.get_model(part.model)._base_manager.filter(**{part.link: value})
    names = {name.replace("__", "_"): name for name in part.fields.split()}
    plain = [dict(zip(names, row, strict=True)) for row in rows.order_by("pk").values_list(*names.values())]
    return plain[0] if part.is_single else plain
