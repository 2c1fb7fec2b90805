"""What can be a name, and what is none."""

import pytest

from reading.names.keys import name_key
from reading.names.rules import name_problem

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAG_OF_A_REGION = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
LATER_EMOJI = "\U0001fae8"  # not in the edition of Unicode that Python 3.11 knows


@pytest.mark.parametrize(
    "name",
    [
        "x10", "X58", "Ada #1", "1. FC Ada", "Cenith=Gp", "DJ @12:30", "Bram x2", "Lee (new)", "#1", "7) Ann",
        "Max 2", "Xerxes", "7of9", "Ann-Marie x", "夜桜", "O'Hara", "R2D2", "007", "12", "@lex", "A.", "+1",
        "علی\u200cرضا", "ක්\u200dරිස්", "ශ්\u200dරී", f"{FAMILY} Ada", FAMILY, f"Ada {FLAG_OF_A_REGION}", "❤️",
        f"Ada {LATER_EMOJI}", "Nan", "Na",
    ],
)  # fmt: skip
def test_ordinary_names_are_names(name):
    assert name_problem(name) is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "A name is missing."),
        ("\u200d", "A name is missing."),
        ("a" * 61, "61 characters; 60 is the most"),
        ("A\x00da", "invisible control character"),
        ("A\u200bda", "invisible control character"),
        ("Ada\u200d", "invisible control character"),
        ("\u200cAda", "invisible control character"),
        ("A\u202eda", "invisible control character"),
        ("Ada\U000e0067", "invisible control character"),
        ("A\ufffeda", "invisible control character"),
        ("-", "“-” is no name."),
        ("—", "“—” is no name."),
        ("?", "“?” is no name."),
        ("...", "“...” is no name."),
        ("N/A", "“N/A” is no name."),
        ("#REF!", "“#REF!” is no name."),
        ("=cmd|' /C calc'!A0", "begins with = like a formula"),
        ("=Kim", "begins with = like a formula"),
    ],
)
def test_what_is_no_name_is_said(name, said):
    assert said in name_problem(name)


def test_joiners_make_no_other_person():
    assert name_key("علی\u200cرضا") == name_key("علیرضا")
