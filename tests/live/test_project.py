"""What the log of a night says: who is in and out, places, ties, undo, questions, and what is held."""

import json
import random

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from live.engine.actions import KINDS, Action, BadActionError, read_action
from live.engine.fold import SEEN_BY_TWO
from live.engine.project import project, project_raw
from live.engine.summary import places_of, summary
from tests.live.logs import ACTIONS, BODIES, Writer, evenings


def said(log):
    return summary(project(log.actions if isinstance(log, Writer) else log))


def questions(log):
    return [(each["kind"], each["entries"]) for each in said(log)["questions"]]


def test_who_goes_out_last_is_ahead_and_the_last_one_left_is_first():
    log = Writer()
    ada, boris, cleo, dora = log.enter("Ada", "Boris", "Cleo", "Dora")
    log.out(dora)
    assert said(log)["places"] == {"Dora": 4}
    assert said(log)["in"] == ["Ada", "Boris", "Cleo"]
    log.out(boris, ada)
    assert said(log)["places"] == {"Dora": 4, "Boris": 3, "Ada": 2, "Cleo": 1}
    assert cleo not in {entry for each in said(log)["exits"] for entry in each["entries"]}
    assert said(log)["questions"] == []


def test_a_tie_shares_the_better_place_at_once_and_declared_later():
    log = Writer()
    ada, boris, _cleo, _dora = log.enter("Ada", "Boris", "Cleo", "Dora")
    log.out([ada, boris])
    assert said(log)["places"] == {"Ada": 3, "Boris": 3}
    late = Writer()
    ada, boris, cleo, _dora = late.enter("Ada", "Boris", "Cleo", "Dora")
    late.out(ada)
    late.out(boris)
    late.add("tie", targets=[ada, boris])
    assert said(late)["places"] == {"Ada": 3, "Boris": 3}
    late.out(cleo)
    late.add("tie", targets=[ada, cleo])  # Ada's place is Boris's too, and Cleo is next to them
    assert said(late)["places"] == {"Ada": 2, "Boris": 2, "Cleo": 2, "Dora": 1}


def test_who_are_apart_cannot_be_tied():
    log = Writer()
    ada, boris, cleo, _dora = log.enter("Ada", "Boris", "Cleo", "Dora")
    for entry in (ada, boris, cleo):
        log.out(entry)
    log.add("tie", targets=[ada, cleo])
    assert questions(log) == [("not_together", [ada, cleo])]
    assert said(log)["places"] == {"Ada": 4, "Boris": 3, "Cleo": 2, "Dora": 1}


def test_a_reentry_counts_by_its_last_exit_and_a_late_bust_of_the_first_does_not_hit_it():
    log = Writer()
    ada, boris, _cleo = log.enter("Ada", "Boris", "Cleo")
    log.out(ada)
    (again,) = log.enter("Ada")
    log.out(ada, device="door", after=30_000)  # the first entry, as another phone saw it
    assert said(log)["in"] == ["Boris", "Cleo", "Ada"]
    log.out(boris)
    log.out(again)
    assert said(log)["places"] == {"Boris": 3, "Ada": 2, "Cleo": 1}
    assert [entry["number"] for entry in said(log)["entries"]] == [1, 1, 1, 2]
    assert said(log)["questions"] == []


def test_one_player_entered_on_two_phones_is_one():
    log = Writer()
    (first,) = log.enter("Ada")
    log.enter("Boris")
    second = log.add("enter", "door", name=" ＡＤＡ ")
    log.out(second, device="door")
    assert [entry["name"] for entry in said(log)["entries"]] == ["Ada", "Boris"]
    assert said(log)["places"] == {"Ada": 2, "Boris": 1}
    assert said(log)["exits"][0]["entries"] == [first]


def test_the_last_one_cannot_go_out_alone_but_the_last_two_can_tie_or_deal():
    log = Writer()
    ada, boris = log.enter("Ada", "Boris")
    log.out(ada)
    log.out(boris)
    assert questions(log) == [("last_one", [boris])]
    tied = Writer()
    ada, boris = tied.enter("Ada", "Boris")
    tied.out([ada, boris])
    assert said(tied)["places"] == {"Ada": 1, "Boris": 1}
    deal = Writer()
    ada, boris = deal.enter("Ada", "Boris")
    deal.add("chop", method="even", groups=[[boris], [ada]], money={ada: 60, boris: 60}, kept=0)
    assert said(deal)["places"] == {"Boris": 2, "Ada": 1}
    assert said(deal)["deal"]["money"] == {ada: 60, boris: 60}


@pytest.mark.parametrize(("after", "kinds"), [(SEEN_BY_TWO, []), (SEEN_BY_TWO + 1, ["twice"])])
def test_two_phones_see_one_fact_within_two_minutes(after, kinds):
    log = Writer()
    ada, *_others = log.enter("Ada", "Boris", "Cleo")
    log.out(ada)
    log.out(ada, device="door", after=after)
    assert [kind for kind, _entries in questions(log)] == kinds
    assert said(log)["exits"][0]["devices"] == (["desk"] if kinds else ["desk", "door"])


def test_two_phones_that_disagree_about_the_order_are_asked_and_the_choice_counts():
    log = Writer()
    ada, boris, _cleo = log.enter("Ada", "Boris", "Cleo")
    log.out(ada)
    log.out(boris, device="door")
    log.out(ada, device="door")
    (asked,) = said(log)["questions"]
    assert (asked["kind"], asked["entries"], asked["choices"]) == ("order", [ada], ["first", "second"])
    assert said(log)["places"] == {"Ada": 3, "Boris": 2, "Cleo": 1}
    choice = log.add("settle", question=asked["id"], choice="second")
    assert said(log)["places"] == {"Boris": 3, "Ada": 2, "Cleo": 1}
    assert said(log)["questions"] == []
    log.add("void", target=choice, on=True)
    assert said(log)["places"] == {"Ada": 3, "Boris": 2, "Cleo": 1}


def test_who_put_somebody_out_is_asked_only_if_two_phones_differ():
    log = Writer()
    ada, boris, cleo = log.enter("Ada", "Boris", "Cleo")
    log.out(cleo)
    log.add("by", target=cleo, by=ada)
    log.add("by", "door", target=cleo, by=ada)
    log.add("by", "door", target=cleo, by=boris)
    assert questions(log) == []
    log.add("by", target=cleo, by=ada)
    assert questions(log) == [("by", [cleo, boris, ada])]
    assert said(log)["entries"][2]["by"] == ada


def test_an_edit_of_the_order_moves_a_fact_in_time():
    log = Writer()
    ada, boris, _cleo = log.enter("Ada", "Boris", "Cleo")
    first, second = log.out(ada), log.out(boris)
    edit = log.add("order", target=second, before=first)
    assert said(log)["places"] == {"Boris": 3, "Ada": 2, "Cleo": 1}
    log.add("void", target=edit, on=True)
    assert said(log)["places"] == {"Ada": 3, "Boris": 2, "Cleo": 1}


def test_an_undo_cannot_be_undone_but_the_last_undo_or_redo_of_an_action_wins():
    log = Writer()
    ada, _boris = log.enter("Ada", "Boris")
    gone = log.out(ada)
    undo = log.add("void", target=gone, on=True)
    log.add("void", "door", target=gone, on=True)  # two phones undo the same thing once
    assert said(log)["places"] == {}
    log.add("void", target=undo, on=True)
    assert said(log)["places"] == {}
    log.add("void", target=gone, on=False)
    assert said(log)["places"] == {"Ada": 2, "Boris": 1}


def test_costs_payments_and_seats():
    log = Writer()
    ada, boris = log.enter("Ada", "Boris", cost=50, paid=50)
    log.add("buy", entry=ada, kind="rebuy", cost=30)
    log.add("pay", entry=ada, paid=20)
    assert [(entry["cost"], entry["paid"]) for entry in said(log)["entries"]] == [(80, 70), (50, 50)]
    log.add("draw", seats=[[ada, 1, 1], [boris, 1, 2]])
    log.add("move", moves=[[ada, 1, 2]])
    assert questions(log) == [("seat_taken", [ada])]
    log.add("move", moves=[[ada, 1, 2], [boris, 2, 1]])
    assert said(log)["seats"] == {"Ada": [1, 2], "Boris": [2, 1]}
    log.out(boris)
    assert said(log)["seats"] == {"Ada": [1, 2]}


def test_a_typed_name_checks_nobody_in():
    log = Writer()
    log.add("ask_in", "phone", name="Ada")
    assert said(log)["in"] == []
    assert questions(log) == [("wants_in", ["Ada"])]


def test_a_known_id_with_other_content_is_held_and_a_repeated_one_is_one():
    log = Writer()
    log.enter("Ada", "Boris")
    one = log.actions[0]
    log.actions += [one, Action(one.id, one.device, one.counter, "enter", {"name": "Cleo"}, one.at_ms)]
    found = said(log)
    assert len(found["held"]) == 1
    assert found["held"][0]["why"] == "other content under a known id"
    assert len(found["entries"]) == 2


def test_a_taken_number_is_held_until_it_is_admitted():
    log = Writer()
    log.enter("Ada", "Boris")
    log.actions.append(Action("late", "desk", 1, "enter", {"name": "Cleo"}, log.at + 1))
    assert [each["id"] for each in said(log)["held"]] == ["late"]
    log.add("admit", action="late")
    assert said(log)["held"] == []
    assert said(log)["in"] == ["Ada", "Boris", "Cleo"]


def test_an_admit_carries_what_the_server_had_refused_until_it_is_undone():
    log = Writer()
    _ada, boris, cleo = log.enter("Ada", "Boris", "Cleo")
    log.out(boris)
    admit = log.add("admit", action="late", kind="out", body={"groups": [[cleo]]}, at_ms=log.at - 1)
    assert said(log)["places"] == {"Cleo": 3, "Boris": 2, "Ada": 1}
    log.add("void", target=admit, on=True)
    assert said(log)["places"] == {"Boris": 3}
    log.add("void", target=admit, on=False)
    assert said(log)["places"] == {"Cleo": 3, "Boris": 2, "Ada": 1}


def test_what_an_admit_carries_counts_once_when_it_comes_itself():
    log = Writer()
    ada, _boris = log.enter("Ada", "Boris", cost=20)
    rebuy = {"entry": ada, "kind": "rebuy", "cost": 20}
    log.add("admit", action="buy3", kind="buy", body=rebuy)
    assert said(log)["entries"][0]["cost"] == 40
    assert log.add("buy", "door", **rebuy) == "buy3"
    assert (said(log)["entries"][0]["cost"], said(log)["entries"][0]["n_rebuys"]) == (40, 1)


def test_an_exit_moved_to_the_end_stays_before_what_comes_later():
    log = Writer()
    ada, boris, cleo, dora, _emil = log.enter("Ada", "Boris", "Cleo", "Dora", "Emil")
    first = log.out(ada)
    log.out(boris)
    log.add("order", target=first)
    assert said(log)["places"] == {"Boris": 5, "Ada": 4}
    log.out(cleo)
    log.out(dora)
    assert said(log)["places"] == {"Boris": 5, "Ada": 4, "Cleo": 3, "Dora": 2, "Emil": 1}


def test_who_is_in_again_was_put_out_by_nobody():
    log = Writer()
    ada, boris, _cleo = log.enter("Ada", "Boris", "Cleo")
    out = log.out(ada)
    log.add("by", target=ada, by=boris)
    assert said(log)["entries"][0]["by"] == boris
    log.add("void", target=out, on=True)
    assert said(log)["entries"][0]["by"] is None


def test_an_admit_of_a_known_id_stands_beside_it_and_a_malformed_one_is_held():
    log = Writer()
    (ada,) = log.enter("Ada")
    log.add("admit", action=ada, kind="enter", body={"name": "Boris"})
    log.add("admit", action="x", kind="bust", body={})
    found = said(log)
    assert found["in"] == ["Ada", "Boris"]
    assert found["held"] == [{"id": "x", "why": "unknown kind bust"}]


@given(ACTIONS, st.randoms())
def test_it_never_fails_and_does_not_depend_on_the_order_of_its_input(actions, randoms):
    shuffled = list(actions)
    randoms.shuffle(shuffled)
    assert summary(project(shuffled)) == summary(project(actions))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["id", "device", "counter", "kind", "body", "at_ms", "name"]),
                inner,
                max_size=6,
            )
        ),
        max_leaves=20,
    )
)
def test_anything_at_all_is_read_or_held(raw):
    raws = raw if isinstance(raw, list) else [raw]
    found = summary(project_raw(raws))
    assert len(found["held"]) + len(found["entries"]) <= len(raws) or found["entries"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"counter": 0}, {"counter": True}, {"at_ms": -1}, {"kind": "bust"}, {"id": ""}, {"body": []},
        {"body": {}}, {"body": {"name": 5}}, {"body": {"name": "Ada", "paid": 1.5}}, {"body": {"name": "A" * 501}},
        {"body": {"name": "Ada", "more": "x" * 5000}}, {"device": None},
    ],
)  # fmt: skip
def test_what_has_not_the_form_of_its_kind_is_refused(wrong):
    right = {"id": "a", "device": "d", "counter": 1, "kind": "enter", "body": {"name": "Ada"}, "at_ms": 5}
    assert read_action(right) == Action("a", "d", 1, "enter", {"name": "Ada"}, 5)
    with pytest.raises(BadActionError):
        read_action(right | wrong)


def test_every_kind_is_generated_or_comes_later():
    later = {"round", "score"}
    assert {*BODIES} | later == {*KINDS}


@given(evenings(), st.randoms())
def test_undoing_everything_is_the_first_state_and_redoing_it_the_last(actions, randoms):
    """Property 6: n actions and n undos, in any order of the undos, then n redos."""
    doing = [action for action in actions if action.kind != "void"]
    before, at = summary(project([])), 10**9

    def voids(on, start):
        chosen = [*doing]
        randoms.shuffle(chosen)
        return [
            Action(f"{on}{i}", "undo", start + i, "void", {"target": action.id, "on": on}, at + start + i)
            for i, action in enumerate(chosen)
        ]

    undone = [*doing, *voids(True, 1)]
    assert summary(project(undone)) == before
    assert summary(project([*undone, *voids(False, 1000)])) == summary(project(doing))


@given(evenings())
def test_places_are_those_of_the_exits(actions):
    """Whoever is in is ahead of all who are out; nobody has two places, and none is above the number of players."""
    night = project(actions)
    places, still_in = places_of(night), {entry.name for entry in night.still_in}
    names = {entry.name for entry in night.entries.values()}
    assert all(1 <= place <= len(names) for place in places.values())
    ahead = [place for name, place in places.items() if name not in still_in]
    assert all(place > len(still_in) for place in ahead)
    assert {*places} >= names - still_in


def test_a_thousand_actions_take_time_in_proportion_to_their_number():
    def calls(n):
        log, rng = Writer(), random.Random(5)
        ids = log.enter(*(f"P{i}" for i in range(n)))
        rng.shuffle(ids)
        for entry in ids[:-1]:
            log.out(entry)
        return count_calls(lambda: summary(project(log.actions)))

    assert calls(800) < 2.5 * calls(400)


def count_calls(run):
    """Count the calls of functions while something runs: a measure of work that no busy machine changes."""
    import sys

    n = 0

    def count(_frame, _event, _argument):
        nonlocal n
        n += 1

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return n


def test_the_command_prints_the_projection(tmp_path, capsys):
    log = Writer()
    ada, _boris = log.enter("Ada", "Boris")
    log.out(ada)
    raws = [vars(action) for action in reversed(log.actions)]
    file = tmp_path / "night.json"
    file.write_text(json.dumps({"actions": [*raws, {"id": "x", "kind": "enter"}]}), encoding="utf-8")
    call_command("project_night", file)
    shown = json.loads(capsys.readouterr().out)
    assert (shown["places"], shown["in"]) == ({"Ada": 2, "Boris": 1}, ["Boris"])
    assert shown["held"] == [{"id": "x", "why": "device must be a text"}]
    assert {"places", "in", "seats", "clock", "questions", "held"} <= {*shown}


@pytest.mark.parametrize("text", ["", "[]", '{"actions": 5}', "{", "[" * 100_000])
def test_the_command_refuses_what_is_no_log(tmp_path, text):
    file = tmp_path / "night.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError) as refused:
        call_command("project_night", file)
    assert refused.value.returncode == 2
    assert str(file) in str(refused.value)
