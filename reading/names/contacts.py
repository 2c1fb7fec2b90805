"""Find what people paste beside names and no site may keep: addresses, phone numbers, birthdays."""

import re

MAIL = re.compile(r"<?\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+>?")
# Six digits and more, that begin like a number to dial or are set apart as one.
PHONE = re.compile(
    r"(?:\+|\(0|\b0)\d?(?:[\s()/.-]*\d){5,}|\b\d{3,4}[\s/-]\d{3,4}(?:[\s/-]\d{2,4})?\b|\b\d{7,}\b"
)
BIRTHDAY = re.compile(
    r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})\b|\d{4}年\d{1,2}月\d{1,2}日"
)
AROUND = " \t,;:|/()*·–—-"


def without_contacts(text: str) -> tuple[str, list[str]]:
    """Take contacts off a text; return what is left, and what was taken off."""
    found = []
    for pattern in (MAIL, BIRTHDAY, PHONE):
        found += [match[0].strip(AROUND) for match in pattern.finditer(text)]
        text = pattern.sub(" ", text)
    return (text.strip(AROUND) if found else text), found


def holds_contact(text: str) -> bool:
    """Tell whether a text holds a mail address or a phone number."""
    return bool(MAIL.search(text) or re.search(r"(?:\+|\b0)\d(?:[\s()/.-]*\d){6,}", text))
