"""Nothing of a sealed season changes: every write is refused, by the services and on the pages."""

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse

from entry.services.imports import import_events
from entry.services.meets import change_meet, dissolve_meet, form_meet
from league.models import Change, Player
from league.services.changes import lock_pool, record_change
from league.services.errors import Refused
from league.services.events import correct_result, delete_event, enter_result
from league.services.seasons import reopen_season, update_season
from payouts.services.rules import set_rules
from reading.event_files.reader import read_event_file
from reading.results import EntryInput, EventDetails
from standings.awards.services import add_award, change_award, move_award, remove_award
from standings.models import Award
from standings.recomputation.service import recompute
from tests.factories import RULES, RULES_TYPED
from tests.standings.seals.seasons import check, everything

pytestmark = pytest.mark.django_db
RESULT = [EntryInput("Ada", 1), EntryInput("Zoe", 2)]
DETAILS = EventDetails(datetime(2026, 1, 6, 19, 30, tzinfo=UTC))


def file_of(text):
    return read_event_file(text, tz=UTC).events


WRITES = {
    "enter a result": lambda season, event, owner: enter_result(season, DETAILS, RESULT, actor=owner),
    "correct a result": lambda season, event, owner: correct_result(
        event, DETAILS, RESULT, version=event.version, actor=owner
    ),
    "delete an event": lambda season, event, owner: delete_event(event, version=event.version, actor=owner),
    "import": lambda season, event, owner: import_events(
        season, file_of("event,date,player,place\nn,2026-01-10,Ada,1\nn,2026-01-10,Zoe,2"), actor=owner
    ),
    "change the season": lambda season, event, owner: update_season(
        season, name="Other", starts_on=date(2026, 1, 1), ends_on=None, actor=owner
    ),
    "reopen the season": lambda season, event, owner: reopen_season(season, actor=owner),
    "change its rules": lambda season, event, owner: set_rules(
        season, rules=RULES | {"structure": {"name": "inverse"}}, settle_again=True, actor=owner
    ),
    "make a meet": lambda season, event, owner: form_meet(
        season, name="Meet", event_ids=list(season.events.values_list("pk", flat=True)), actor=owner
    ),
    "change a meet": lambda season, event, owner: change_meet(
        season.meets.get(), name="Other", event_ids=[event.pk, event.pk + 1], actor=owner
    ),
    "dissolve a meet": lambda season, event, owner: dissolve_meet(season, season.meets.get().pk, actor=owner),
    "add an award": lambda season, event, owner: add_award(
        season, kind="most_wins", title="More", min_events=1, player=None, actor=owner
    ),
    "change an award": lambda season, event, owner: change_award(
        season,
        Award.objects.first().pk,
        kind="most_wins",
        title="Other",
        min_events=1,
        player=None,
        version=1,
        actor=owner,
    ),
    "remove an award": lambda season, event, owner: remove_award(
        season, Award.objects.first().pk, actor=owner
    ),
    "move an award": lambda season, event, owner: move_award(
        season, Award.objects.first().pk, is_up=False, actor=owner
    ),
}


@pytest.mark.rest
@pytest.mark.parametrize("what", WRITES)
def test_every_write_is_refused_and_nothing_has_changed(sealed, owner, what):
    before, n_changes, n_players = everything(sealed), Change.objects.count(), Player.objects.count()
    with pytest.raises(Refused, match="is sealed: its results, rules and awards stay as they are"):
        WRITES[what](sealed, sealed.events.first(), owner)
    recompute(sealed.pool_id)
    sealed.refresh_from_db()
    assert (everything(sealed), sealed.is_sealed) == (before, True)
    assert (Change.objects.count(), Player.objects.count()) == (n_changes, n_players)
    assert "the seal holds" in check(sealed)


def test_a_write_that_forgets_to_ask_is_refused_when_it_is_recorded(sealed, owner):
    for where in ({"season": sealed}, {"event": sealed.events.first()}):
        with pytest.raises(Refused, match="is sealed"):
            record_change(lock_pool(sealed.pool_id), kind=Change.Kind.RULES_CHANGED, actor=owner, **where)


@pytest.mark.parametrize(
    ("page", "data"),
    [
        ("league:season-close", {"closed": "0"}),
        ("payouts:season-edit", RULES_TYPED | {"name": "Other", "starts_on": "2026-01-01", "ends_on": ""}),
        ("standings:award-edit", {"kind": "most_wins", "title": "More"}),
        ("entry:event-create", {"day": "2026-01-10", "start": "19:30", "order": "Ada\nBoris", "save": "1"}),
    ],
)
def test_the_pages_say_so(sealed, organizer_client, page, data):
    address = reverse(page, args=[sealed.club.slug, sealed.slug])
    answer = organizer_client.post(address, data, follow=True)
    assert f"The season {sealed.name} is sealed" in answer.content.decode()


@pytest.mark.parametrize(
    ("page", "data"),
    [
        ("award-change", {"kind": "most_wins", "title": "Other", "version": "1"}),
        ("award-move", {"to": "down"}),
        ("award-remove", {}),
    ],
)
def test_the_list_of_awards_says_so(sealed, organizer_client, page, data):
    award = Award.objects.first()
    address = reverse(f"standings:{page}", args=[sealed.club.slug, sealed.slug, award.pk])
    answer = organizer_client.post(address, data, follow=True)
    assert "is sealed" in answer.content.decode()
