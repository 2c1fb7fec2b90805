"""Clean typed names, and explain why a text cannot be one."""

import unicodedata

from django.utils.translation import gettext as _

from reading.names.contacts import holds_contact
from reading.names.keys import JOINERS, MAX_NAME_LENGTH, name_key

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# What a cell without a name holds.
NO_NAMES = {"n/a", "n.a.", "#n/a", "#name?", "#ref!", "#value!", "#null!", "#div/0!", "#num!"}
BLACK_FLAG = "\U0001f3f4"  # tags after it make it the flag of a region
TAGS = range(0xE0020, 0xE0080)
# Signs that a later edition of Unicode may have added here are visible: pictographs and ideographs.
LATER_SIGNS = (range(0x1F000, 0x1FC00), range(0x20000, 0x3FFFE))


def clean_name(text: str) -> str:
    """Normalize a name for storage: full-width characters become narrow, outer and double spaces go."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def name_problem(name: str) -> str | None:
    """Explain why a text cannot be the name of a player; None if it can."""
    if problem := title_problem(name, most=MAX_NAME_LENGTH):
        return problem
    if name.startswith("="):
        return _("“%(name)s” begins with = like a formula of a spreadsheet. Type the name itself.") % {
            "name": name
        }
    if holds_contact(name):
        return _(
            "“%(name)s” holds a phone number or a mail address, which is not kept. Type the name alone."
        ) % {"name": name}
    if name_key(name) in NO_NAMES or not any(map(_is_sign_of_a_name, name)):
        return _("“%(name)s” is no name.") % {"name": name}
    return None


def title_problem(name: str, *, most: int) -> str | None:
    """Explain why a text cannot be the name of a club, a season or an event; None if it can."""
    if not name_key(name):
        return _("A name is missing.")
    if len(name) > most:
        return _("This name has %(length)d characters; %(most)d is the most.") % {
            "length": len(name),
            "most": most,
        }
    if invisible_at(name):
        return _("This name has an invisible control character in it. Type it again.")
    return None


def text_problem(text: str) -> str | None:
    """Explain why a free text cannot be kept; None if it can. Lines and tabs are part of a text."""
    if any(text[i] not in "\n\r\t" for i in invisible_at(text)):
        return _("This text has an invisible control character in it. Type it again.")
    return None


def visible(text: str) -> str:
    """Leave out what no page or feed can show: texts that were stored before they were checked have it."""
    hidden = {i for i in invisible_at(text) if text[i] not in "\n\r\t"}
    return "".join(char for i, char in enumerate(text) if i not in hidden) if hidden else text


def invisible_at(text: str) -> list[int]:
    """Find characters that nobody sees and no script needs.

    Joiners within words of Persian or Sinhala and within emoji are needed, so are the tags of a flag.
    """
    if text.isprintable():
        return []
    return [i for i, char in enumerate(text) if _is_invisible(char) and not _is_needed(text, i)]


def _is_sign_of_a_name(char: str) -> bool:
    """Tell whether a character is a letter, a figure or a picture: of dashes and dots alone there is no name."""
    return unicodedata.category(char) in {"So", "Cn"} or unicodedata.category(char)[0] in "LN"


def _is_invisible(char: str) -> bool:
    category = unicodedata.category(char)
    return category in INVISIBLE and not (
        category == "Cn" and any(ord(char) in signs for signs in LATER_SIGNS)
    )


def _is_needed(text: str, i: int) -> bool:
    if text[i] in JOINERS:
        return 0 < i < len(text) - 1 and _can_be_joined(text[i - 1]) and _can_be_joined(text[i + 1])
    return ord(text[i]) in TAGS and i > 0 and (text[i - 1] == BLACK_FLAG or ord(text[i - 1]) in TAGS)


def _can_be_joined(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMS" or unicodedata.category(char) == "Cn"
