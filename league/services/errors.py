from django.utils.translation import gettext as _


class Refused(Exception):
    """A write the rules do not allow; the message is for the user."""


class BadResult(Refused):
    """A result that contradicts stored times, or that has no points; the message is about the finishing order."""


class BadDay(Refused):
    """A day that the result cannot be on: outside the season, or still to come."""


class AlreadyThere(Refused):
    """A new event like one that is stored: at the same time, or on the same day with mostly the same names."""


class Stale(Refused):
    """A form that was opened before somebody else saved."""

    def __init__(self, message: str = "") -> None:
        super().__init__(
            message or _("Somebody else has changed this since you opened it. Look at it and save again.")
        )
