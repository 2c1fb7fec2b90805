"""What the engine refuses, in the reader's language; the engine itself speaks English."""

import re

from django.utils.translation import gettext_lazy

# The engine's messages. What stands in named groups goes into the translation.
SAID = (
    (r"place (?P<k>\d+): '(?P<x>.*)' is not a number", gettext_lazy("Place %(k)s: “%(x)s” is not a number.")),
    (
        r"place (?P<k>\d+) has (?P<v>\S+), more than the (?P<b>\S+) of place (?P<j>\d+)",
        gettext_lazy("Place %(k)s has %(v)s, more than the %(b)s of place %(j)s."),
    ),
    (
        r"place (?P<k>\d+) has (?P<v>\S+), votes must be positive",
        gettext_lazy("Place %(k)s has %(v)s: votes must be positive."),
    ),
    (
        r"place (?P<k>\d+) has (?P<v>\S+), percentages must be positive",
        gettext_lazy("Place %(k)s has %(v)s: percentages must be positive."),
    ),
    (
        r"place (?P<k>\d+) has (?P<v>\S+), points must not be negative",
        gettext_lazy("Place %(k)s has %(v)s: points must not be negative."),
    ),
    (r"at least one place is needed", gettext_lazy("At least one place is needed.")),
    (
        r"the percentages sum to (?P<s>\S+), must be 100",
        gettext_lazy("The percentages sum to %(s)s; they must sum to 100."),
    ),
    (
        r"at most (?P<n>\d+) places can be listed, got (?P<x>\d+)",
        gettext_lazy("At most %(n)s places can be listed, not %(x)s."),
    ),
    (
        r"must be more than 0, at most (?P<b>\S+), got (?P<x>\S+)",
        gettext_lazy("It must be more than 0 and at most %(b)s, not %(x)s."),
    ),
    (
        r"must be (?P<a>\S+) to (?P<b>\S+), got (?P<x>\S+)",
        gettext_lazy("It must be from %(a)s to %(b)s, not %(x)s."),
    ),
    (r"must be positive, got (?P<x>\S+)", gettext_lazy("It must be positive, not %(x)s.")),
    (r"at most (?P<n>\d+) decimals, got (?P<x>\S+)", gettext_lazy("At most %(n)s decimals, not %(x)s.")),
    (
        r"'(?P<x>.*)' is not a tail, write none, 100/n or power 1.05",
        gettext_lazy("“%(x)s” is not an end of the list: write none, 100/n or power 1.05."),
    ),
    (r"a formula is needed", gettext_lazy("A formula is needed.")),
    (r"at most (?P<n>\d+) characters, got (?P<x>\d+)", gettext_lazy("At most %(n)s characters, not %(x)s.")),
    (
        r"(?P<q>['\"])(?P<x>.*)(?P=q) is not part of a formula",
        gettext_lazy("“%(x)s” is not part of a formula."),
    ),
    (
        r"put a sign between number and name in '(?P<x>.*)', as in 2\*n",
        gettext_lazy("Put a sign between number and name in “%(x)s”, as in 2*n."),
    ),
    (
        r"put a sign between brackets, as in (?P<x>.*)",
        gettext_lazy("Put a sign between brackets, as in %(x)s."),
    ),
    (r"this is not a formula", gettext_lazy("This is not a formula.")),
    (
        r"at most (?P<n>\d+) numbers, names and signs, got (?P<x>\d+)",
        gettext_lazy("At most %(n)s numbers, names and signs, not %(x)s."),
    ),
    (
        r"only numbers, names and arithmetic can be used",
        gettext_lazy("Only numbers, names and arithmetic can be used."),
    ),
    (
        r"'(?P<x>.*)' is not a function, one of: (?P<n>.*)",
        gettext_lazy("“%(x)s” is not a function. There are: %(n)s."),
    ),
    (r"'(?P<x>.*)' is not known, one of: (?P<n>.*)", gettext_lazy("“%(x)s” is not known. There are: %(n)s.")),
    (r"'?(?P<x>.*?)'? is not a number", gettext_lazy("“%(x)s” is not a number.")),
    (r"(?P<x>\w+) takes one number", gettext_lazy("%(x)s takes one number.")),
    (r"(?P<x>\w+) takes two numbers or more", gettext_lazy("%(x)s takes two numbers or more.")),
    (
        r"division by zero for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy("It divides by zero for %(n)s entries, place %(k)s%(o)s."),
    ),
    (
        r"the result is too large for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy("The result is too large for %(n)s entries, place %(k)s%(o)s."),
    ),
    (
        r"a root or logarithm has no value for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy("A root or logarithm has no value for %(n)s entries, place %(k)s%(o)s."),
    ),
    (
        r"negative points for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy("The points are negative for %(n)s entries, place %(k)s%(o)s."),
    ),
    (
        r"more points than the place before for (?P<n>\d+) entries, place (?P<k>\d+)(?P<o>.*)",
        gettext_lazy(
            "The place gets more points than the one before it for %(n)s entries, place %(k)s%(o)s."
        ),
    ),
    (
        r"(?P<x>\S+) points are more than the (?P<n>\d+) that an entry can have",
        gettext_lazy("%(x)s points are more than the %(n)s that an entry can have."),
    ),
    (
        r"(?P<x>\S+) points are too long a fraction: use fewer decimals",
        gettext_lazy("%(x)s points are too long a fraction: use fewer decimals."),
    ),
    (
        r"unknown (?:structure|tie rule|tail) '(?P<x>.*)', one of: (?P<n>.*)",
        gettext_lazy("“%(x)s” does not exist. There are: %(n)s."),
    ),
    (
        r"number (?P<k>\d+) is unknown: '?(?P<x>.*?)'?, one of: (?P<n>.*)",
        gettext_lazy("Number %(k)s: “%(x)s” does not exist. There are: %(n)s."),
    ),
    (r"(?P<x>\w+) has no such setting", gettext_lazy("%(x)s has no such setting.")),
    (r"unknown setting, one of: (?P<n>.*)", gettext_lazy("There is no such setting. There are: %(n)s.")),
    (
        r"(?P<x>\w+) is a formula and has no (?:votes and no )?seats",
        gettext_lazy("%(x)s is a formula and has no seats."),
    ),
    (
        r"(?P<x>\w+) is a formula and shares out no total",
        gettext_lazy("%(x)s is a formula and shares out no total."),
    ),
    (r"a whole number is needed, got (?P<x>.*)", gettext_lazy("A whole number is needed, not %(x)s.")),
    (r"a text is needed, got (?P<x>.*)", gettext_lazy("A text is needed, not %(x)s.")),
    (r"a list is needed, got (?P<x>.*)", gettext_lazy("A list is needed, not %(x)s.")),
    (r"must not be negative, got (?P<x>\S+)", gettext_lazy("It must be 0 or more, not %(x)s.")),
    (
        r"must be at least (?P<a>\S+), got (?P<x>\S+)",
        gettext_lazy("It must be at least %(a)s, not %(x)s."),
    ),
    (
        r"must be at most (?P<b>\S+), got (?P<x>\S+)",
        gettext_lazy("It must be at most %(b)s, not %(x)s."),
    ),
    (
        r"number (?P<k>\d+) is there twice: '(?P<x>.*)'",
        gettext_lazy("Number %(k)s: “%(x)s” is there twice."),
    ),
)


def engine_error(error: ValueError) -> tuple[str, str]:
    """Field that an engine's message names, and the message in the reader's language."""
    field, _colon, text = str(error).partition(": ")
    for pattern, said in SAID:
        if match := re.fullmatch(pattern, text):
            return field, str(said) % match.groupdict()
    return field, text
