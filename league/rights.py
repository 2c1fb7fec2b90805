"""What each role may do in a club: one table, which pages, API and tests read and which owners see."""

from enum import StrEnum

from django.utils.functional import Promise

from league.models import Role
from league.vocabulary import gettext_lazy as _


class Act(StrEnum):
    """Something a person does in a club."""

    READ = "read"
    USE_AS_MEMBER = "use_as_member"
    SAY_COMING = "say_coming"
    PLAN_EVENTS = "plan_events"
    ENTER_RESULTS = "enter_results"
    DELETE_RESULTS = "delete_results"
    CHANGE_RULES = "change_rules"
    TAKE_MONEY = "take_money"
    KEEP_MONEY = "keep_money"
    EDIT_PLAYERS = "edit_players"
    SIMULATE = "simulate"
    INVITE = "invite"
    CHOOSE_ORGANIZERS = "choose_organizers"
    CHANGE_CLUB = "change_club"
    KEEP_CLUB = "keep_club"
    SEAL = "seal"


# The lowest role that may do it; all higher ones may, too.
RIGHTS: dict[Act, Role] = {
    Act.READ: Role.PUBLIC,
    Act.USE_AS_MEMBER: Role.MEMBER,
    Act.SAY_COMING: Role.MEMBER,
    Act.PLAN_EVENTS: Role.HELPER,
    Act.ENTER_RESULTS: Role.HELPER,
    Act.DELETE_RESULTS: Role.ORGANIZER,
    Act.CHANGE_RULES: Role.ORGANIZER,
    Act.TAKE_MONEY: Role.HELPER,  # if the club says so; see payouts.views.door
    Act.KEEP_MONEY: Role.ORGANIZER,
    Act.EDIT_PLAYERS: Role.ORGANIZER,
    Act.SIMULATE: Role.ORGANIZER,
    Act.INVITE: Role.ORGANIZER,
    Act.CHOOSE_ORGANIZERS: Role.OWNER,
    Act.CHANGE_CLUB: Role.OWNER,
    Act.KEEP_CLUB: Role.OWNER,
    Act.SEAL: Role.OWNER,
}

# The table as owners see it: headings, and the acts below each.
GROUPS: tuple[tuple[Promise, tuple[tuple[Act, Promise], ...]], ...] = (
    (
        _("Everybody"),
        ((Act.READ, _("Read the pages of a public club")),),
    ),
    (
        _("Members"),
        (
            (
                Act.USE_AS_MEMBER,
                _(
                    "Claim a player, see who changed what, practise with the club’s points, read the laboratory"
                ),
            ),
            (Act.SAY_COMING, _("Say who comes to the next %(night_word)s, and see who does")),
        ),
    ),
    (
        _("Results"),
        (
            (Act.PLAN_EVENTS, _("Plan %(events_word)s: date, place and note")),
            (
                Act.ENTER_RESULTS,
                _("Enter, correct and import results, run %(nights_word)s live, take in guests"),
            ),
            (Act.TAKE_MONEY, _("Take money at the door, if the club lets helpers do it")),
            (Act.DELETE_RESULTS, _("Delete %(events_word)s, undo imports, bring back what is in the bin")),
        ),
    ),
    (
        _("Rules and players"),
        (
            (Act.CHANGE_RULES, _("Begin and close seasons, change points, awards and multipliers")),
            (Act.EDIT_PLAYERS, _("Add and rename players, approve claims")),
            (Act.KEEP_MONEY, _("See and keep the money of %(events_word)s")),
            (Act.SIMULATE, _("Run the season laboratory")),
        ),
    ),
    (
        _("The club"),
        (
            (Act.INVITE, _("Invite members and helpers")),
            (Act.CHOOSE_ORGANIZERS, _("Invite organizers, change roles, hand over the club")),
            (Act.CHANGE_CLUB, _("Change settings, games, rating pools and rating settings")),
            (Act.SEAL, _("Seal a season")),
            (Act.KEEP_CLUB, _("Download everything, close and delete the club")),
        ),
    ),
)


# What goes on in a closed club: it is read, people come and go, and its owners open it again.
IN_CLOSED_CLUB = {Act.READ, Act.USE_AS_MEMBER, Act.CHOOSE_ORGANIZERS, Act.KEEP_CLUB}


def may(role: Role, act: Act) -> bool:
    return role >= RIGHTS[act]


def acts_of(role: Role) -> list[Promise]:
    """List what a role may do, in words."""
    return [words for _heading, acts in GROUPS for act, words in acts if may(role, act)]


def invitable(role: Role) -> list[Role]:
    """List the roles that somebody in this role may give."""
    if may(role, Act.CHOOSE_ORGANIZERS):
        return [each for each in Role if each > Role.PUBLIC]
    if may(role, Act.INVITE):
        return [Role.MEMBER, Role.HELPER]
    return []
