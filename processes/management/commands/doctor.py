import argparse
import json
import sys
from dataclasses import asdict
from itertools import chain
from typing import Any

from django.core.management import BaseCommand

from processes.doctor.checks import examine
from processes.doctor.findings import Finding, State
from processes.doctor.machine import send_test


class Command(BaseCommand):
    help = "Looks at everything the site needs and says what to do. Exit status 1 if anything is wrong."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", dest="is_json", help="write a list for programs")
        parser.add_argument("--send-mail", metavar="ADDRESS", help="also send a message to this address")

    def handle(self, *_args: Any, is_json: bool, send_mail: str | None, **_options: Any) -> None:
        findings = []
        for finding in chain(examine(), send_test(send_mail) if send_mail else ()):
            findings.append(finding)
            if not is_json:
                self._write(finding)
        if is_json:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=1))
        if any(finding.state == State.WRONG for finding in findings):
            sys.exit(1)

    def _write(self, finding: Finding) -> None:
        self.stdout.write(f"{finding.state:<10} {finding.subject:<13} {finding.found}")
        if finding.remedy:
            self.stdout.write(f"{'':<24} Do: {finding.remedy}")
