from fractions import Fraction
from typing import get_args

import pytest
from django.utils.translation import override

from payouts.engine.seasons.season import SeasonEvent, TieBreak
from payouts.engine.seasons.tie_breaks import CRITERIA
from payouts.engine.structures.settings import NAMES
from payouts.engine.structures.structure import PointsStructure
from payouts.models import SeasonRules
from payouts.sentences import LABELS, TIE_BREAKS, formula_in_words, rules_in_words, weight_in_words


def test_each_tie_break_has_a_criterion_and_a_label():
    """The total is compared before any tie-break; the criterion of names is made with the names."""
    assert set(get_args(TieBreak)) == set(TIE_BREAKS) == set(CRITERIA) - {"total"} | {"alphabetical"}


def test_each_structure_has_a_label():
    assert set(LABELS) == set(NAMES)


def test_lists_have_the_separator_of_the_language():
    rules = SeasonRules(structure={"name": "vp_kid"}, tie_breaks=["wins", "profit"])
    final = SeasonEvent("2026-01", multiplier=Fraction(2), is_final=True)
    assert "Equal totals are decided by: wins, profit per tourney." in rules_in_words(rules)
    assert weight_in_words(final) == "×2, final"
    with override("ja"):
        assert "合計が等しいときは次の順に比べます：優勝、平均損益。" in rules_in_words(rules)
        assert weight_in_words(final).startswith("×2、")


FORMULAS = [
    ({"name": "inverse"}, "100/n", "100/n"),
    (
        {"name": "vp_kid", "cap": 100},
        "100, 60, 40, 25, then 100/n for n\u00a0>\u00a04; above 100 entries 100 seats, each worth entries/100",
        "100, 60, 40, 25、n\u00a0>\u00a04では100/n（100エントリーを超えると100席で、1席はエントリー数÷100）",
    ),
    ({"name": "winner_takes_all"}, "1, then nothing", "1、以下は0"),
    ({"name": "linear"}, "n-k+1", "n-k+1"),
    (
        {"name": "pokerstars"},
        "10*sqrt(n)/sqrt(k)*(1+log10(b+0.25)), b the buy-in",
        "10*sqrt(n)/sqrt(k)*(1+log10(b+0.25))（bはバイイン）",
    ),
    (
        {"name": "dr_neau"},
        "sqrt(n*b^2/e)/(k+1), b the buy-in, e the player's total cost",
        "sqrt(n*b^2/e)/(k+1)（bはバイイン、eはその人の費用の合計）",
    ),
    (
        {"name": "percentage_pool", "votes": "60,40", "per_entry": 10},
        "60, 40 % of 10*n, then nothing",
        "60, 40 % of 10*n、以下は0",
    ),
    (
        {"name": "expression", "expression": "1 if n > 3 else max(n, k)"},
        "1 if n > 3 else max(n, k)",
        "1 if n > 3 else max(n, k)",
    ),
]


@pytest.mark.parametrize(("settings", "english", "japanese"), FORMULAS)
def test_formulas_are_written_in_both_languages(settings, english, japanese):
    structure = PointsStructure.from_dict(settings)
    assert formula_in_words(structure) == english
    assert structure.formula == english.replace("\u00a0", " ")
    with override("ja"):
        assert formula_in_words(structure) == japanese
