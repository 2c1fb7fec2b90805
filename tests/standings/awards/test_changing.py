"""Changing an award: works, twice, somebody else meanwhile, bad input."""

import pytest

from league.models import Change
from standings.models import Award
from tests.factories import enter
from tests.standings.awards.choices import BAD, NEW, add, order, text_of, told_and_kept, url

pytestmark = pytest.mark.django_db


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
