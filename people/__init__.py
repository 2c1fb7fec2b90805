"""Accounts, roles, invitations, claims and mails: who a person is to a club."""
