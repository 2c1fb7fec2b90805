"""A receipt as plain text, for chats and mails, in the language and words that are active."""

from collections.abc import Iterator

from league import formats
from league.vocabulary import gettext as _
from standings.receipts import sentences
from standings.receipts.facts import Receipt


def heading(receipt: Receipt) -> str:
    """Say in a line who was where: "Moss: 10th of 14, expected 6.7"."""
    said = _("%(name)s: %(place)s") % {"name": receipt.player.name, "place": sentences.title(receipt)}
    if receipt.expected is None or len(receipt.places) > 1:
        return said
    return formats.listed(
        [said, _("expected %(expected)s") % {"expected": formats.number(receipt.expected, 1)}]
    )


def receipt_lines(receipt: Receipt) -> Iterator[str]:
    """Write the heading and a line for each part of a receipt."""
    yield heading(receipt)
    yield from sentences.reached(receipt)
    for line in sentences.lines(receipt):
        said = [each for each in (line.text, line.small.rstrip(".。")) if each]
        values = {"label": line.label, "value": line.value, "text": formats.listed(said)}
        yield (_("%(label)s %(value)s: %(text)s") if said else _("%(label)s %(value)s")) % values
