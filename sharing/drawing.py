"""Draws the picture of a shared link: a PNG of 1200 x 630, in the light colours of the site."""

import io
from math import cos, pi, sin

from PIL import Image, ImageDraw

from sharing.cards import Card, Mark, Row
from sharing.lettering import SANS, SERIF, Family, fitted, shortened, width_of, write

REVISION = 1  # raised when the same card would be drawn differently
WIDTH, HEIGHT = 1200, 630
LEFT, RIGHT = 60, 1140
# The colours of static/css/tokens.css in light; a test compares them.
PAPER, INK, INK_2, RULE, GAIN, LOSS, ON_BADGE = (
    "#fdfdfb", "#151a18", "#4c5652", "#d3d8d0", "#0a6645", "#a83a26", "#ffffff",
)  # fmt: skip
FAMILIES = {"s": "#855d00", "a": "#84307d", "b": "#1d55a3", "c": "#55636a"}
# Badges as in static/css/badge.css: per cent of width and height. C is a disc.
SHAPES = {
    "s": "50 0 61 12 76 7 80 21 95 25 90 40 100 50 90 60 95 75 80 79 76 93 61 88 50 100 39 88 24 93 20 79 5 75 10 60"
    " 0 50 10 40 5 25 20 21 24 7 39 12",
    "a": "4 4 96 4 96 58 84 78 50 100 16 78 4 58",
    "b": "25 5 75 5 100 50 75 95 25 95 0 50",
}
SMOOTH = 4  # shapes are drawn so many times larger and reduced, since edges are not smoothed otherwise
CORNERS_OF_A_DISC = 120
PORTRAIT, PORTRAIT_LEFT, PORTRAIT_BADGE = 520, 60, 400
TABLE_RIGHT = 710
# The sizes of a title, and how many lines there is room for in each.
TITLE, PORTRAIT_TITLE = {64: 2, 54: 2, 44: 3}, {84: 2, 68: 2, 46: 3}
MIN_COLUMN, GAP = 70, 28
PITCH, PORTRAIT_PITCH, BOTTOM = 67, 60, 548


def draw(card: Card) -> bytes:
    """Draw a card as PNG."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(picture)
    _head_and_foot(pen, card)
    if card.is_portrait:
        _portrait(picture, pen, card)
    else:
        _statement(picture, pen, card)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def _head_and_foot(pen: ImageDraw.ImageDraw, card: Card) -> None:
    corner = shortened(card.corner, SANS, 26, 520)
    free = RIGHT - LEFT - width_of(corner, SANS, 26) - 40
    write(pen, (LEFT, 70), shortened(card.club, SERIF, 36, free), SERIF, 36, INK)
    _write_to(pen, (RIGHT, 70), corner, SANS, 26, INK_2)
    pen.rectangle((LEFT, 90, RIGHT - 1, 95), fill=INK)
    pen.rectangle((LEFT, 100, RIGHT - 1, 101), fill=INK)
    write(pen, (LEFT, 600), shortened(card.foot, SANS, 24, 900), SANS, 24, INK_2)
    _write_to(pen, (RIGHT, 600), "Tierboard", SERIF, 24, INK)


def _write_to(
    pen: ImageDraw.ImageDraw, where: tuple[float, float], text: str, family: Family, size: int, ink: str
) -> None:
    """Write a text that ends at a point."""
    write(pen, (where[0] - width_of(text, family, size), where[1]), text, family, size, ink)


def _statement(picture: Image.Image, pen: ImageDraw.ImageDraw, card: Card) -> None:
    """Draw a sentence, a table below it, and a badge beside the table."""
    size, lines = fitted(card.title, SERIF, RIGHT - LEFT, TITLE)
    for number, line in enumerate(lines):
        write(pen, (LEFT, 184 + number * size * 1.16), line, SERIF, size, INK)
    if card.rows:
        _table(pen, card, LEFT, TABLE_RIGHT if card.badge else RIGHT, 346)
    if card.badge:
        _badge(picture, card.badge, (820, 318), 230)


def _portrait(picture: Image.Image, pen: ImageDraw.ImageDraw, card: Card) -> None:
    """Draw a badge, and beside it a name and figures."""
    left = PORTRAIT if card.badge else LEFT
    if card.badge:
        _badge(picture, card.badge, (PORTRAIT_LEFT, 145), PORTRAIT_BADGE)
    size, lines = fitted(card.title, SERIF, RIGHT - left, PORTRAIT_TITLE)
    first = 130 + size * 0.9
    for number, line in enumerate(lines):
        write(pen, (left, first + number * size * 1.14), line, SERIF, size, INK)
    y = first + (len(lines) - 1) * size * 1.14 + 58
    write(pen, (left, y), shortened(card.text, SERIF, 34, RIGHT - left), SERIF, 34, INK_2)
    if card.rows:
        _table(pen, card, left, RIGHT, BOTTOM - len(card.rows) * PORTRAIT_PITCH)


def _table(pen: ImageDraw.ImageDraw, card: Card, left: int, right: int, top: int) -> None:
    pitch = PORTRAIT_PITCH if card.is_portrait else PITCH
    columns = _columns(card, right)
    for head, x in zip(card.heads, columns, strict=False):
        _write_to(pen, (x, top - 12), head, SANS, 22, INK_2)
    pen.rectangle((left, top, right - 1, top + 1), fill=INK)
    for number, row in enumerate(card.rows):
        _row(pen, row, (left, top + pitch * number), columns, pitch)
    last = top + pitch * len(card.rows)
    pen.rectangle((left, last, right - 1, last + 1), fill=INK)


def _columns(card: Card, right: int) -> list[float]:
    """Place the right edges of the columns of figures, each as wide as its widest figure."""
    edges: list[float] = []
    edge = float(right)
    for column in reversed(list(zip(*(row.values for row in card.rows), strict=True))):
        edges.insert(0, edge)
        edge -= max(MIN_COLUMN, *(width_of(value, SANS, 34) for value in column)) + GAP
    return edges


def _row(
    pen: ImageDraw.ImageDraw, row: Row, where: tuple[int, int], columns: list[float], pitch: int
) -> None:
    left, top = where
    line, name_left = top + pitch - 18, float(left)
    if row.place:
        write(pen, (left + 10, line), row.place, SANS, 34, INK_2)
        name_left = left + max(60, width_of(row.place, SANS, 34) + 26)
    widest = columns[0] - width_of(row.values[0], SANS, 34) - GAP - name_left
    name, family, size = (row.name, SERIF, 42) if row.place else (row.name, SANS, 30)
    write(
        pen,
        (name_left, line),
        shortened(name, family, size, widest),
        family,
        size,
        INK if row.place else INK_2,
    )
    for value, x in zip(row.values, columns, strict=True):
        ink = GAIN if value.startswith("+") else LOSS if value.startswith("−") else INK
        _write_to(pen, (x, line), value, SANS, 34, ink)
    pen.rectangle((left, top + pitch, columns[-1] - 1, top + pitch), fill=RULE)


def _badge(picture: Image.Image, badge: Mark, where: tuple[int, int], size: int) -> None:
    """Draw a badge; a provisional one as its outline."""
    family = badge.letters[0].lower()
    fill, letters = FAMILIES[family], ON_BADGE
    shape = Image.new("L", (size * SMOOTH, size * SMOOTH))
    ImageDraw.Draw(shape).polygon(_corners(family, size * SMOOTH, 0), fill=255)
    if badge.is_provisional:
        ImageDraw.Draw(shape).polygon(_corners(family, size * SMOOTH, size * SMOOTH // 24), fill=0)
        letters = fill
    picture.paste(fill, where, shape.reduce(SMOOTH))
    height = size * 36 // 100
    x = where[0] + (size - width_of(badge.letters, SANS, height)) / 2
    write(
        ImageDraw.Draw(picture),
        (x, where[1] + size / 2 + height * 0.36),
        badge.letters,
        SANS,
        height,
        letters,
    )


def _corners(family: str, size: int, inset: int) -> list[tuple[float, float]]:
    """Place the corners of a badge in a square; `inset` moves them towards its middle."""
    if family in SHAPES:
        numbers = [int(each) / 100 for each in SHAPES[family].split()]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
    else:
        turns = [2 * pi * number / CORNERS_OF_A_DISC for number in range(CORNERS_OF_A_DISC)]
        points = [(0.5 + cos(turn) / 2, 0.5 + sin(turn) / 2) for turn in turns]
    scale = size - 2 * inset
    return [(inset + x * scale, inset + y * scale) for x, y in points]
