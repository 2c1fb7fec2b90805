"""Addresses of the laboratory's pages: of the site, or below the masthead of the club that the reader comes from."""

from django.http import HttpRequest
from django.urls import reverse


def lab_address(request: HttpRequest | None, name: str, *args: object) -> str:
    """Address a page of the laboratory, in the club of the request if it has one."""
    club = getattr(request, "club", None)
    return (
        reverse(f"lab:in-club-{name}", args=[club.slug, *args]) if club else reverse(f"lab:{name}", args=args)
    )
