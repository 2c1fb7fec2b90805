"""Pages of accounts, clubs and invitations for the operator."""

from people.admin import accounts, clubs, invitations

__all__ = ["accounts", "clubs", "invitations"]
