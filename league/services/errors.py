class Refused(Exception):
    """A write the rules do not allow. The message is for the person who asked for it."""


class BadTime(Refused):
    """A time that another stored one contradicts."""


class Stale(Refused):
    """Somebody else has saved since this form was opened."""
