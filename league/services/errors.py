class Refused(Exception):
    """A write the rules do not allow. The message is for the person who asked for it."""


class BadResult(Refused):
    """A result that what is stored contradicts, or that has no points; the message is about the finishing order."""


class Stale(Refused):
    """Somebody else has saved since this form was opened."""
