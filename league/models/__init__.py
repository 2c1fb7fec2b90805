from league.models.access_change import AccessChange
from league.models.address import FormerAddress
from league.models.bin import BinItem
from league.models.change import BEGINNING, FORMER, Change, shown_account
from league.models.club import Club, EventWord, Membership, NightWord, OutWord, Pool, PoolKind, Role
from league.models.draft import Asked, ColumnMeaning, ImportDraft, ImportFile, Step
from league.models.entry import Entry
from league.models.event import Event
from league.models.game import EntryForm, Game, GameKind
from league.models.imported import Import, ImportedEvent
from league.models.invitation import Acceptance, Claim, Invitation, Notice
from league.models.mail import MailChoice, MailKind
from league.models.meet import Meet, MeetOrder
from league.models.merge import PlayerMerge
from league.models.planned_event import PlannedEvent, Rsvp
from league.models.player import Player, PlayerAlias
from league.models.season import Season
from league.models.site_rules import ListingRule, SignUp, SiteRules, Use, UseOfDay

__all__ = [
    "BEGINNING",
    "FORMER",
    "Acceptance",
    "AccessChange",
    "Asked",
    "BinItem",
    "Change",
    "Claim",
    "Club",
    "ColumnMeaning",
    "Entry",
    "EntryForm",
    "Event",
    "EventWord",
    "FormerAddress",
    "Game",
    "GameKind",
    "Import",
    "ImportDraft",
    "ImportFile",
    "ImportedEvent",
    "Invitation",
    "ListingRule",
    "MailChoice",
    "MailKind",
    "Meet",
    "MeetOrder",
    "Membership",
    "NightWord",
    "Notice",
    "OutWord",
    "PlannedEvent",
    "Player",
    "PlayerAlias",
    "PlayerMerge",
    "Pool",
    "PoolKind",
    "Role",
    "Rsvp",
    "Season",
    "SignUp",
    "SiteRules",
    "Step",
    "Use",
    "UseOfDay",
    "shown_account",
]
