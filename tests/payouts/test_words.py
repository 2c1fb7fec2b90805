from fractions import Fraction

from django.utils.translation import override

from payouts.engine.season import SeasonEvent
from payouts.models import SeasonRules
from payouts.words import rules_in_words, weight_in_words


def test_lists_are_written_as_the_language_writes_them():
    rules = SeasonRules(structure={"name": "vp_kid"}, tie_breaks=["wins", "profit"])
    final = SeasonEvent("2026-01", multiplier=Fraction(2), is_final=True)
    assert "Equal totals are decided by: wins, profit per tourney." in rules_in_words(rules)
    assert weight_in_words(final) == "×2, final"
    with override("ja"):
        assert "合計が等しいときは次の順に比べます：優勝、平均損益。" in rules_in_words(rules)
        assert weight_in_words(final).startswith("×2、")
