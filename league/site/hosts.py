"""Hosts of other sites, as an owner types them, for the policy that says whose pages may show ours in a frame."""

import re

# What the policy takes: nothing else may get into the header.
ORIGIN = re.compile(r"https?://[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+(:[0-9]{1,5})?")
TYPED = re.compile(r"(?:(https?)://)?([^/:?#\s]+)(:[0-9]+)?(?:[/?#].*)?", re.IGNORECASE)


def read_origin(text: str) -> str | None:
    """Read the address of a site, of a page of it, or a bare host; None if it is none of these."""
    typed = TYPED.fullmatch(text)
    if typed is None:
        return None
    scheme, host, port = typed.groups(default="")
    try:
        name = host.encode("idna").decode().lower()
    except UnicodeError:
        return None
    return known_origin(f"{scheme.lower() or 'https'}://{name}{port}")


def known_origin(text: str) -> str | None:
    return text if ORIGIN.fullmatch(text) else None


def frame_hosts(stored: str) -> list[str]:
    """Parse stored origins for the response header; skip invalid ones."""
    return [origin for origin in map(known_origin, stored.split()) if origin]
