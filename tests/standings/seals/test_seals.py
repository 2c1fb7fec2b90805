"""Sealed seasons: nothing of them changes any more, and a checksum of all of it proves that."""

import hashlib
import io
import json
from datetime import UTC, date, datetime
from fractions import Fraction

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.urls import reverse

from league.event_files.reader import read_event_file
from league.models import Change, Entry, Event, Meet, Player, Season
from league.results import EntryInput, EventDetails
from league.services.changes import lock_pool, record_change
from league.services.errors import Refused
from league.services.events import correct_result, delete_event, enter_result
from league.services.imports import import_events
from league.services.meets import change_meet, dissolve_meet, form_meet
from league.services.players import update_player
from league.services.seasons import set_season_closed, update_season
from payouts.models import EntryPoints, EventRules, SeasonRules
from payouts.services.rules import set_rules
from ratings.models import RatedEntry, RatingSettings
from standings.awards.services import add_award, change_award, move_award, remove_award
from standings.models import Award, AwardKind, SeasonSeal, SeasonSummary, Standing
from standings.recomputation import work as recomputing
from standings.recomputation.service import recompute
from standings.seals import document as sealed_document
from standings.seals.services import seal_season, unseal_season
from tests.factories import RULES, RULES_TYPED, SeasonFactory, enter

pytestmark = pytest.mark.django_db
COMPUTED = [kind for kind in AwardKind.values if kind != "chosen"]


def url(season, page="seal"):
    return reverse(f"standings:{page}", args=[season.club.slug, season.slug])


def rows(model, season):
    key = {Standing: "season", SeasonSummary: "season", Award: "season"}.get(model, "entry__event__season")
    if model is EventRules:
        key = "event__season"
    if model is SeasonRules:
        key = "season"
    return sorted(map(repr, model.objects.filter(**{key: season}).values_list()))


def everything(season):
    """Every stored cell of a season, bit by bit."""
    models = (Standing, SeasonSummary, Award, EntryPoints, EventRules, SeasonRules)
    return {model.__name__: rows(model, season) for model in models}


@pytest.fixture
def owner(people):
    return people["owner"]


@pytest.fixture
def played(season, enter_evening):
    """Three evenings with a tie, re-entries and times, all kinds of awards."""
    enter_evening("Ada = Boris\nCleo x2 @21:40\nDana @21:10")
    enter_evening("髙橋\nAda\nBoris", day=7)
    enter_evening("Boris\nAda\nCleo", day=14)
    meet = Meet.objects.create(season=season, day="2026-01-06", name="First meet")
    season.events.filter(starts_at__lt="2026-01-07T00:00Z").update(meet=meet)
    for position, kind in enumerate(COMPUTED):
        Award.objects.create(season=season, position=position, kind=kind)
    person = Player.objects.get(name="Dana")
    Award.objects.create(season=season, position=9, kind="chosen", title="Best dealer", player=person)
    return season


@pytest.fixture
def sealed(played, owner):
    set_season_closed(played, is_closed=True, actor=owner)
    recompute(played.pool_id)
    seal_season(played, actor=owner)
    recompute(played.pool_id)
    played.refresh_from_db()
    return played


def check(season):
    out = io.StringIO()
    call_command("check_seal", "--club", season.club.slug, "--season", season.slug, stdout=out)
    return out.getvalue()


# --- setting the seal


def test_an_owner_seals_a_closed_season(played, client, owner):
    client.force_login(owner)
    client.post(reverse("league:season-close", args=[played.club.slug, played.slug]), {"closed": "1"})
    recompute(played.pool_id)
    assert client.post(url(played, "seal-edit"), {"seal": "1"}).url == url(played)
    played.refresh_from_db()
    seal = SeasonSeal.objects.get()
    assert (played.is_sealed, seal.sealed_by) == (True, owner)
    assert seal.sha256 == hashlib.sha256(seal.text.encode()).hexdigest()
    change = Change.objects.first()
    assert (change.kind, change.season, change.actor) == ("season-sealed", played, owner)
    assert change.after == {"sha256": seal.sha256}


def test_the_same_seal_twice_is_one(sealed, client, owner):
    client.force_login(owner)
    before = Change.objects.count()
    assert client.post(url(sealed, "seal-edit"), {"seal": "1"}).url == url(sealed)
    assert (SeasonSeal.objects.count(), Change.objects.count()) == (1, before)


def test_only_owners_seal(played, refused_to):
    refused_to(url(played, "seal-edit"), {"seal": "1"}, below="owner")
    assert not SeasonSeal.objects.exists()


def test_an_open_season_is_not_sealed(played, client, owner):
    client.force_login(owner)
    answer = client.post(url(played, "seal-edit"), {"seal": "1"})
    assert "Close the season first" in answer.content.decode()
    assert not SeasonSeal.objects.exists()
    with pytest.raises(IntegrityError):
        Season.objects.filter(pk=played.pk).update(is_sealed=True)


def test_a_season_that_is_still_being_computed_is_not_sealed(played, owner):
    set_season_closed(played, is_closed=True, actor=owner)
    with pytest.raises(Refused, match="still being computed"):
        seal_season(played, actor=owner)
    recompute(played.pool_id)
    assert seal_season(played, actor=owner)


def test_a_season_without_evenings_can_be_sealed(season, owner):
    set_season_closed(season, is_closed=True, actor=owner)
    recompute(season.pool_id)
    seal_season(season, actor=owner)
    assert "the seal holds" in check(season)


# --- what the seal keeps out


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
    "reopen the season": lambda season, event, owner: set_season_closed(season, is_closed=False, actor=owner),
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
        ("league:event-create", {"day": "2026-01-10", "start": "19:30", "order": "Ada\nBoris", "save": "1"}),
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


# --- what goes on around it


def test_new_rating_settings_rate_the_pool_again_and_leave_the_sealed_season(club, sealed, owner):
    second = SeasonFactory(club=club, starts_on="2026-03-01")
    enter(second, "Ada\nBoris\nCleo", day=60)
    recompute(sealed.pool_id)
    before, rated = everything(sealed), list(RatedEntry.objects.order_by("pk").values_list("posterior_mu"))
    others = rows(Standing, second)
    pool = lock_pool(sealed.pool_id)
    RatingSettings.objects.create(pool=pool, revision=1, params={"beta": 400.0})
    record_change(
        pool, kind=Change.Kind.RATINGS_CHANGED, actor=owner, rated_from=datetime(1, 1, 1, tzinfo=UTC)
    )
    recompute(sealed.pool_id)
    assert list(RatedEntry.objects.order_by("pk").values_list("posterior_mu")) != rated
    assert rows(Standing, second) != others
    assert everything(sealed) == before
    assert "the seal holds" in check(sealed)


def test_a_recomputation_from_scratch_leaves_it_too(sealed):
    EntryPoints.objects.filter(entry__event__season=sealed).update(numerator=77)  # as a new engine might
    before = everything(sealed)
    recompute(sealed.pool_id, from_scratch=True)
    assert everything(sealed) == before


def test_an_older_season_found_later_makes_nobody_of_the_sealed_one_an_old_hand(club, sealed):
    before = everything(sealed)
    old = SeasonFactory(club=club, starts_on="2025-01-01")
    enter(old, "Ada\nBoris", day=-300)
    recompute(sealed.pool_id)
    assert everything(sealed) == before
    assert "the seal holds" in check(sealed)


def test_a_rename_is_on_the_pages_and_not_in_the_seal(sealed, client, owner):
    before, text = everything(sealed), SeasonSeal.objects.get().text
    update_player(Player.objects.get(name="Ada"), name="Ada L", is_guest=False, actor=owner)
    recompute(sealed.pool_id)
    assert everything(sealed) == before
    assert "Ada L" in client.get(sealed.get_absolute_url()).content.decode()
    names = {row["name"] for row in json.loads(client.get(url(sealed, "seal-file")).content)["players"]}
    assert "Ada" in names
    assert "Ada L" not in names
    assert SeasonSeal.objects.get().text == text
    assert "the seal holds" in check(sealed)


def test_a_season_sealed_while_it_is_recomputed_is_read_again(played, owner, monkeypatch):
    """The recomputation has read the open season; it must not write what it has found over the sealed one."""
    set_season_closed(played, is_closed=True, actor=owner)
    recompute(played.pool_id)
    season_standings, calls = recomputing.season_standings, []

    def sealed_meanwhile(*arguments):
        calls.append(arguments)
        standings = season_standings(*arguments)
        seal_season(played, actor=owner)
        for row in standings:
            row.total = 99
        return standings

    monkeypatch.setattr(recomputing, "season_standings", sealed_meanwhile)
    before = everything(played)
    assert recompute(played.pool_id, from_scratch=True)
    assert everything(played) == before
    assert len(calls) == 1
    assert "the seal holds" in check(played)


# --- the export


def test_the_export_holds_results_rules_standings_and_awards(sealed, client):
    answer = client.get(url(sealed, "seal-file"))
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"].endswith('-sealed.json"')
    assert hashlib.sha256(answer.content).hexdigest() == SeasonSeal.objects.get().sha256
    document = json.loads(answer.content)
    assert answer.content.decode() == sealed_document.canonical_text(document)
    assert document["format"] == "tierboard-season/1"
    assert (document["club"], document["season"]["slug"]) == (sealed.club.slug, sealed.slug)
    assert document["rules"] == {
        "structure": {"name": "vp_kid", "ties": "better"},
        "attendance_points": 1,
        "min_events": 1,
        "best_n": None,
        "best_n_per_month": None,
        "drop_worst": 0,
        "missed_count_as_zero": False,
        "tie_breaks": ["wins", "profit"],
    }
    assert document["rating"] is None
    first = document["events"][0]
    assert (first["meet"], document["events"][1]["meet"]) == ("First meet", None)
    assert first["starts_at"] == "2026-01-06T19:30:00Z"
    assert first["rules"] == {"structure": {"name": "vp_kid", "ties": "better"}}
    assert (first["terms"], document["brought"]) == (None, [])
    ada = Player.objects.get(name="Ada").pk
    assert first["entries"][0] == {
        "player_id": ada,
        "number": 1,
        "place": 1,
        "is_last": True,
        "registered_at": None,
        "busted_at": None,
        "knockouts": None,
        "cost": None,
        "points": "2",
    }
    assert [entry["busted_at"] for entry in first["entries"]][2:4] == [
        "2026-01-06T21:40:00Z",
        "2026-01-06T21:10:00Z",
    ]
    standing = Standing.objects.get(points_position=1)
    assert document["standings"][0]["rate"] == repr(standing.rate)
    assert Fraction(document["standings"][0]["total"]) == Fraction(standing.total)
    assert [award["kind"] for award in document["awards"]] == [*COMPUTED, "chosen"]
    assert document["awards"][-1] == {
        "kind": "chosen",
        "title": "Best dealer",
        "min_events": 1,
        "places": [{"place": 1, "players": [Player.objects.get(name="Dana").pk], "value": None}],
    }
    assert "髙橋" in answer.content.decode()


def test_a_shared_place_is_an_exact_fraction(season, enter_evening):
    enter_evening("Ada = Boris = Cleo\nDana\nEmil")
    document = sealed_document.season_document(season)
    assert {entry["points"] for entry in document["events"][0]["entries"]} >= {"5/3"}


def test_the_export_is_read_in_as_many_queries_for_three_events_as_for_one(
    season, enter_evening, django_assert_num_queries
):
    enter_evening("Ada\nBoris")
    for day in (None, 7, 14):
        if day:
            enter_evening("Cleo\nAda\nBoris", day=day)
        read = Season.objects.select_related("club", "rules").get(pk=season.pk)
        # standings, entries, events, awards, rating, players, totals brought forward
        with django_assert_num_queries(7):
            sealed_document.season_document(read)


def test_rating_settings_in_force_are_sealed_with_it(played, owner):
    pool = lock_pool(played.pool_id)
    RatingSettings.objects.create(pool=pool, revision=1, params={"beta": 400.0})
    record_change(
        pool, kind=Change.Kind.RATINGS_CHANGED, actor=owner, rated_from=datetime(1, 1, 1, tzinfo=UTC)
    )
    set_season_closed(played, is_closed=True, actor=owner)
    recompute(played.pool_id)
    text = seal_season(played, actor=owner).text
    assert json.loads(text)["rating"] == {"revision": 1, "params": {"beta": "400.0"}}
    pool = lock_pool(played.pool_id)
    RatingSettings.objects.create(pool=pool, revision=2, params={"beta": 300.0})
    record_change(
        pool, kind=Change.Kind.RATINGS_CHANGED, actor=owner, rated_from=datetime(1, 1, 1, tzinfo=UTC)
    )
    recompute(played.pool_id)
    assert "the seal holds" in check(played)


# --- checking


def test_check_seal_says_in_one_line_that_it_holds(sealed):
    said = check(sealed)
    seal = SeasonSeal.objects.get()
    assert said == f"{sealed.club.slug}/{sealed.slug}: the seal holds, SHA-256 {seal.sha256}\n"


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
    r"awards: 7 were sealed, 6 are there": lambda season: Award.objects.filter(kind="chosen").delete(),
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


# --- the pages


def test_the_page_shows_checksum_time_and_name_to_members(sealed, client, people, owner):
    page = client.get(url(sealed)).content.decode()
    seal = SeasonSeal.objects.get()
    assert seal.sha256 in page
    assert f"{seal.sealed_at:%Y-%m-%d %H:%M}" in page
    assert owner.username not in page
    client.force_login(people["member"])
    assert owner.username in client.get(url(sealed)).content.decode()
    assert url(sealed) in client.get(sealed.get_absolute_url()).content.decode()


def test_the_page_of_an_unsealed_season_says_so(season, client):
    assert "This season is not sealed" in client.get(url(season)).content.decode()
    assert client.get(url(season, "seal-file")).status_code == 404


# --- breaking it


def test_an_owner_breaks_the_seal_by_typing_the_seasons_name(sealed, client, owner, enter_evening):
    sha256 = SeasonSeal.objects.get().sha256
    client.force_login(owner)
    assert "type the name of the season" in client.get(url(sealed, "seal-edit")).content.decode()
    typed = {"unseal": "1", "name": sealed.name.upper()}
    assert client.post(url(sealed, "seal-edit"), typed).url == sealed.get_absolute_url()
    sealed.refresh_from_db()
    assert (sealed.is_sealed, sealed.is_closed, SeasonSeal.objects.exists()) == (False, True, False)
    change = Change.objects.first()
    assert (change.kind, change.actor, change.before) == ("season-unsealed", owner, {"sha256": sha256})
    set_season_closed(sealed, is_closed=False, actor=owner)
    enter_evening("Zoe\nAda", day=21)
    assert Standing.objects.filter(season=sealed, player__name="Zoe").exists()


def test_standings_follow_again_when_the_seal_is_broken(sealed, owner):
    Standing.objects.filter(season=sealed).update(total=99)
    unseal_season(sealed, actor=owner)
    recompute(sealed.pool_id)
    assert not Standing.objects.filter(season=sealed, total=99).exists()


def test_breaking_it_twice_is_once(sealed, client, owner):
    for _press in range(2):
        unseal_season(sealed, actor=owner)
    assert Change.objects.filter(kind="season-unsealed").count() == 1
    client.force_login(owner)
    client.post(url(sealed, "seal-edit"), {"unseal": "1", "name": sealed.name})
    assert Change.objects.filter(kind="season-unsealed").count() == 1


def test_only_owners_break_it(sealed, refused_to):
    refused_to(url(sealed, "seal-edit"), {"unseal": "1", "name": sealed.name}, below="owner")
    assert SeasonSeal.objects.exists()


@pytest.mark.parametrize(
    ("name", "said"), [("", "This field is required."), ("Spring", "This is not the name")]
)
def test_another_name_breaks_nothing(sealed, client, owner, name, said):
    client.force_login(owner)
    answer = client.post(url(sealed, "seal-edit"), {"unseal": "1", "name": name})
    assert said in answer.content.decode()
    assert SeasonSeal.objects.exists()
    assert client.post(url(sealed, "seal-edit"), {}).status_code == 200
    assert SeasonSeal.objects.exists()


def test_the_operator_reads_seals_in_the_admin_and_breaks_none(sealed, client):
    from tests.factories import UserFactory

    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    assert client.get("/admin/standings/seasonseal/").status_code == 200
    seal = SeasonSeal.objects.get()
    assert client.get(f"/admin/standings/seasonseal/{seal.pk}/change/").status_code == 200
    assert client.post(f"/admin/standings/seasonseal/{seal.pk}/delete/", {"post": "yes"}).status_code == 403
