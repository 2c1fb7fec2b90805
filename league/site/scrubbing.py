"""Send errors to Sentry: where each was raised, and nothing that people have typed or that lets somebody in."""

from typing import Any

KEPT = {
    "contexts", "event_id", "exception", "level", "logger", "platform", "release", "server_name", "timestamp",
    "transaction",
}  # fmt: skip


def scrubbed(event: Any, _hint: Any) -> Any:
    """Keep of an event what names the place in the program: addresses, queries and messages may hold names and keys.

    `transaction` is the pattern of the address or the name of the task, without their values.
    """
    kept = {name: value for name, value in event.items() if name in KEPT}
    for raised in kept.get("exception", {}).get("values", ()):
        raised["value"] = ""
    if "request" in event:
        kept["request"] = {"method": event["request"].get("method", "")}
    return kept


def report_errors_to(dsn: str) -> None:
    """Send errors to a project of Sentry. Its library is loaded only where somebody wants it."""
    import sentry_sdk

    sentry_sdk.init(
        dsn=dsn, before_send=scrubbed, include_local_variables=False, max_request_body_size="never"
    )
