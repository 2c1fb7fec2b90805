#!/usr/bin/env python
"""Django's command line: `python manage.py help`; and `manage.py serve`, which starts without Django."""

import os
import sys

if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        from processes.serve import main

        main(sys.argv[2:])
    else:
        from django.core.management import execute_from_command_line

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
        execute_from_command_line(sys.argv)
