"""Letters and colours of the pictures."""

import io
import re
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image

from sharing import drawing
from sharing.cards import Card, Mark, Row
from sharing.lettering import JAPANESE, SANS, SERIF, fitted, lines_of, runs, shortened, width_of

LONG = "Bartholomew-Maximilian Featherstonehaugh-Cholmondeley"
JAPANESE_TEXT = "髙橋﨑太郎が12回目の優勝で、5つ順位を上げて3位に浮上"


def test_japanese_letters_are_of_the_japanese_font_and_others_of_the_first():
    assert runs("Ada 髙橋﨑", SERIF) == [(SERIF[0], "Ada "), (JAPANESE, "髙橋﨑")]
    assert runs("Żółć Ωμ Ёж", SANS) == [(SANS[0], "Żółć Ωμ Ёж")]
    assert runs("か\u3099", SANS) == [(JAPANESE, "が")], "composed first"


def test_letters_that_no_font_has_are_left_out_unless_nothing_would_stay():
    assert "".join(part for _file, part in runs("Ada 🎲", SANS)) == "Ada "
    assert runs("🎲🎲", SANS) == [(SANS[0], "🎲🎲")]
    assert runs("", SANS) == []


@pytest.mark.parametrize("text", [LONG, JAPANESE_TEXT, "W" * 60, "Ada"])
def test_lines_fit_and_lose_nothing(text):
    lines = lines_of(text, SERIF, 64, 400)
    assert all(width_of(line, SERIF, 64) <= 400 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_no_japanese_line_begins_with_the_mark_that_ends_a_sentence():
    size = 40
    for width in range(120, 900, 40):
        assert [line for line in lines_of(JAPANESE_TEXT, SERIF, size, width) if line[0] in "、。"] == []


def test_a_title_takes_the_largest_size_that_fits_and_is_cut_in_the_smallest():
    assert fitted("Ada", SERIF, 1000, {64: 2, 44: 3}) == (64, ["Ada"])
    size, lines = fitted(LONG * 5, SERIF, 500, {64: 2, 44: 3})
    assert (size, len(lines)) == (44, 3)
    assert lines[-1].endswith("…")
    assert all(width_of(line, SERIF, size) <= 500 for line in lines)


def test_a_text_is_cut_where_its_place_ends():
    assert shortened("Ada", SANS, 30, 300) == "Ada"
    cut = shortened(LONG, SANS, 30, 300)
    assert cut.endswith("…")
    assert width_of(cut, SANS, 30) <= 300


def test_colours_and_badges_are_those_of_the_site():
    css = Path(settings.BASE_DIR, "static", "css")
    tokens = dict(re.findall(r"--([\w-]+):\s*light-dark\((#\w+)", (css / "tokens.css").read_text()))
    names = ("paper", "ink", "ink-2", "rule", "gain", "loss", "on-badge")
    of_code = (
        drawing.PAPER,
        drawing.INK,
        drawing.INK_2,
        drawing.RULE,
        drawing.GAIN,
        drawing.LOSS,
        drawing.ON_BADGE,
    )
    assert of_code == tuple(tokens[name] for name in names)
    assert {name: tokens[name] for name in drawing.FAMILIES} == drawing.FAMILIES
    badges = (css / "badge.css").read_text()
    shapes = dict(re.findall(r"\.badge\.(\w) \{[^}]*--shape: polygon\(([^)]*)\)", badges))
    assert {name: re.sub(r"[%,]", "", shape) for name, shape in shapes.items()} == drawing.SHAPES


def test_a_badge_has_its_colour_and_a_provisional_one_only_its_edge():
    def middle(is_provisional):
        """Read the colour beside the letters of the badge."""
        drawn = drawing.draw(Card("Club", "", "Ada", badge=Mark("B1", is_provisional), is_portrait=True))
        with Image.open(io.BytesIO(drawn)) as picture:
            return "#" + bytes(picture.getpixel((260, 240))).hex()

    assert middle(is_provisional=False) == drawing.FAMILIES["b"]
    assert middle(is_provisional=True) == drawing.PAPER


@pytest.mark.parametrize("is_portrait", [True, False])
def test_what_is_written_stays_on_the_picture(is_portrait):
    """Nothing is drawn in the margin, however long the texts are."""
    rows = tuple(
        Row(str(n), "W" * 60, ("+1161", "1234567.75")[: 1 if is_portrait else 2]) for n in (1, 12, 123)
    )
    card = Card(
        "W" * 60,
        "W" * 60,
        "W" * 200,
        "W" * 200,
        Mark("S", False),
        ("Rate", "Points"),
        rows,
        "W" * 200,
        is_portrait,
    )
    with Image.open(io.BytesIO(drawing.draw(card))) as picture:
        margin = picture.crop((drawing.RIGHT + 4, 0, drawing.WIDTH, drawing.HEIGHT))
        assert margin.getcolors() == [(margin.width * margin.height, tuple(bytes.fromhex(drawing.PAPER[1:])))]
