"""The security log: sign-ins, and what was refused, a line each (docs/operations.md)."""

import json
import logging

from allauth.account.adapter import get_adapter
from allauth.core import context
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

logger = logging.getLogger("tierboard.security")
N_SHOWN = 2  # letters of what was typed: it may be a password in the wrong field


def log_refusal(event: str, request: HttpRequest | None = None, **details: object) -> None:
    """Write a line about something that was refused, by default to the request that is being answered."""
    log_security(event, request or context.request, level=logging.WARNING, **details)


def log_security(
    event: str, request: HttpRequest | None, *, level: int = logging.INFO, **details: object
) -> None:
    """Write a line. Values are JSON in ASCII, so that nothing typed can begin another line."""
    network = {"from": get_adapter().get_client_ip(request)} if request else {}  # none asks in the worker
    text = " ".join(f"{name}={json.dumps(value)}" for name, value in {**network, **details}.items())
    fields = {"event": event, "from_network": network.get("from", ""), **details}
    logger.log(level, "%s %s", event, text, extra={"security": fields})


def sender_of(request: HttpRequest) -> dict[str, object]:
    """Name the network that asks, and the account if it is known (`private_to_accounts`): nothing is read here."""
    try:
        sender: dict[str, object] = {"from_network": get_adapter().get_client_ip(request)}
    except (PermissionDenied, ValueError):  # a proxy that is not counted, or a forged address
        return {}
    account = getattr(request, "account_id", None)
    return sender | ({"account": account} if account else {})


def masked(typed: str) -> str:
    name, at, host = typed.partition("@")
    return f"{name[:N_SHOWN]}…{at}{host}"
