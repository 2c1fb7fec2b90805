"""Which typed names are asked about, and whose they may be."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reading.names import matches
from reading.names.keys import name_key
from reading.names.near import doubts, likely
from reading.names.understanding import understand

LETTERS = "abcdefghijklmnopqrstuvwxyzäéßøłжщякиам田中山本太郎花"


def club(*names):
    return {name_key(name): (number, name) for number, name in enumerate(names, start=1)}


def meant(typed, *names, **more):
    """Map each name that is asked about to the names that are suggested."""
    found = doubts(typed, club(*names), **more)
    return {doubt.typed: [suggestion.name for suggestion in doubt.suggestions] for doubt in found}


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("Belle", "Bella"),  # changed
        ("Bellaa", "Bella"),  # added
        ("Bela", "Bella"),  # left out
        ("Blela", "Bella"),  # swapped
        ("Ann", "Anna"),
        ("Anna", "Ann"),
        ("RxD2", "R2D2"),
        ("Bella1", "Bella"),
        ("Jose", "José"),
        ("Zoe", "Zoë"),
        ("Mueller", "Müller"),
        ("Bella 🦊", "Bella"),
        ("Bella", "🦊 Bella 🦊"),
        ("Bella...", "Bella"),
        ("Bella (first time)", "Bella"),
        ("Bella [guest]", "Bella"),
        ("(Bella)", "Bella"),
        ("Mr. Bloom", "Bloom"),
        ("Yuki-san", "Yuki"),
        ("田中さん", "田中"),
        ("田中 様", "田中"),
        ("田中くん", "田中"),
        ("田中氏（初参加）", "田中"),
        ("田中 太郎", "田中太郎"),
        ("田中　太郎", "田中太郎"),
        ("ユウキ", "ゆうき"),
        ("Adaさん", "Ada"),
        ("Lovelace, Ada", "Ada Lovelace"),
        ("Ada #1", "Ada 1"),
        ("Bram", "Bram de Vries"),
        ("Bra", "Bram de Vries"),
        ("Bram さん", "Bram de Vries"),
        ("علی رضا", "علی\u200cرضا"),
        ("Lena Voss £120", "Lena Voss"),
        ("Lena Voss 2 rebuys", "Lena Voss"),
        ("Lena Voss R", "Lena Voss"),
        ("Lena Voss 3xKO", "Lena Voss"),
        ("Lena Voss – 2 bounties", "Lena Voss"),
        ("Out first: Kit Marsh", "Kit Marsh"),
        ("1st - Ann Lee - $120", "Ann Lee"),
        ("Ann Lee 1st", "Ann Lee"),
        ("4️⃣ Ann Lee", "Ann Lee"),
        ("Hale B", "Hale"),
        ("田中太郎 120円", "田中太郎"),
        ("A. Holm", "Anders Holm"),
        ("A Holm", "Anders Holm"),
    ],
)
def test_a_name_that_may_be_another_is_asked_about(typed, known):
    assert meant([typed], known, "Somebody Else") == {typed: [known]}


def test_both_names_that_stand_in_a_text_are_suggested():
    assert meant(["Lena Voss & Tom Hale (chop)"], "Tom Hale", "Lena Voss") == {
        "Lena Voss & Tom Hale (chop)": ["Lena Voss", "Tom Hale"]
    }


def test_a_name_with_a_remark_is_not_remembered_and_a_misspelt_one_is():
    known = club("Lena Voss", "Kit Marsh")
    for typed, aliases in (("Lena Voss £120", {}), ("Lena Vos", {"Lena Vos": 1})):
        understood = understand([typed], known, {name_key(typed): "1"})
        assert (understood.name_of(typed), understood.aliases) == ("Lena Voss", aliases)


DECORATIONS = [
    "£120",
    "$ 80",
    "R",
    "RR",
    "2 rebuys",
    "3xKO",
    "2 bounties",
    "1st",
    "(chop)",
    "!!!",
    "wins",
    "out 21:40",
    "🏆",
]


@given(
    st.sampled_from(["Lena Voss", "Tom Hale", "Ada", "田中太郎"]),
    st.lists(st.sampled_from(DECORATIONS), max_size=2),
    st.lists(st.sampled_from(DECORATIONS), max_size=2),
    st.sampled_from([" ", " - ", ": ", ", "]),
)
def test_a_members_name_with_anything_around_it_is_never_a_new_guest(name, before, behind, sign):
    typed = sign.join([*before, name, *behind])
    asked = meant([typed], "Lena Voss", "Tom Hale", "Ada", "田中太郎")
    assert name_key(typed) == name_key(name) or name in asked[typed]


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        (["BELLA", "ｂｅｌｌａ"], ["Bella"]),  # the same key
        (["Hale", "Hale B"], ["Hale", "Hale B"]),
        (["Hale", "Hale B"], ["Hale"]),
        (["Ana"], ["Ann"]),  # three letters
        (["Guest 2"], ["Guest 1"]),
        (["Guest 12"], ["Guest 1"]),
        (["Guest 1"], ["Guest 12"]),
        (["Bella"], ["Stella"]),
        (["Tom"], ["Tom A", "Tom B", "Tom C", "Tom D"]),
        (["To"], ["Tom", "Toby"]),
        (["🦊"], ["🐺"]),
        (["田中"], ["山田"]),
        (["Ann", "Anna Lee"], ["Anna Lee"]),  # both play
        ([], ["Bella"]),
        (["", "Bella"], []),
        ([f"Guest {n}" for n in range(40)], []),
        (["Tom B", "Tom W"], []),
    ],
)
def test_who_is_somebody_else_is_not_asked_about(typed, known):
    assert meant(typed, *known) == {}


def test_several_players_may_be_meant():
    assert meant(["Tom"], "Tom Alvarez", "Tom Baker", "Otto") == {"Tom": ["Tom Alvarez", "Tom Baker"]}
    assert meant(["Belle"], "Bella", "Belly", "Bell", "Belze") == {"Belle": ["Bella", "Belly", "Bell"]}


def test_a_name_nearly_the_same_as_one_of_the_same_evening_is_asked_about():
    assert meant(["Bella", "Belle"], "Bella") == {"Belle": ["Bella"]}
    assert meant(["Belle", "Bella"], "Bella") == {"Belle": ["Bella"]}


def test_of_two_new_names_the_later_one_is_asked_about():
    found = doubts(["Otto", "Bella", "Belle", "Bella!"], {})
    assert [(doubt.typed, [(one.player_id, one.name) for one in doubt.suggestions]) for doubt in found] == [
        ("Belle", [(None, "Bella")]),
        ("Bella!", [(None, "Bella"), (None, "Belle")]),
    ]


def test_in_a_file_only_those_of_one_evening_are_two_people():
    names = ["Ann", "Anna Lee", "Tom B", "Tom W"]
    apart, together = [["Ann", "Tom B"], ["Anna Lee", "Tom W"]], [names]
    assert meant(names, "Anna Lee", evenings=apart) == {"Ann": ["Anna Lee"], "Tom W": ["Tom B"]}
    assert meant(names, "Anna Lee", evenings=together) == {}


def test_another_name_of_a_player_suggests_the_player_once():
    known = club("Isabella") | {"bella": (1, "Isabella"), "bela": (1, "Isabella")}
    [doubt] = doubts(["Belle"], known)
    assert [(one.player_id, one.name) for one in doubt.suggestions] == [(1, "Isabella")]
    assert doubts(["Bella"], known) == []


def test_the_reason_is_said():
    [doubt] = doubts(["Belle"], club("Bella"))
    assert doubt.suggestions[0].reason == "One letter apart"


NAME = st.text(LETTERS + " ", min_size=4, max_size=20).map(lambda name: " ".join(name.split()))


@st.composite
def edited(draw):
    """A name of four letters or more, and the same with one letter changed, added, left out or swapped."""
    name = draw(NAME.filter(lambda name: len(name) >= 4))
    i, letter = draw(st.integers(0, len(name) - 1)), draw(st.sampled_from(LETTERS))
    edits = [
        name[:i] + letter + name[i + 1 :],
        name[:i] + letter + name[i:],
        name[:i] + name[i + 1 :],
        name[:i] + name[i + 1 : i + 2] + name[i : i + 1] + name[i + 2 :],
    ]
    return name, draw(st.sampled_from(edits))


@given(edited(), st.lists(NAME, max_size=5))
def test_one_edit_of_a_known_name_is_always_asked_about(pair, others):
    name, typed = pair
    known = club(*dict.fromkeys([name, *others]))
    assume(name_key(typed) and name_key(typed) not in known)
    [doubt] = doubts([typed], known)
    assert doubt.suggestions
    if len(doubt.suggestions) < 3:
        assert name in {suggestion.name for suggestion in doubt.suggestions}


@given(
    NAME.filter(bool),
    st.sampled_from(["{} 🦊", "{}さん", "{}様", "({})", "{} (new here)", "{}...", "{} 氏", "Dr. {}", "{}❤️"]),
)
def test_a_known_name_with_decoration_is_always_asked_about(name, pattern):
    typed, known = pattern.format(name), club(name)
    assume(name_key(typed) not in known)
    [doubt] = doubts([typed], known)
    assert [suggestion.name for suggestion in doubt.suggestions] == [name]


@given(st.lists(NAME.filter(bool), unique_by=name_key, max_size=12))
def test_known_names_are_never_asked_about(names):
    assert doubts(names, club(*names)) == []
    assert likely(names, {name_key(name): name for name in names}) == {}


@pytest.mark.rest
@given(st.lists(st.text(max_size=12), max_size=12), st.lists(st.text(min_size=1, max_size=12), max_size=12))
def test_any_text_is_compared_without_a_failure(typed, names):
    known = club(*(name for name in names if name_key(name)))
    for doubt in doubts(typed, known):
        assert doubt.typed in typed
        assert doubt.key not in known
        assert 1 <= len(doubt.suggestions) <= 3


@pytest.fixture
def compared(monkeypatch):
    """The names that are compared letter by letter."""
    names, distance = [], matches.OSA.distance
    monkeypatch.setattr(
        matches.OSA, "distance", lambda one, two, **cutoff: names.append(one) or distance(one, two, **cutoff)
    )
    return names


def test_the_work_grows_with_the_number_of_names(compared):
    """A hundred misspelt names are compared with few of six thousand players."""
    players = [f"{'abcdefghij'[n % 10]}{n * 7919 % 6_000:04d} family{n * 31 % 997}" for n in range(6_000)]
    typed = [f"{name}x" for name in players[::60]]
    assert len(doubts(typed, club(*players))) == 100
    assert len(compared) < 4_000


@pytest.mark.parametrize("pattern", ["hale {}", "{}abcdefgh"])
def test_a_text_of_names_that_all_resemble_each_other_is_compared_within_bounds(compared, pattern):
    typed = [pattern.format(chr(0x4E00 + n)) for n in range(400)]
    assert len(doubts(typed, {})) in {0, 399}  # initials tell people of one evening apart
    assert len(compared) <= 400 * matches.MOST_COMPARED
