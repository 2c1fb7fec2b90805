"""Stored passwords, compared before an account is saved."""

from collections.abc import Collection

from django.contrib.auth.models import User

Fields = Collection[str] | None  # the fields that are saved; None stands for all


def is_saved(update_fields: Fields) -> bool:
    return update_fields is None or "password" in update_fields


def is_hashed_anew(user: User, update_fields: Fields) -> bool:
    """Tell whether an unchanged password only gets a new hash, as at the first sign-in after an upgrade of Django.

    `check_password` then saves the new hash and nothing else, and forgets the password, unlike `set_password`.
    A disabled password is a change, although it is not kept in `_password` either.
    """
    is_alone = update_fields is not None and set(update_fields) == {"password"}
    return is_alone and getattr(user, "_password", None) is None and user.has_usable_password()


def stored_password(user: User) -> str | None:
    """Read the hash in the database; None for a new account."""
    return User.objects.filter(pk=user.pk).values_list("password", flat=True).first()
