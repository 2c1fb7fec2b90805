"""What an archive of a club holds: models with the way from a row to its club; and what is left out, and why."""

from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Field, ForeignKey, Model, QuerySet

from league.models import (
    AccessChange,
    BinItem,
    Change,
    Club,
    ColumnMeaning,
    Entry,
    Event,
    Game,
    Import,
    ImportedEvent,
    Meet,
    PlannedEvent,
    Player,
    PlayerAlias,
    PlayerMerge,
    Pool,
    Season,
)
from live.models import Action, BlindStructure, ChipCase, Device, HeldAction, Hunt, Night
from payouts.models import (
    BroughtTotals,
    ClubMoney,
    EntryBonus,
    EntryMoney,
    EventMoney,
    EventRules,
    EventTerms,
    SeasonRules,
)
from ratings.models import BroughtRating, RatingSettings
from standings.models import Award, KeptKeys, SeasonSeal


class Part(NamedTuple):
    """The rows of one model that belong to a club; `path` leads from a row to the club."""

    model: type[Model]
    path: str

    @property
    def label(self) -> str:
        return str(self.model._meta.label_lower)

    @property
    def fields(self) -> list["Field[object, object]"]:
        return list(self.model._meta.concrete_fields)

    @property
    def columns(self) -> list[str]:
        return [field.attname for field in self.fields]

    def rows(self, club: Club) -> "QuerySet[Model]":
        return self.model._base_manager.filter(**{self.path: club.pk}).order_by("pk")


PARTS = (
    Part(Club, "pk"),
    Part(Pool, "club"),
    Part(Game, "club"),
    Part(ClubMoney, "club"),
    Part(ColumnMeaning, "club"),
    Part(Player, "club"),
    Part(PlayerAlias, "club"),
    Part(Season, "club"),
    Part(RatingSettings, "pool__club"),
    Part(BroughtRating, "pool__club"),
    Part(SeasonRules, "season__club"),
    Part(BroughtTotals, "season__club"),
    Part(Award, "season__club"),
    Part(SeasonSeal, "season__club"),
    Part(KeptKeys, "club"),
    Part(PlannedEvent, "season__club"),
    Part(Meet, "season__club"),
    Part(Event, "season__club"),
    Part(EventRules, "event__season__club"),
    Part(EventTerms, "event__season__club"),
    Part(EventMoney, "event__season__club"),
    Part(Entry, "event__season__club"),
    Part(EntryMoney, "entry__event__season__club"),
    Part(EntryBonus, "entry__event__season__club"),
    Part(BlindStructure, "club"),
    Part(ChipCase, "club"),
    Part(Night, "club"),
    Part(Device, "night__club"),
    Part(Action, "night__club"),
    Part(HeldAction, "night__club"),
    Part(Hunt, "night__club"),
    Part(BinItem, "club"),
    Part(PlayerMerge, "club"),
    Part(Import, "club"),
    Part(ImportedEvent, "record__club"),
    Part(Change, "pool__club"),
    Part(AccessChange, "club"),
)
PART_OF = {part.model: part for part in PARTS}

# Models whose rows belong to a club, too, and stay behind. Computed rows (`is_computed`) are computed again.
LEFT_OUT = {
    "league.membership": "accounts belong to a site; who imports the archive is the owner",
    "league.formeraddress": "an address of this site",
    "league.invitation": "a link to this site",
    "league.acceptance": "of an account",
    "league.claim": "of an account",
    "league.notice": "to an account",
    "league.mailchoice": "of an account",
    "league.rsvp": "of an account",
    "directory.listing": "of this site's directory",
    "directory.listingkey": "of this site's directory",
    "directory.report": "to the operator of this site",
    "webhooks.hook": "an address with its secret, told about this site's pages",
    "webhooks.seenpool": "of the webhooks of this site",
    "webhooks.message": "of the webhooks of this site",
    "webhooks.delivery": "of the webhooks of this site",
    "league.importdraft": "files that nobody has saved",
    "league.importfile": "files that nobody has saved",
    "standings.following": "of an account",
    "standings.archivedraft": "an uploaded file",
    "standings.recomputation": "the state of this site's computation",
    "noticeboard.announcement": "what this site has mailed",
    "noticeboard.resultmail": "to an account",
    "noticeboard.traymail": "to an account",
    "live.cast": "a screen that waits for a code of this site",
    "live.pass": "a link to this site",
    "lab.practicedecision": "of an account",
    "lab.labrun": "kept for half a year, and made again from its settings",
    "lab.labchunk": "a part of a run of the laboratory",
}


# Parts that archives of earlier versions do not have.
LATER = {
    "standings.keptkeys",
    "payouts.entrybonus",
    "live.hunt",
    "live.blindstructure",
    "live.chipcase",
    "live.night",
    "live.device",
    "live.action",
    "live.heldaction",
}

# Columns that stay empty in an archive: what lets a form or a device in, what a part that stays behind has, and what
# the operator of this site has said.
LEFT_EMPTY = {"form_token", "key_sha256", "joined_by_id", "claimed_id", "hidden_at"}


def is_of_account(field: object) -> bool:
    """Tell whether a column refers to an account, which an archive never does."""
    return isinstance(field, ForeignKey) and field.related_model is User
