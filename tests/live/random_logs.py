"""Random logs of a night from a seed, quickly: thousands of them, for comparing the two projections."""

from tests.live.logs import DEVICES, NAMES

IDS = [f"a{i}" for i in range(14)]
QUESTIONS = ["order", "twice"]


def carried(rng, one):
    """Make the body of an admit that carries a held action, now and then a malformed one."""
    kind, body = rng.choice(
        [
            ("out", {"groups": [[one()]]}),
            ("note", {"text": "late"}),
            ("out", {}),
            ("void", {"target": one(), "on": True}),
        ]
    )
    return {
        "action": rng.choice([*IDS, "late"]),
        "kind": kind,
        "body": body,
        "at_ms": rng.choice([None, 1_030_000]),
        "device": rng.choice([None, *DEVICES]),
    }


def random_levels(rng):
    return [
        {"is_break": True, "ms": 60_000, "gone": [25]}
        if rng.random() < 0.25
        else {"sb": 25 * i, "bb": 50 * i, "ms": rng.choice([20_000, 45_000, 600_000])}
        for i in range(1, rng.randint(1, 5))
    ]


def random_body(kind, rng, raws):
    """Make a body of a kind; most ids in it are those of earlier actions."""
    known = [raw["id"] for raw in raws if raw["kind"] == "enter"] or IDS
    one = lambda: rng.choice(known if rng.random() < 0.9 else IDS)  # noqa: E731
    some = lambda most: [one() for _ in range(rng.randint(1, most))]  # noqa: E731
    amount = rng.randrange(100)
    seats = [[one(), rng.choice([1, 1, 2, 2, 2, 1000]), rng.randint(1, 3)] for _ in range(rng.randint(1, 3))]
    bodies = {
        "enter": {"name": rng.choice([*NAMES, " ada", "Ｃｌｅｏ", "ÉMIL"]), "number": rng.choice([None, None, 1, 2]), "player": rng.choice([None, None, 1, 2]), "cost": amount, "paid": rng.randrange(50), "ask": rng.choice([None, None, *IDS])},
        "ask_in": {"name": rng.choice(NAMES)},
        "ask_out": {"entry": one()},
        "button": {"table": rng.randint(1, 2), "entry": rng.choice([None, one()])},
        "seen_move": {"entry": one()},
        "stacks": {"stacks": {rng.choice([one(), "7", "10"]): amount for _ in range(2)}},
        "bonus": {"entry": one(), "points": amount - 50, "reason": rng.choice([None, "high hand"])},
        "seed": {"sha256": rng.choice(["ab", "cd"])},
        "buy": {"entry": one(), "kind": rng.choice(["rebuy", "addon"]), "cost": amount, "chips": rng.choice([None, 500])},
        "pay": {"entry": one(), "paid": amount - 50},
        "out": {"groups": [some(2) for _ in range(rng.randint(1, 2))]},
        "envelope": {"entry": one(), "amount": amount, "i": 7, "of": [amount]},
        "cash_out": {"entry": one(), "amount": amount},
        "by": {"target": one(), "by": rng.choice([None, one()])},
        "tie": {"targets": some(3)},
        "chop": {"method": rng.choice(["even", "chips", "icm"]), "groups": [some(2)], "money": {one(): amount}, "kept": amount},
        "clock": {"op": rng.choice(["start", "pause", "resume", "jump", "add"]), "level": rng.choice([None, 3]), "left_ms": rng.choice([None, -5, 900, 90_000])},
        "draw": {"seats": seats, "i": amount, "free": [seats[0][1:]]},
        "move": {"moves": seats, "draws": rng.choice([None, [[amount, [[1, 1]], [1, 1]]], [[1, 2, 3]]])},
        "void": {"target": rng.choice([raw["id"] for raw in raws] or IDS), "on": rng.random() < 0.6},
        "order": {"target": rng.choice(IDS), "before": rng.choice([None, *IDS])},
        "settle": {"question": ":".join([rng.choice(QUESTIONS), rng.choice(IDS), rng.choice(IDS), one()]), "choice": rng.choice(["first", "second"])},
        "admit": rng.choice([{"action": rng.choice(IDS)}, carried(rng, one)]),
        "setup": {"format": rng.choice([None, "cash"]), "stack": amount, "closing_level": rng.choice([None, 1, 2]), "table_size": rng.choice([None, 8]), "own_stacks": rng.choice([None, None, [["Ada", amount]], [["Ada"]]])},
        "levels": {"levels": random_levels(rng), "first": rng.choice([None, 0, 1, 2])},
        "stage": {"to": rng.choice(["running", "over"])},
        "note": {"text": "fine"},
    }  # fmt: skip
    return bodies[kind]


KINDS = ["enter"] * 6 + ["out"] * 8 + ["void", "void", "by", "tie", "ask_in", "buy", "pay", "chop", "clock", "clock", "clock", "draw"] + [
    "ask_out", "button", "seen_move", "stacks", "bonus", "cash_out", "envelope", "seed", "levels", "move", "move", "order", "settle", "admit", "admit", "setup", "levels", "stage", "note",
]  # fmt: skip


def random_log(rng):
    """Make a log as JSON: mostly sensible, some ids and numbers twice, now and then something malformed."""
    raws, at = [], 1_000_000
    for i in range(rng.randint(1, 22)):
        kind = "enter" if i < 4 else rng.choice(KINDS)
        at += rng.choice([0, 1, 1500, 30_000, 150_000])
        name = rng.choice(IDS) if rng.random() < 0.08 else f"a{i}"
        counter = rng.randint(1, 9) if rng.random() < 0.1 else i + 1
        raws.append(
            {
                "id": name,
                "device": rng.choice(DEVICES),
                "counter": counter,
                "kind": kind,
                "body": random_body(kind, rng, raws),
                "at_ms": at,
            }
        )
        if rng.random() < 0.5:
            raws[-1]["received_ms"] = at + rng.choice([0, 400, 5_000, 70_000])
        if rng.random() < 0.03:
            raws[-1][rng.choice(["counter", "kind", "body", "at_ms", "device"])] = rng.choice(
                [None, -1, "x", [], {}]
            )
    rng.shuffle(raws)
    return raws
