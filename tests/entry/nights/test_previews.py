"""What a correction of a night would change is shown, saved with a reason, and is what happens."""

import random
import uuid
from functools import partial

import pytest
from django.urls import reverse

from entry.services.nights import correct_night, delete_night, enter_night
from league.models import Change
from ratings.models import ProfitRating
from standings.awards.services import add_award
from standings.recomputation.previews import preview
from standings.recomputation.service import recompute
from tests.entry.nights.pages import edit_address, fields_of
from tests.entry.nights.tables import NAMES, SCORES, night_of, table
from tests.factories import enter
from tests.standings.all_rows import all_rows
from tests.standings.recomputation.test_previews import agrees, shown_now

pytestmark = pytest.mark.django_db
OTHERS = ("Eve", "Fumi", "Gus", "Hana")


@pytest.fixture
def meet(season, game, people):
    enter(season, "Ada\nBoris\nEve", name="Poker")
    tables = [table(1), table(2, names=OTHERS)]
    made = enter_night(night_of(season, game), tables, actor=people["organizer"], form_token=uuid.uuid4())
    add_award(season, kind="best_profit", title="", min_events=1, player=None, actor=people["owner"])
    compute(season)
    return made


def compute(season):
    for pool in season.club.pools.all():
        recompute(pool.pk)


def url(meet):
    return reverse("standings:night-correction", args=[meet.season.club.slug, meet.season.slug, meet.pk])


@pytest.fixture
def swapped(meet, organizer_client):
    """The sheet with the scores of Eve and Fumi swapped."""
    fields = fields_of(organizer_client.get(edit_address(meet)))
    return fields | {"1-2-1-score": "223", "1-2-2-score": "422"}


def test_what_would_change_is_shown_and_nothing_saved(meet, swapped, organizer_client):
    assert f'formaction="{url(meet)}"' in organizer_client.get(edit_address(meet)).content.decode()
    before = all_rows()
    page = organizer_client.post(url(meet), swapped | {"save": ""})
    assert all_rows() == before
    assert [mover.name for mover in page.context["movers"]][:2] == ["Eve", "Fumi"]
    assert "Fumi and Eve swapped" in page.content.decode()
    kept = organizer_client.post(url(meet), fields_of_preview(page) | {"back-to-form": ""})
    assert fields_of(kept)["1-2-1-score"] == "223"


def fields_of_preview(page):
    return dict(page.context["typed"])


def test_saving_takes_a_reason_and_works_once(meet, swapped, organizer_client):
    page = organizer_client.post(url(meet), swapped | {"save": "", "reason": " "})
    assert "Reason: say in a few words why." in page.content.decode()
    saved = fields_of_preview(page) | {"save": "", "reason": "Wrong seats"}
    for _press in range(2):
        assert organizer_client.post(url(meet), saved).status_code in {200, 302}
    corrections = Change.objects.filter(kind="result-corrected")
    assert [change.reason for change in corrections] == ["Wrong seats"]


def test_several_tables_are_named_each(meet, swapped, organizer_client):
    fields = swapped | {"1-1-1-score": "223", "1-1-2-score": "422", "name": "Wednesday", "save": ""}
    page = organizer_client.post(url(meet), fields)
    lines = [(line.subject, line.change.get_kind_display()) for line in page.context["lines"]]
    assert lines[:2] == [("Wednesday 1-1", "result corrected"), ("Wednesday 1-2", "result corrected")]
    assert "Wednesday 1-1: Boris and Ada swapped" in page.context["brief"].replace("another name, ", "")


def test_a_mistake_is_answered_by_the_sheet_and_a_deleted_night_too(meet, swapped, organizer_client, people):
    answer = organizer_client.post(url(meet), swapped | {"1-2-1-score": "1", "save": ""})
    assert fields_of(answer)["1-2-1-score"] == "1"
    delete_night(meet, read=dict(meet.events.values_list("pk", "version")), actor=people["owner"])
    answer = organizer_client.post(url(meet), swapped | {"save": ""})
    assert "This night was deleted while you had it open." in answer.content.decode()


def test_members_see_no_preview(meet, swapped, refused_to):
    refused_to(url(meet), swapped | {"save": ""}, below="helper", is_page=False)


@pytest.mark.rest
def test_the_preview_of_random_corrections_is_what_happens(season, game, meet, people):
    rng = random.Random(1)
    for _turn in range(8):
        events = list(meet.events.order_by("table"))
        people_now = rng.sample(NAMES + OTHERS, 8)
        tables = [
            table(
                event.table,
                names=names,
                scores=rng.sample(SCORES, 4),
                event_id=event.pk,
                version=event.version,
            )
            for event, names in zip(events, (people_now[:4], people_now[4:]), strict=True)
        ]
        write = partial(correct_night, meet, night_of(season, game), tables, gone={}, actor=people["owner"])
        rows, before = all_rows(), shown_now(season, ProfitRating, "r")
        found = preview(season, write)
        assert all_rows() == rows
        write()
        compute(season)
        agrees(found, before, shown_now(season, ProfitRating, "r"))
