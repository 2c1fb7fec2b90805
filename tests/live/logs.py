"""Logs for the tests of live nights: short ones by hand, random ones of several phones."""

from hypothesis import strategies as st

from live.engine.actions import Action

NAMES = ("Ada", "Boris", "Cleo", "Dora", "Emil", "Fay")
DEVICES = ("desk", "door", "bar")


class Writer:
    """Write the log of one evening: each action a second after the one before, unless it says when."""

    def __init__(self):
        self.actions, self.counters, self.at = [], {}, 1_000_000

    def add(self, kind, device="desk", /, *, after=1000, **body):
        self.at += after
        self.counters[device] = self.counters.get(device, 0) + 1
        name = f"{kind}{len(self.actions)}"
        self.actions.append(Action(name, device, self.counters[device], kind, body, self.at))
        return name

    def enter(self, *names, **more):
        return [self.add("enter", name=name, **more) for name in names]

    def out(self, *groups, device="desk", after=1000):
        return self.add(
            "out", device, after=after, groups=[[one] if isinstance(one, str) else one for one in groups]
        )


IDS = st.sampled_from([f"a{i}" for i in range(12)])
AMOUNTS = st.integers(0, 5000)
GROUPS = st.lists(st.lists(IDS, min_size=1, max_size=3), min_size=1, max_size=3)
SEATS = st.lists(st.tuples(IDS, st.integers(1, 3), st.integers(1, 4)).map(list), min_size=1, max_size=4)
NUMBERS = st.none() | st.integers(1, 3)
LEVELS = st.fixed_dictionaries(
    {"ms": st.integers(1, 300_000)}, optional={"sb": AMOUNTS, "bb": AMOUNTS, "is_break": st.booleans()}
)
BODIES = {
    "enter": st.fixed_dictionaries({"name": st.sampled_from(NAMES)}, optional={"number": NUMBERS, "player": NUMBERS, "cost": AMOUNTS, "paid": AMOUNTS}),
    "ask_out": st.fixed_dictionaries({"entry": IDS}),
    "button": st.fixed_dictionaries({"table": st.integers(1, 3)}, optional={"entry": IDS}),
    "seen_move": st.fixed_dictionaries({"entry": IDS}),
    "stacks": st.fixed_dictionaries({"stacks": st.dictionaries(IDS, AMOUNTS, max_size=3)}),
    "bonus": st.fixed_dictionaries({"entry": IDS, "points": st.integers(-9, 9)}),
    "seed": st.fixed_dictionaries({"sha256": st.just("ab")}),
    "levels": st.fixed_dictionaries({"levels": st.lists(LEVELS, max_size=3)}, optional={"first": st.integers(0, 3)}),
    "ask_in": st.fixed_dictionaries({"name": st.sampled_from(NAMES)}),
    "buy": st.fixed_dictionaries({"entry": IDS, "kind": st.sampled_from(["rebuy", "addon"]), "cost": AMOUNTS}),
    "pay": st.fixed_dictionaries({"entry": IDS, "paid": st.integers(-500, 5000)}),
    "out": st.fixed_dictionaries({"groups": GROUPS}),
    "envelope": st.fixed_dictionaries({"entry": IDS, "amount": AMOUNTS}),
    "cash_out": st.fixed_dictionaries({"entry": IDS, "amount": AMOUNTS}),
    "by": st.fixed_dictionaries({"target": IDS, "by": st.none() | IDS}),
    "tie": st.fixed_dictionaries({"targets": st.lists(IDS, min_size=1, max_size=4)}),
    "chop": st.fixed_dictionaries({"method": st.sampled_from(["even", "chips", "icm"])}, optional={"groups": GROUPS, "money": st.dictionaries(IDS, AMOUNTS, max_size=3)}),
    "clock": st.fixed_dictionaries({"op": st.sampled_from(["start", "pause", "resume", "jump", "add"])}, optional={"level": st.integers(0, 20), "left_ms": AMOUNTS}),
    "draw": st.fixed_dictionaries({"seats": SEATS}),
    "move": st.fixed_dictionaries({"moves": SEATS}),
    "void": st.fixed_dictionaries({"target": IDS, "on": st.booleans()}),
    "order": st.fixed_dictionaries({"target": IDS}, optional={"before": st.none() | IDS}),
    "settle": st.fixed_dictionaries({"question": st.sampled_from(["order:a0:a1:a2", "twice:a3:a4:a2"]), "choice": st.sampled_from(["first", "second"])}),
    "admit": st.fixed_dictionaries({"action": IDS}, optional={"kind": st.sampled_from(["out", "note", "bust"]), "body": st.just({"groups": [["a1"]], "text": "late"}), "at_ms": st.none() | st.integers(0, 2_000_000)}),
    "setup": st.fixed_dictionaries({"stack": AMOUNTS}, optional={"closing_level": st.integers(0, 3)}),
    "stage": st.fixed_dictionaries({"to": st.sampled_from(["running", "over"])}),
    "note": st.fixed_dictionaries({"text": st.just("fine")}),
}  # fmt: skip
LIKELY = ["enter", "enter", "enter", "out", "out", "out", "void", "by", "tie", *BODIES]


def action_of(kind):
    return st.builds(
        Action,
        id=IDS,
        device=st.sampled_from(DEVICES),
        counter=st.integers(1, 12),
        kind=st.just(kind),
        body=BODIES[kind],
        at_ms=st.integers(0, 400_000),
    )


ACTIONS = st.lists(st.sampled_from(LIKELY).flatmap(action_of), max_size=25)


@st.composite
def evenings(draw):
    """A log in which most actions make sense: everybody enters first, then they go out and are brought back."""
    log = Writer()
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=6, unique=True))
    ids = log.enter(*names)
    for _step in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["out", "out", "tie", "void", "by", "enter", "buy"]))
        device, after = draw(st.sampled_from(DEVICES)), draw(st.integers(0, 200_000))
        one, two = draw(st.sampled_from(ids)), draw(st.sampled_from(ids))
        known = [action.id for action in log.actions if action.kind != "void"]
        body = {
            "out": {"groups": [[one]]},
            "tie": {"targets": [one, two]},
            "void": {"target": draw(st.sampled_from(known)), "on": draw(st.booleans())},
            "by": {"target": one, "by": two},
            "enter": {"name": draw(st.sampled_from(names))},
            "buy": {"entry": one, "kind": "rebuy", "cost": 10},
        }[kind]
        added = log.add(kind, device, after=after, **body)
        ids += [added] if kind == "enter" else []
    return log.actions
