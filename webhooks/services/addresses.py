"""Check the address that somebody typed for a webhook: where it leads, and whether its chat has addresses like it."""

from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from webhooks.models import Target
from webhooks.services.connecting import AddressRefusedError, place_of

# Where the addresses of each chat lead.
CHATS = {
    Target.DISCORD: ("discord.com", "/api/webhooks/"),
    Target.SLACK: ("hooks.slack.com", "/services/"),
    Target.TELEGRAM: ("api.telegram.org", "/bot"),
}
SENDS = "/sendMessage"  # what a bot of Telegram is asked for


def address_problems(target: Target, url: str, chat: str) -> dict[str, str]:
    """Say by field what is wrong with an address; nothing for one that can be used."""
    problems = {}
    if target == Target.TELEGRAM and not chat:
        problems["chat"] = _("Telegram needs the chat to write into.")
    if not url.isprintable() or " " in url:
        return problems | {"url": _("This is no address of the internet.")}
    if target in CHATS:
        problem = _problem_of_chat(target, url)
        return problems | ({"url": problem} if problem else {})
    try:
        place_of(url)
    except AddressRefusedError as error:
        problems["url"] = str(error)
    return problems


def _problem_of_chat(target: Target, url: str) -> str:
    """Say why an address is none of a chat; "" if it is."""
    host, path = CHATS[target]
    if not url.startswith(f"https://{host}{path}"):
        values = {"target": target.label, "host": host, "path": path}
        return _("An address of %(target)s begins with https://%(host)s%(path)s.") % values
    if target == Target.TELEGRAM and not urlsplit(url).path.endswith(SENDS):
        return _("The address of a bot ends with /sendMessage.")
    return ""
