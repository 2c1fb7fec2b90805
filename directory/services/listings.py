"""Lists clubs in the directory: the owner asks, the rule of the operator decides, and a task counts what is shown."""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max, Sum
from django.utils.translation import gettext as _

from directory.models import MOST_OF_KEY, MOST_OF_PLACE_KEY, Listing, ListingKey, State
from league.models import BEGINNING, AccessChange, Club, Event, ListingRule, Player, Pool, SiteRules
from league.services.errors import Refused
from people.services.access_changes import record_access_change
from people.services.members import lock_club
from people.services.notices import notify_owners
from reading.names.keys import name_key

COUNTED_AT_ONCE = 200
Kind = AccessChange.Kind


@transaction.atomic
def ask_for_listing(club: Club, *, place: str, actor: User) -> Listing:
    """Ask for a line in the directory, or change its place. Idempotent.

    A listed club whose place or name changes waits for the operator again, where the operator looks at clubs.
    """
    club, rule = lock_club(club), SiteRules.current().listing
    if not club.is_public:
        raise Refused(_("Only public clubs are listed: make the club public first."))
    if rule == ListingRule.NOBODY and not actor.is_superuser:
        raise Refused(_("This site has no directory of clubs."))
    listing = Listing.objects.filter(club=club).first() or Listing(club=club)
    is_free = rule == ListingRule.ANYBODY or actor.is_superuser
    is_same = (listing.place, listing.name) == (place, club.name)
    if (
        listing.pk
        and is_same
        and (listing.state == State.LISTED or (listing.state == State.ASKED and not is_free))
    ):
        return listing
    listing.name, listing.place = club.name, place
    listing.place_key = name_key(place)[:MOST_OF_PLACE_KEY]
    listing.state, listing.answer = State.LISTED if is_free else State.ASKED, ""
    listing.save()
    count_listing(listing)
    _record(club, Kind.CLUB_LISTED if is_free else Kind.LISTING_ASKED, actor)
    return listing


@transaction.atomic
def withdraw_listing(club: Club, *, actor: User) -> None:
    """Take a club out of the directory. Idempotent."""
    if Listing.objects.filter(club=lock_club(club)).delete()[0]:
        _record(club, Kind.CLUB_UNLISTED, actor)


@transaction.atomic
def answer_listing(listing: Listing, *, is_taken_in: bool, answer: str = "", actor: User) -> None:
    """Take a club into the directory or refuse it, and tell its owners. Idempotent."""
    lock_club(listing.club)
    found = Listing.objects.select_related("club").filter(pk=listing.pk).first()
    if found is None:  # its owner was faster
        return
    listing = found
    state = State.LISTED if is_taken_in else State.REFUSED
    if (listing.state, listing.answer) == (state, answer):
        return
    listing.state, listing.answer, listing.name = state, answer, listing.club.name
    listing.save(update_fields=["state", "answer", "name"])
    count_listing(listing)
    kind = Kind.CLUB_LISTED if is_taken_in else Kind.CLUB_UNLISTED
    notify_owners(_record(listing.club, kind, actor), but=actor)


def count_stale_listings() -> int:
    """Count again what is shown of clubs whose results or names have changed; return of how many."""
    versions = Listing.objects.annotate(version=Sum("club__pools__data_version", default=0))
    stale = list(versions.exclude(counted_version=F("version")).select_related("club")[:COUNTED_AT_ONCE])
    for listing in stale:
        with transaction.atomic():
            count_listing(listing)
    return len(stale)


def count_listing(listing: Listing) -> None:
    """Count members and events of a club for its line, and write the keys of its name; in the caller's transaction."""
    club = listing.club
    version = Pool.objects.filter(club=club).aggregate(n=Sum("data_version", default=0))["n"]
    last = Event.objects.filter(season__club=club).aggregate(at=Max("starts_at"))["at"]
    n_members = Player.objects.filter(club=club, is_guest=False).count()
    if listing.name != club.name and listing.state == State.LISTED:
        is_looked_at = SiteRules.current().listing == ListingRule.APPROVED
        listing.name, listing.state = club.name, State.ASKED if is_looked_at else State.LISTED
        listing.save(update_fields=["name", "state"])
    counts = {"counted_version": version, "last_event_at": last or BEGINNING, "n_members": n_members}
    Listing.objects.filter(pk=listing.pk).update(**counts)
    ListingKey.objects.filter(listing=listing).delete()
    name = name_key(club.name)
    ListingKey.objects.bulk_create(
        ListingKey(listing=listing, key=name[start:][:MOST_OF_KEY])
        for start in range(len(name))
        if name[start] != " "
    )


def _record(club: Club, kind: AccessChange.Kind, actor: User) -> AccessChange:
    return record_access_change(club, kind=kind, actor=actor)
