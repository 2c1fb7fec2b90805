"""The command check_seal: says that the seal holds, or names what was changed behind the site's back."""

import json

import pytest
from django.core.management import CommandError, call_command

from league.models import Entry, Event, Season
from payouts.models import EntryPoints, EventRules, SeasonRules
from people.services.clubs import update_club
from standings.models import Award, SeasonSeal, Standing
from standings.recomputation.service import recompute
from standings.seals import document as sealed_document
from tests.standings.seals.seasons import check

pytestmark = pytest.mark.django_db


def test_check_seal_says_in_one_line_that_it_holds(sealed):
    said = check(sealed)
    seal = SeasonSeal.objects.get()
    assert said == f"{sealed.club.slug}/{sealed.slug}: the seal holds, SHA-256 {seal.sha256}\n"


def test_a_seal_holds_when_the_club_has_another_address(sealed, owner):
    settings = {"name": "x", "time_zone": "UTC", "is_public": True, "requires_two_factor": False}
    update_club(sealed.club, **settings, slug="hilltop", actor=owner)
    recompute(sealed.pool_id)
    assert "the seal holds" in check(Season.objects.select_related("club").get(pk=sealed.pk))


TAMPERING = {
    r"events\[2\]\.entries\[2\]\.place: 3 was sealed, 4 is there": lambda season: Entry.objects.filter(
        event=season.events.last(), player__name="Cleo"
    ).update(place=4),
    r"events\[0\]\.entries\[0\]\.points: 2 was sealed, 9/4 is there": lambda season: (
        EntryPoints.objects.filter(entry__event=season.events.first(), entry__player__name="Ada").update(
            numerator=9, denominator=4
        )
    ),
    r"events: 3 were sealed, 2 are there": lambda season: Event.objects.filter(
        pk=season.events.last().pk
    ).delete(),
    r"standings\[0\]\.n_entries: 3 was sealed, 99 is there": lambda season: Standing.objects.filter(
        points_position=1
    ).update(n_entries=99),
    r"rules\.attendance_points: 1 was sealed, 5 is there": lambda season: SeasonRules.objects.update(
        attendance_points=5
    ),
    r"events\[0\]\.rules\.structure\.name: vp_kid was sealed, inverse is there": lambda season: (
        EventRules.objects.filter(event=season.events.first()).update(
            structure={"name": "inverse", "ties": "better"}
        )
    ),
    r"season\.name: .* was sealed, Other is there": lambda season: Season.objects.filter(pk=season.pk).update(
        name="Other"
    ),
    r"awards: 8 were sealed, 7 are there": lambda season: Award.objects.filter(kind="chosen").delete(),
    r"the stored export does not have the stored checksum": lambda season: SeasonSeal.objects.update(
        text=SeasonSeal.objects.get().text.replace("Ada", "Eve")
    ),
    r"the season is not sealed": lambda season: Season.objects.filter(pk=season.pk).update(is_sealed=False),
}


@pytest.mark.parametrize("said", TAMPERING)
def test_check_seal_names_what_was_changed_behind_the_sites_back(sealed, said):
    TAMPERING[said](sealed)
    with pytest.raises(CommandError, match=said) as caught:
        check(sealed)
    assert caught.value.returncode == 1
    assert "\n" not in str(caught.value)


def test_check_seal_of_what_there_is_not_says_so(season):
    with pytest.raises(CommandError, match="the season is not sealed"):
        check(season)
    with pytest.raises(CommandError, match="has no season nothing"):
        call_command("check_seal", "--club", season.club.slug, "--season", "nothing")


def test_a_rule_that_a_later_version_adds_does_not_break_an_old_seal(sealed):
    """As if some of today's fields were new since."""
    document = json.loads(SeasonSeal.objects.get().text)
    for name in ("min_events", "best_n"):
        del document["rules"][name]
    for event in document["events"]:
        del event["table_size"]
    text = sealed_document.canonical_text(document)
    SeasonSeal.objects.update(text=text, sha256=sealed_document.checksum(text))
    assert "the seal holds" in check(sealed)
