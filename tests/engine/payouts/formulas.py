"""Random formulas: valid ones, and others made to take long."""

from payouts.engine.structures.columns import FUNCTIONS
from payouts.engine.structures.expression import NAMES


def random_formula(rng, depth=4):
    """A formula with every kind of node, of up to some dozen parts."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*NAMES, "n", "k", "n", "k", "0", "1", "2", "0.1", "3.7", "10", "1000", "9" * 30])

    def part():
        return random_formula(rng, depth - 1)

    kind = rng.random()
    if kind < 0.5:
        return f"({part()} {rng.choice(['+', '-', '*', '/', '//', '%', '**'])} {part()})"
    if kind < 0.75:
        name = rng.choice(list(FUNCTIONS))
        return f"{name}({part()}, {part()})" if name in {"min", "max"} else f"{name}({part()})"
    if kind < 0.85:
        return (
            f"({part()} if {part()} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {part()} else {part()})"
        )
    if kind < 0.95:
        return f"({part()} {rng.choice(['and', 'or', '< k <'])} {part()})"
    return f"({rng.choice(['-', '+', 'not '])}{rng.choice(NAMES)})"


def nasty_formula(rng):
    """A formula made to take long, or text that is none."""
    n = rng.randint(1, 40)
    return rng.choice(
        [
            "**".join([rng.choice(["1", "9", "n", "k", ".5"])] * n),
            "^".join(rng.choices(["1", "2", "k", "n", "(-k)"], k=n)),
            "9" * rng.randint(1, 200),
            "*".join(["9" * rng.randint(1, 60)] * rng.randint(1, 5)),
            "(" * (4 * n) + "n" + ")" * (4 * n),
            "-" * (4 * n) + "k",
            "not " * n + "k",
            f"max({', '.join(rng.choices(['n', 'k', '100/k', '1/n'], k=n))})",
            "min(1," * n + "100/k" + ")" * n,
            "exp(ln(" * (n // 2) + "100/k" + "))" * (n // 2),
            rng.choice(["exp", "ln", "log", "abs", "sqrt", "floor"]).join(["("] * n) + "n" + ")" * (n - 1),
            "/".join(rng.choices(["n", "k", "0", "7", "(n-7)"], k=n)),
            "//".join(["n"] * n) + "%".join(["k"] * n),
            "<".join(["k"] * n),
            "1 if k<2 else " * n + "0",
            " and ".join(["n"] * n) + " or ".join(["k"] * n),
            "".join(rng.choices("nk0123456789.+-*/%^()<>=! ,sqrtlogmaxbuy_if", k=4 * n)),
        ]
    )


def fuzzed_formulas(rng, n):
    return [rng.choice([nasty_formula, random_formula])(rng) for _i in range(n)]
