"""Season awards: chosen by organizers, won by what the standings say."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import translation

from league.models import Change, Player, Pool, Season
from league.services.players import update_player
from ratings.models import RatedEntry
from standings.awards.services import MAX_AWARDS
from standings.awards.winners import season_awards
from standings.models import Award, AwardKind, Standing
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, enter, names

pytestmark = pytest.mark.django_db
COMPUTED = [kind for kind in AwardKind.values if kind != "chosen"]


def url(season, page="awards", *more):
    return reverse(f"standings:{page}", args=[season.club.slug, season.slug, *more])


def add(season, **fields):
    fields = {"kind": "most_wins", "position": Award.objects.count() + 1} | fields
    return Award.objects.create(season=season, **fields)


def won(season):
    """(place, names) of each award by its title."""
    return {
        str(it.award): [(place.place, [who.name for who in place.winners]) for place in it.places]
        for it in season_awards(season)
    }


def value(season, kind):
    return next(it for it in season_awards(season) if it.award.kind == kind).places[0].value


@pytest.fixture
def evenings(season, enter_evening):
    """Ada wins twice and stays away once; Cleo and Boris play all three."""
    enter_evening("Ada\nBoris\nCleo\nDana")
    enter_evening("Ada\nCleo\nBoris", day=7)
    enter_evening("Boris\nCleo", day=14)


def test_each_award_is_won_by_what_the_standings_say(season, evenings):
    for kind in COMPUTED:
        add(season, kind=kind, min_events=2 if kind == "most_improved" else 1)
    lines = {row.player.name: row for row in Standing.objects.select_related("player")}
    assert {name: row.total for name, row in lines.items()} == {"Ada": 6, "Boris": 5, "Cleo": 6, "Dana": 1}
    found = won(season)
    gains = {name: row.rate - row.rate_before for name, row in lines.items() if row.n_events >= 2}
    assert found == {
        "First three on points": [(1, ["Ada"]), (2, ["Cleo"]), (3, ["Boris"])],
        "Best profit per tourney": [(1, ["Ada"])],
        "Most attendance": [(1, ["Boris", "Cleo"])],
        "Best newcomer": [(1, ["Ada"])],
        "Most improved": [(1, [max(gains, key=gains.get)])],
        "Most wins": [(1, ["Ada"])],
    }
    assert value(season, "first_three") == Decimal(6)
    assert value(season, "best_profit") == Decimal(1)
    assert (value(season, "most_attendance"), value(season, "most_wins")) == (3, 2)
    assert value(season, "most_improved") == max(gains.values())


def test_a_least_number_of_events_leaves_the_rare_guest_out(season, enter_evening, evenings):
    enter_evening("Zoe\nAda\nBoris\nCleo\nDana", day=21)
    add(season, kind="best_profit", title="Any", min_events=1)
    add(season, kind="best_profit", title="Three", min_events=3)
    add(season, kind="best_profit", title="Nine", min_events=9)
    assert won(season) == {"Any": [(1, ["Zoe"])], "Three": [(1, ["Ada"])], "Nine": []}


def test_the_gain_runs_from_before_the_first_event_of_the_season_to_after_its_last(
    club, season, enter_evening
):
    enter_evening("Ada\nBoris\nCleo")
    second = SeasonFactory(club=club, starts_on="2026-03-01")
    enter(second, "Boris\nAda", day=60)
    enter(second, "Boris\nAda", day=67)
    recompute(season.pool_id)
    lines = Standing.objects.all()
    assert {(row.season, row.player.name) for row in lines} == {
        *((season, name) for name in ("Ada", "Boris", "Cleo")),
        *((second, name) for name in ("Ada", "Boris")),
    }
    for row in lines:
        rated = list(
            RatedEntry.objects.filter(player=row.player, event__season=row.season).order_by("starts_at")
        )
        assert (row.rate_before, row.rate) == (rated[0].prior_rate, rated[-1].posterior_rate)


def test_a_newcomer_has_played_his_first_event_in_this_season(club, season, enter_evening):
    enter_evening("Ada\nBoris")
    second = SeasonFactory(club=club, starts_on="2026-03-01")
    enter(second, "Ada\nCleo", day=60)
    recompute(season.pool_id)
    add(second, kind="best_newcomer")
    assert won(second) == {"Best newcomer": [(1, ["Cleo"])]}
    enter_evening("Boris\nCleo", day=2)  # found later: Cleo had been there before
    assert won(second) == {"Best newcomer": []}
    assert set(
        Standing.objects.filter(season=season, is_newcomer=True).values_list("player__name", flat=True)
    ) == {
        "Ada",
        "Boris",
        "Cleo",
    }


def test_newcomers_of_two_pools_are_those_of_each(club, season, enter_evening):
    """Whichever pool is recomputed, and in whichever order."""
    other = SeasonFactory(club=club)
    Season.objects.filter(pk=other.pk).update(pool=Pool.objects.create(club=club, name="Other"))
    other.refresh_from_db()
    enter_evening("Ada\nBoris", day=7)
    enter(other, "Ada\nBoris\nCleo")
    recompute(other.pool_id)
    recompute(season.pool_id, from_scratch=True)
    newcomers = Standing.objects.filter(is_newcomer=True).order_by("player__key")
    assert list(newcomers.filter(season=season).values_list("player__name", flat=True)) == ["Ada", "Boris"]
    assert list(newcomers.filter(season=other).values_list("player__name", flat=True)) == [
        "Ada",
        "Boris",
        "Cleo",
    ]


def test_an_event_of_another_club_makes_nobody_an_old_hand(season, enter_evening):
    enter(SeasonFactory(club=ClubFactory()), "Ada\nBoris")
    enter_evening("Ada\nBoris", day=7)
    assert Standing.objects.filter(season=season, is_newcomer=True).count() == 2


def test_tied_winners_share_a_place(season, enter_evening):
    enter_evening("Ada = Boris\nCleo")
    add(season, kind="first_three")
    assert won(season) == {"First three on points": [(1, ["Ada", "Boris"]), (3, ["Cleo"])]}


def test_a_player_chosen_by_hand_need_not_have_played(season, client, evenings, people):
    from league.services.players import add_player

    person = add_player(season.club, name="Zoe")
    add(season, kind="chosen", title="Best dealer", player=person)
    assert won(season) == {"Best dealer": [(1, ["Zoe"])]}
    assert "Chosen by the organizers." in client.get(url(season)).content.decode()
    update_player(person, name="Zoe B", is_guest=False, actor=people["organizer"])
    assert won(season) == {"Best dealer": [(1, ["Zoe B"])]}


def text_of(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_the_page_says_who_has_won_what_and_why(season, client, evenings):
    for kind in COMPUTED:
        add(season, kind=kind)
    page = text_of(client.get(url(season)))
    assert "How the awards stand after 3 events. They are won when the season is closed." in page
    for said in (
        "6 points",
        "+1.00 a tourney over 2 events",
        "3 events",
        "6 points, position 1",
        "2 wins",
        "of those whose first event in this rating pool was one of this season",
        "less the rate before the player's first".replace("'", "&#x27;"),
    ):
        assert said in page, said
    assert re.search(r"\+\d+: from \d{3,4} to \d{4}", page)
    season.is_closed = True
    season.save()
    from django.core.cache import caches

    caches["pages"].clear()
    assert "The season is closed: these are its winners." in text_of(client.get(url(season)))


def test_the_page_is_helpful_while_there_is_nothing(season, client, organizer_client):
    from django.test import Client

    assert "have not chosen any awards" in Client().get(url(season)).content.decode()
    assert "This season gives no awards yet." in organizer_client.get(url(season)).content.decode()
    add(season)
    page = text_of(organizer_client.get(url(season)))
    assert "the winners appear with the first one" in page
    assert "Most wins The most events won." in page


def test_an_award_nobody_has_won_says_so(season, client, evenings):
    add(season, kind="best_profit", min_events=99)
    assert "Nobody yet." in client.get(url(season)).content.decode()


@pytest.mark.parametrize("n_awards", [1, 3])
@pytest.mark.parametrize("n_players", [2, 30])
def test_the_page_reads_as_often_for_one_award_as_for_three(
    season, organizer_client, enter_evening, django_assert_num_queries, n_awards, n_players
):
    enter_evening("\n".join(names(n_players)))
    for kind in COMPUTED[:n_awards]:
        add(season, kind=kind)
    with django_assert_num_queries(6):  # session, user, season, role, awards, standings
        organizer_client.get(url(season))


NEW = {"kind": "best_profit", "title": "", "min_events": "5", "player": ""}


def test_an_award_is_added_below_the_others_and_logged(season, organizer_client, people):
    add(season)
    assert organizer_client.post(url(season, "award-edit"), NEW).url == url(season, "award-edit")
    award = Award.objects.last()
    assert (award.position, award.kind, award.min_events, award.player) == (2, "best_profit", 5, None)
    change = Change.objects.get()
    assert (change.kind, change.season, change.actor) == ("awards-changed", season, people["organizer"])
    assert change.before == {"awards": [["most_wins", "", 1, None]]}
    assert change.after["awards"][1] == ["best_profit", "", 5, None]


def test_the_same_award_twice_is_one(season, organizer_client):
    organizer_client.post(url(season, "award-edit"), NEW)
    again = organizer_client.post(url(season, "award-edit"), NEW)
    assert "The season has this award already." in again.content.decode()
    assert (Award.objects.count(), Change.objects.count()) == (1, 1)


def test_only_organizers_choose_awards(season, refused_to):
    award = add(season)
    before = Award.objects.values().get()
    refused_to(url(season, "award-edit"), NEW)
    refused_to(url(season, "award-change", award.pk), NEW | {"version": "1"})
    refused_to(url(season, "award-move", award.pk), {"to": "up"}, is_page=False)
    refused_to(url(season, "award-remove", award.pk), is_page=False)
    assert Award.objects.values().get() == before


BAD = pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("kind", {"kind": "luck"}, "Select a valid choice."),
        ("kind", {"kind": ""}, "This field is required."),
        ("title", {"title": "a" * 81}, "at most 80 characters"),
        ("title", {"title": "\u200b"}, "invisible control character"),
        ("title", {"title": "Best\x07 dealer"}, "invisible control character"),
        ("title", {"title": "\u202eBest dealer"}, "invisible control character"),
        ("title", {"kind": "chosen", "player": "Ada"}, "Say what the award is for."),
        ("min_events", {"min_events": "0"}, "greater than or equal to 1"),
        ("min_events", {"min_events": "9999999999"}, "less than or equal to 1000"),
        ("min_events", {"min_events": "five"}, "Enter a whole number."),
        ("player", {"kind": "chosen", "title": "Best dealer"}, "Choose who gets it."),
        ("player", {"kind": "chosen", "title": "Best dealer", "player": "Adda"}, "Is it Ada?"),
        ("player", {"kind": "chosen", "title": "Best dealer", "player": "Xerxes"}, "No player of this club"),
        ("player", {"player": "Ada"}, "This award is computed: leave the player empty."),
    ],
)


def told_and_kept(answer, field, typed, said):
    form = answer.context["form"]
    assert list(form.errors) == [field]
    assert said in form.errors[field][0]
    for name, text in typed.items():
        assert form[name].value() == text


@BAD
def test_a_bad_award_is_told_kept_and_not_added(season, organizer_client, field, typed, said):
    enter(season, "Ada\nBoris")
    told_and_kept(organizer_client.post(url(season, "award-edit"), NEW | typed), field, typed, said)
    assert not Award.objects.exists()


def test_an_award_is_changed_in_its_place_and_logged(season, organizer_client, people):
    enter(season, "Ada\nBoris")
    award = add(season, kind="best_profit", title="Shark", min_events=3)
    add(season)
    page = url(season, "award-change", award.pk)
    assert page in organizer_client.get(url(season, "award-edit")).content.decode()
    typed = {"kind": "chosen", "title": " Best  dealer ", "player": "ada", "min_events": "3", "version": "1"}
    before = {name: organizer_client.get(page).context["form"][name].value() for name in typed}
    assert before == {
        "kind": "best_profit",
        "title": "Shark",
        "player": "",
        "min_events": 3,
        "version": 1,
    }
    assert organizer_client.post(page, typed).url == url(season, "award-edit")
    award.refresh_from_db()
    assert (award.position, award.kind, award.title, award.min_events) == (1, "chosen", "Best dealer", 1)
    assert (award.player.name, award.version) == ("Ada", 2)
    assert organizer_client.get(page).context["form"]["player"].value() == "Ada"
    change = Change.objects.first()
    assert (change.kind, change.season, change.actor) == ("awards-changed", season, people["organizer"])
    assert change.before == {"awards": [["best_profit", "Shark", 3, None], ["most_wins", "", 1, None]]}
    assert change.after == {"awards": [["chosen", "Best dealer", 1, "Ada"], ["most_wins", "", 1, None]]}


def test_the_same_change_twice_is_one(season, organizer_client):
    award = add(season)
    for _press in range(2):
        answer = organizer_client.post(url(season, "award-change", award.pk), NEW | {"version": "1"})
        assert answer.url == url(season, "award-edit")
    award.refresh_from_db()
    assert (award.kind, award.version, Change.objects.count()) == ("best_profit", 2, 1)


def test_somebody_elses_change_is_shown_and_not_overwritten(season, organizer_client):
    award = add(season)
    page = url(season, "award-change", award.pk)
    organizer_client.post(page, NEW | {"title": "Theirs", "version": "1"})
    mine = NEW | {"title": "Mine", "version": "1"}
    answer = organizer_client.post(page, mine)
    told_and_kept(answer, "__all__", {"title": "Mine", "version": "2"}, "Somebody else has changed this")
    assert "Change “Theirs”" in text_of(answer)
    assert Award.objects.get().title == "Theirs"
    # Whoever has compared may save.
    assert organizer_client.post(page, mine | {"version": "2"}).status_code == 302
    assert (Award.objects.get().title, Award.objects.get().version) == ("Mine", 3)


def test_an_award_moved_meanwhile_is_still_the_one_that_was_opened(season, organizer_client):
    award = add(season)
    add(season, kind="first_three")
    organizer_client.post(url(season, "award-move", award.pk), {"to": "down"})
    organizer_client.post(url(season, "award-change", award.pk), NEW | {"version": "1"})
    assert order(season) == ["first_three", "best_profit"]


def test_an_award_is_not_changed_into_another_of_the_season(season, organizer_client):
    award = add(season)
    add(season, kind="best_profit", min_events=5)
    typed = NEW | {"version": "1"}
    answer = organizer_client.post(url(season, "award-change", award.pk), typed)
    told_and_kept(answer, "__all__", typed, "The season has this award already.")
    assert order(season) == ["most_wins", "best_profit"]
    assert not Change.objects.exists()


@BAD
def test_a_bad_change_is_told_kept_and_not_made(season, organizer_client, field, typed, said):
    enter(season, "Ada\nBoris")
    award = add(season)
    answer = organizer_client.post(url(season, "award-change", award.pk), NEW | {"version": "1"} | typed)
    told_and_kept(answer, field, typed, said)
    assert order(season) == ["most_wins"]


@pytest.mark.parametrize("version", ["", "0", "x"])
def test_a_change_of_no_version_is_refused(season, organizer_client, version):
    award = add(season)
    answer = organizer_client.post(url(season, "award-change", award.pk), NEW | {"version": version})
    told_and_kept(answer, "version", {}, "")
    assert "Hidden field version" in answer.content.decode()
    assert order(season) == ["most_wins"]


def test_a_removed_award_is_not_changed(season, organizer_client):
    award = add(season)
    page = url(season, "award-change", award.pk)
    award.delete()
    assert organizer_client.post(page, NEW | {"version": "1"}).status_code == 404


def test_an_award_of_ones_own(season, organizer_client):
    enter(season, "Ada\nBoris")
    typed = {"kind": "chosen", "title": " Best  dealer ", "player": "ADA", "min_events": ""}
    organizer_client.post(url(season, "award-edit"), typed)
    award = Award.objects.get()
    assert (award.title, award.player.name, award.min_events) == ("Best dealer", "Ada", 1)


def test_a_player_of_another_club_is_nobody_here(season, organizer_client):
    enter(SeasonFactory(club=ClubFactory()), "Ada\nBoris")
    typed = {"kind": "chosen", "title": "Best dealer", "player": "Ada"}
    assert "player" in organizer_client.post(url(season, "award-edit"), typed).context["form"].errors


def order(season):
    return list(Award.objects.filter(season=season).values_list("kind", flat=True))


def test_awards_are_moved_and_the_ends_stay(season, organizer_client):
    kinds = COMPUTED[:3]
    first, middle, last = (add(season, kind=kind) for kind in kinds)
    for award, to, expected in (
        (first, "up", [0, 1, 2]),
        (last, "down", [0, 1, 2]),
        (last, "up", [0, 2, 1]),
        (last, "up", [2, 0, 1]),
        (last, "up", [2, 0, 1]),
        (middle, "up", [2, 1, 0]),
        (last, "down", [1, 2, 0]),
    ):
        organizer_client.post(url(season, "award-move", award.pk), {"to": to})
        assert order(season) == [kinds[i] for i in expected]
    assert Change.objects.count() == 4


def test_an_award_is_removed_once(season, organizer_client):
    award, kept = add(season), add(season, kind="first_three")
    for _press in range(2):
        answer = organizer_client.post(url(season, "award-remove", award.pk))
        assert answer.url == url(season, "award-edit")
    assert list(Award.objects.all()) == [kept]
    assert Change.objects.count() == 1


def test_an_award_of_another_season_is_out_of_reach(season, organizer_client):
    foreign = add(SeasonFactory())
    organizer_client.post(url(season, "award-remove", foreign.pk))
    organizer_client.post(url(season, "award-move", foreign.pk), {"to": "up"})
    page = url(season, "award-change", foreign.pk)
    assert organizer_client.post(page, NEW | {"version": "1"}).status_code == 404
    assert Award.objects.get() == foreign


def test_there_is_a_limit(season, organizer_client):
    for n in range(MAX_AWARDS):
        add(season, title=f"Award {n}")
    answer = organizer_client.post(url(season, "award-edit"), NEW)
    assert "at most 50 awards" in answer.content.decode()


def test_the_editor_offers_names_and_titles_in_the_readers_language(season, organizer_client):
    enter(season, "髙橋\nBoris")
    add(season)
    organizer_client.cookies["django_language"] = "ja"
    page = organizer_client.get(url(season, "award-edit")).content.decode()
    assert '<option value="髙橋">' in page
    with translation.override("ja"):
        assert str(Award.objects.get()) in page


def test_a_new_choice_is_on_the_page_at_once(season, client, people, evenings):
    """The page is kept under the version of the data."""
    from django.test import Client

    reader = Client()
    assert "Most wins" not in reader.get(url(season)).content.decode()
    client.force_login(people["organizer"])
    client.post(url(season, "award-edit"), NEW | {"kind": "most_wins"})
    assert "Most wins" in reader.get(url(season)).content.decode()


def test_a_player_with_an_award_is_not_lost(season, evenings):
    from django.db.models import ProtectedError

    person = Player.objects.get(name="Ada")
    add(season, kind="chosen", title="Best dealer", player=person)
    person.entries.all().delete()
    with pytest.raises(ProtectedError):
        person.delete()
