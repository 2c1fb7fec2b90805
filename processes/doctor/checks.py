"""All that `manage.py doctor` looks at, in the order in which it says so."""

from collections.abc import Sequence

from processes.doctor import database, machine, messages, results, site
from processes.doctor.findings import Check, Findings, State, attention, first_line, wrong

# Where one of these is wrong, what needs the database is not looked at.
FIRST = (Check("database", database.check_answer), Check("tables", database.check_tables))
CHECKS = (
    Check("settings", site.check_settings),
    Check("address", site.check_address),
    Check("versions", site.check_versions),
    Check("static files", site.check_static_files),
    Check("translations", site.check_translations),
    Check("disk", machine.check_disk),
    Check("writing", database.check_writing, needs_database=True),
    Check("integrity", database.check_integrity, needs_database=True),
    Check("clock", machine.check_clock, needs_database=True),
    Check("broker", messages.check_broker),
    Check("beat", messages.check_beat, needs_database=True),
    Check("worker", messages.check_worker, needs_database=True),
    Check("mail", machine.check_mail),
    Check("pools", results.check_pools, needs_database=True),
    Check("seals", results.check_seals, needs_database=True),
    Check("expired", results.check_expired, needs_database=True),
    Check("operators", site.check_operators, needs_database=True),
)


def examine(first: Sequence[Check] = FIRST, checks: Sequence[Check] = CHECKS) -> Findings:
    """Run all checks; if one of the first fails, skip those that need the database."""
    has_database = True
    for check in first:
        if has_database:
            for finding in _look(check):
                has_database &= finding.state == State.OK
                yield finding
    for check in checks:
        yield from _look(check) if has_database or not check.needs_database else _not_looked_at(check)


def _not_looked_at(check: Check) -> Findings:
    yield attention(
        check.subject, "Not looked at: it needs the database.", "Mend the database, and look again."
    )


def _look(check: Check) -> Findings:
    """Run one check; report an exception as a finding, so that the other checks still run."""
    try:
        yield from check.look()
    except Exception as error:  # noqa: BLE001  whatever is broken, the operator is told
        yield wrong(
            check.subject,
            f"It could not be looked at: {type(error).__name__}: {first_line(error)}",
            "Mend what the lines above name, and look again.",
        )
