"""Say who may do what, address by address and act by act: the one table that tests expect.

It is written by hand and never asks the code. A new page takes one line here: its name in the URL configuration and what
doing it is an act of. The tests of access, of writes, of hidden names, of translations and of one moment read it.
"""

from typing import NamedTuple

# From the least to the most: those without an account or a role in the club come first.
ROLES = ("everybody", "member", "helper", "organizer", "owner")
# People who ask, and their role in the club. A stranger has an account; a foreigner is an organizer of another club.
WHO = {
    "anonymous": "everybody",
    "stranger": "everybody",
    "foreign": "everybody",
    "member": "member",
    "helper": "helper",
    "organizer": "organizer",
    "owner": "owner",
    "superuser": "owner",
}
NOBODY = ""


class Act(NamedTuple):
    """Name the least role that may do it in a club as it usually is, and in one of a certain state."""

    usual: str
    closed: str = NOBODY
    no_second_factor: str = NOBODY  # the club requires one, and the person has none
    deleted: str = NOBODY

    def least_role(self, state: str) -> str:
        others = {"closed": self.closed, "two-factor": self.no_second_factor, "deleted": self.deleted}
        return others.get(state, self.usual)


ACTS = {
    "read": Act("everybody", closed="everybody", no_second_factor="everybody"),
    "use_as_member": Act("member", closed="member", no_second_factor="member"),
    "say_coming": Act("member", no_second_factor="member"),
    "plan_events": Act("helper"),
    "enter_results": Act("helper"),
    "delete_results": Act("organizer"),
    "change_rules": Act("organizer"),
    "take_money": Act("helper"),  # where the club lets helpers do it, as those of these tests do
    "keep_money": Act("organizer"),
    "edit_players": Act("organizer"),
    "simulate": Act("organizer"),
    "invite": Act("organizer"),
    "choose_organizers": Act("owner", closed="owner"),
    "change_club": Act("owner"),
    "keep_club": Act("owner", closed="owner", deleted="owner"),
    "seal": Act("owner"),
}
# A private club differs in one thing: to those without a role in it, it is not there. In a sealed season, everybody reaches
# the same pages, and nothing changes any more but the seal.
STATES = ("open", "private", "closed", "two-factor", "deleted", "sealed")


def may(who: str, act: str, state: str) -> bool:
    """Tell whether somebody may do an act in a club of a certain state."""
    least = ACTS[act].least_role(state)
    is_outside = WHO[who] == "everybody" and state == "private"
    return least != NOBODY and not is_outside and ROLES.index(WHO[who]) >= ROLES.index(least)


class Page(NamedTuple):
    """Describe what an address of a club is an act of, and which requests it takes."""

    act: str
    takes_get: bool = True
    takes_post: bool = False


def reads(act: str) -> Page:
    """Describe a page to read."""
    return Page(act)


def form(act: str) -> Page:
    """Describe a page that is read and sent."""
    return Page(act, takes_post=True)


def post(act: str) -> Page:
    """Describe an address that takes posts alone."""
    return Page(act, takes_get=False, takes_post=True)


PAGES = {
    # forecasts
    "forecasts:fit": post("change_rules"),
    "forecasts:opponents": reads("read"),
    "forecasts:quality": reads("read"),
    "forecasts:title": reads("read"),
    "forecasts:skill": reads("read"),
    # lab
    "lab:club-practice": form("use_as_member"),
    "lab:in-club-decide": reads("read"),
    "lab:in-club-duels": reads("read"),
    "lab:in-club-index": reads("read"),
    "lab:in-club-play": form("read"),
    "lab:in-club-play-game": form("read"),
    "lab:in-club-practice": form("read"),
    "lab:in-club-vpip": reads("read"),
    "lab:in-club-vpip-file": reads("read"),
    "lab:run": reads("use_as_member"),
    "lab:run-cancel": post("simulate"),
    "lab:run-create": form("simulate"),
    "lab:run-file": reads("use_as_member"),
    "lab:run-progress": reads("use_as_member"),
    "lab:runs": reads("use_as_member"),
    # webhooks
    "webhooks:hooks": reads("change_club"),
    "webhooks:hook": reads("change_club"),
    "webhooks:hook-create": form("change_club"),
    "webhooks:hook-edit": form("change_club"),
    "webhooks:hook-switch": post("change_club"),
    "webhooks:hook-delete": post("change_club"),
    "webhooks:delivery-decide": post("change_club"),
    # league
    "league:alias-remove": post("edit_players"),
    "people:claim-answer": post("edit_players"),
    "people:club-edit": form("change_club"),
    "directory:listing": form("change_club"),
    "directory:listing-withdraw": post("change_club"),
    "directory:report": form("read"),
    "entry:enter": reads("enter_results"),
    "entry:event-create": form("enter_results"),
    "entry:event-delete": form("delete_results"),
    "entry:event-edit": form("enter_results"),
    "league:game-create": form("change_club"),
    "league:game-edit": form("change_club"),
    "entry:game-rules": form("change_club"),
    "league:guests": post("edit_players"),
    "people:hand-over": form("choose_organizers"),
    "entry:import-preview": form("enter_results"),
    "entry:import-saved": form("enter_results"),
    "entry:import-undo": post("delete_results"),
    "entry:import-upload": form("enter_results"),
    "entry:imports": form("enter_results"),
    "people:invitation": form("invite"),
    "people:invitation-make": post("invite"),
    "people:invitation-revoke": post("invite"),
    "people:leave": form("use_as_member"),
    "entry:meet-create": form("enter_results"),
    "entry:meet-dissolve": post("enter_results"),
    "entry:meet-edit": form("enter_results"),
    "people:member-add": post("choose_organizers"),
    "people:member-remove": form("choose_organizers"),
    "people:member-restore": post("choose_organizers"),
    "people:member-role": post("choose_organizers"),
    "entry:night-create": form("enter_results"),
    "entry:night-delete": form("delete_results"),
    "entry:night-edit": form("enter_results"),
    "people:people": form("use_as_member"),
    "people:player-claim": post("use_as_member"),
    "league:player-create": form("edit_players"),
    "league:player-delete": form("edit_players"),
    "league:player-edit": form("edit_players"),
    "people:player-forget": form("edit_players"),
    "people:player-hide": post("edit_players"),
    "people:player-unclaim": post("use_as_member"),
    "league:pool-create": form("change_club"),
    "league:pool-edit": form("change_club"),
    "league:pools": reads("change_club"),
    "league:roster": form("edit_players"),
    "league:roster-undo": post("edit_players"),
    "league:season-close": form("change_rules"),
    "league:season-delete": form("change_rules"),
    "league:season-pool": post("change_club"),
    "league:version-restore": post("enter_results"),
    # live
    "live:blinds": form("enter_results"),
    "live:call-off": post("enter_results"),
    "live:club-blinds": form("enter_results"),
    "live:deal": form("enter_results"),
    "live:end-devices": post("enter_results"),
    "live:finish": form("enter_results"),
    "live:held": form("enter_results"),
    "live:helpers": reads("enter_results"),
    "live:new-link": post("enter_results"),
    "live:open": form("enter_results"),
    "live:reopen": post("enter_results"),
    "live:rest": post("enter_results"),
    "live:settle": post("enter_results"),
    "live:setup": form("enter_results"),
    "live:show-here": post("enter_results"),
    "live:slips": reads("enter_results"),
    "live:start": form("enter_results"),
    "live:undo": post("enter_results"),
    # noticeboard
    "noticeboard:calendar": reads("read"),
    "noticeboard:come": post("say_coming"),
    "noticeboard:corrections-atom": reads("read"),
    "noticeboard:embed": reads("read"),
    "noticeboard:events-atom": reads("read"),
    "noticeboard:follow": reads("read"),
    "noticeboard:follow-key": post("use_as_member"),
    "noticeboard:follow-mails": post("use_as_member"),
    "noticeboard:plan-cancel": post("plan_events"),
    "noticeboard:plan-create": form("plan_events"),
    "noticeboard:plan-edit": form("plan_events"),
    "noticeboard:planned-file": reads("read"),
    "noticeboard:run": reads("enter_results"),
    "noticeboard:schedule": reads("read"),
    "noticeboard:try-again": post("enter_results"),
    # payouts
    "payouts:brought-edit": form("change_rules"),
    "payouts:balances": reads("keep_money"),
    "payouts:club-money": form("change_club"),
    "payouts:money-door": form("take_money"),
    "payouts:money-edit": form("keep_money"),
    "payouts:my-money": reads("use_as_member"),
    "payouts:player-money": reads("keep_money"),
    "payouts:season-create": form("change_rules"),
    "payouts:season-edit": form("change_rules"),
    "payouts:seat-file": reads("read"),
    "payouts:seat-table": reads("read"),
    "payouts:terms-edit": form("change_rules"),
    # ratings
    "ratings:brought": form("change_rules"),
    "ratings:brought-take-back": post("change_rules"),
    "ratings:calibrate": form("change_rules"),
    "ratings:calibrate-take-back": post("change_rules"),
    "ratings:settings": reads("read"),
    "ratings:settings 2": reads("read"),
    "ratings:settings-edit": form("change_club"),
    "ratings:settings-edit 2": form("change_club"),
    # sharing
    "sharing:receipt": reads("read"),
    "sharing:receipt-picture": reads("read"),
    "sharing:badge": reads("read"),
    "sharing:badge-picture": reads("read"),
    "sharing:certificate": reads("read"),
    "sharing:event-picture": reads("read"),
    "sharing:event-share": reads("read"),
    "sharing:player-picture": reads("read"),
    "sharing:result-text": reads("read"),
    "sharing:season-picture": reads("read"),
    # standings
    "standings:award-change": form("change_rules"),
    "standings:award-edit": form("change_rules"),
    "standings:award-move": post("change_rules"),
    "standings:award-remove": post("change_rules"),
    "standings:awards": reads("read"),
    "standings:awards-file": reads("read"),
    "standings:awards-workbook": reads("read"),
    "standings:bin": reads("delete_results"),
    "standings:bin-restore": post("delete_results"),
    "standings:breakdown": reads("read"),
    "standings:champions": reads("read"),
    "standings:changes": reads("read"),
    "standings:changes-file": reads("read"),
    "standings:club": reads("read"),
    "standings:club-archive": reads("keep_club"),
    "standings:club-close": post("keep_club"),
    "standings:club-data": reads("keep_club"),
    "standings:club-delete": form("keep_club"),
    "standings:club-restore": post("keep_club"),
    "standings:compare": reads("read"),
    "standings:correction": post("enter_results"),
    "standings:corrections": reads("read"),
    "standings:deal": reads("read"),
    "standings:event": reads("read"),
    "standings:events": reads("read"),
    "standings:explanation": reads("read"),
    "standings:badges": reads("read"),
    "standings:how-it-works": reads("read"),
    "standings:leaderboard": reads("read"),
    "standings:me": reads("read"),
    "standings:me-marks": reads("read"),
    "standings:me-row": reads("read"),
    "standings:meet": reads("read"),
    "standings:merge": form("edit_players"),
    "standings:night-correction": post("enter_results"),
    "standings:player": reads("read"),
    "standings:players": reads("read"),
    "standings:remember": post("read"),
    "standings:results-file": form("enter_results"),
    "standings:rule-change": post("change_rules"),
    "standings:seal": reads("read"),
    "standings:seal-edit": form("seal"),
    "standings:seal-file": reads("read"),
    "standings:search": reads("read"),
    "standings:season-table": reads("read"),
    "standings:standings-file": reads("read"),
    "standings:standings-json": reads("read"),
    "standings:standings-workbook": reads("read"),
    "standings:state": reads("read"),
    "standings:unmerge": form("edit_players"),
    "standings:what-if": reads("read"),
    "standings:what-if-ratings": reads("read"),
}
# Addresses of the API that belong to a club: what reading and what writing is an act of.
API = {
    "api:alias": ("edit_players", "edit_players"),
    "api:aliases": ("edit_players", "edit_players"),
    "api:answer": ("say_coming", "say_coming"),
    "api:awards": ("read", "change_rules"),
    "api:bin": ("delete_results", "change_rules"),
    "api:bin-restore": ("delete_results", "delete_results"),
    "api:calibration": ("change_rules", "change_rules"),
    "api:changes": ("read", "change_rules"),
    "api:claim": ("edit_players", "edit_players"),
    "api:claims": ("edit_players", "edit_players"),
    "api:club": ("read", "change_rules"),
    "api:club-events": ("read", "change_rules"),
    "api:entry": ("enter_results", "enter_results"),
    "api:event": ("read", "enter_results"),
    "api:events": ("read", "enter_results"),
    "api:events-many": ("enter_results", "enter_results"),
    "api:corrections": ("read", "change_rules"),
    "api:deliveries": ("change_club", "change_club"),
    "api:delivery": ("change_club", "change_club"),
    "api:explanation": ("read", "change_rules"),
    "api:history": ("read", "change_rules"),
    "api:imports": ("enter_results", "enter_results"),
    "api:invitation": ("invite", "invite"),
    "api:invitations": ("invite", "invite"),
    "api:live-night": ("enter_results", "enter_results"),
    "api:live-nights": ("enter_results", "enter_results"),
    "api:member": ("choose_organizers", "choose_organizers"),
    "api:members": ("invite", "choose_organizers"),
    "api:money": ("keep_money", "keep_money"),
    "api:nights": ("read", "enter_results"),
    "api:odds": ("read", "change_rules"),
    "api:opponents": ("read", "change_rules"),
    "api:planned-event": ("read", "plan_events"),
    "api:planned-events": ("read", "plan_events"),
    "api:player": ("read", "edit_players"),
    "api:player-claim": ("use_as_member", "use_as_member"),
    "api:player-ratings": ("read", "change_rules"),
    "api:players": ("read", "edit_players"),
    "api:pool": ("read", "change_rules"),
    "api:pools": ("read", "change_rules"),
    "api:preview": ("enter_results", "enter_results"),
    "api:rules": ("read", "change_rules"),
    "api:run": ("use_as_member", "simulate"),
    "api:runs": ("use_as_member", "simulate"),
    "api:scores": ("enter_results", "enter_results"),
    "api:season": ("read", "change_rules"),
    "api:season-table": ("read", "change_rules"),
    "api:seasons": ("read", "change_rules"),
    "api:standings": ("read", "change_rules"),
    "api:terms": ("read", "change_rules"),
    "api:version-restore": ("enter_results", "enter_results"),
    "api:webhook": ("change_club", "change_club"),
    "api:webhooks": ("change_club", "change_club"),
}
# What deleting is an act of, where that is another one than writing.
API_DELETING = {"api:event": "delete_results"}
# Addresses that belong to no club. They are open to everybody,
FOR_EVERYBODY = {
    "api:clubs", "api:decide", "api:nowhere", "api:points", "api:reference", "api:schema", "api:seats", "api:start", "api:vpip",
    "lab:decide", "lab:duels", "lab:index", "lab:play", "lab:play-game", "lab:practice", "lab:vpip", "lab:vpip-file",
    "live:cast", "live:desk", "live:follow", "live:join-page", "live:screen", "live:worker",
    "directory:clubs", "directory:home", "league:health", "league:language", "league:security-contact", "league:theme",
    "processes:ready",
    "privacy:privacy", "privacy:terms",
    "standings:about",
}  # fmt: skip
# to whoever has the link,
FOR_WHOEVER_HAS_THE_LINK = {
    "people:join", "people:mail-stop",
    "noticeboard:keyed-calendar", "noticeboard:keyed-corrections-atom", "noticeboard:keyed-events-atom",
}  # fmt: skip
# to any account,
FOR_ACCOUNTS = {
    "api:keys", "people:club-create", "people:mails", "privacy:account-delete", "privacy:own-data", "standings:club-import",
}  # fmt: skip
FOR_ACCOUNTS_POST = {"api:key-revoke", "people:notices-seen"}
# to an account that gives its password once more,
FOR_ACCOUNTS_WITH_PASSWORD = {"privacy:own-data-file"}
# to devices of a night, which have a key, and to accounts that may run it (tests/live/test_protocol.py),
FOR_DEVICES = {
    *(
        "live:cast-state",
        "live:draw-file",
        "live:face",
        "live:join",
        "live:log",
        "live:organizer",
        "live:room",
    ),
    "live:roster",
}
# to the operator of the site, who is a superuser,
FOR_OPERATORS = {"directory:operator", "directory:operator-rules"}
FOR_OPERATORS_POST = {
    "directory:club-hide", "directory:club-show", "directory:listing-answer", "directory:reports-reopen",
    "directory:reports-settle",
}  # fmt: skip
# to whoever has the operator's token (tests/processes/test_metrics.py),
FOR_WHO_HAS_THE_TOKEN = {"processes:metrics"}
# or to the account that has uploaded what they are about.
FOR_WHO_UPLOADED = {"api:upload", "standings:club-import-confirm"}
