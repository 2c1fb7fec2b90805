from django.utils.translation import gettext as _


class Refused(Exception):
    """A write the rules do not allow. The message is for the person who asked for it."""


class BadResult(Refused):
    """A result that what is stored contradicts, or that has no points; the message is about the finishing order."""


class Stale(Refused):
    """Somebody else has saved since this form was opened."""

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message or _("Somebody else has changed this since you opened it. Look at it and save again.")
        )
