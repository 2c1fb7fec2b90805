"""The security log: sign-ins, and what was refused, a line each (docs/operations.md)."""

import json
import logging

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

logger = logging.getLogger("tierboard.security")
N_SHOWN = 2  # letters of what was typed: it may be a password in the wrong field


def log_refusal(event: str, request: HttpRequest, **details: object) -> None:
    """Write a line about something that was refused."""
    log_security(event, request, level=logging.WARNING, **details)


def log_security(event: str, request: HttpRequest, *, level: int = logging.INFO, **details: object) -> None:
    """Write a line. Values are JSON in ASCII, so that nothing typed can begin another line."""
    network_address = get_adapter().get_client_ip(request)
    pairs = {"from": network_address, **details}
    text = " ".join(f"{name}={json.dumps(value)}" for name, value in pairs.items())
    fields = {"event": event, "from_network": network_address, **details}
    logger.log(level, "%s %s", event, text, extra={"security": fields})


def masked(typed: str) -> str:
    name, at, host = typed.partition("@")
    return f"{name[:N_SHOWN]}…{at}{host}"
