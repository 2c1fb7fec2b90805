"""The command import_events: files of any size, read by columns or by rows."""

import io
from datetime import date, timedelta

import pytest
from django.core.management import CommandError, call_command

from league.event_files.reader import MAX_EVENTS
from league.models import Event, Season

pytestmark = pytest.mark.django_db
HEAD = "event,date,player,place\n"


@pytest.fixture
def imported(season, tmp_path):
    """Import a file and return the last line of what is said."""
    Season.objects.update(starts_on=date(2001, 1, 1), ends_on=None)

    def run(text, *options, encoding="utf-8"):
        path, err = tmp_path / "results.csv", io.StringIO()
        path.write_bytes(text.encode(encoding))
        call_command(
            "import_events",
            str(path),
            "--club",
            season.club.slug,
            "--season",
            season.slug,
            *options,
            stderr=err,
        )
        return err.getvalue().splitlines()[-1]

    return run


def rows(n_events):
    days = [(date(2001, 1, 1) + timedelta(e)).isoformat() for e in range(n_events)]
    return "".join(f"e{e},{day},髙橋,1\ne{e},{day},Ada,2\n" for e, day in enumerate(days))


def test_a_file_larger_than_an_upload_may_be_is_imported(imported):
    n = MAX_EVENTS + 1
    text = HEAD + rows(n)
    assert imported(text, "--dry-run", encoding="cp932").endswith(f"{n} events, nothing saved")
    assert imported(text) == f"{n} entered, 0 corrected, 0 unchanged"
    more = text.replace("Ada,2", "Bo,2", 1) + "new,2001-01-01,Ada,1\nnew,2001-01-01,Ed,2\n"
    assert imported(more, encoding="cp932") == f"1 entered, 1 corrected, {n - 1} unchanged"
    assert Event.objects.count() == n + 1


def test_each_mistake_is_named_and_nothing_is_saved(imported):
    with pytest.raises(CommandError) as error:
        imported(HEAD + rows(2) + "".join(f"x,2001-01-01,P{i},0\n" for i in range(130)))
    lines = str(error.value).splitlines()
    assert (len(lines), lines[-1]) == (101, "and 30 more")
    assert lines[0].startswith("results.csv, line 6, place: “0” is no whole number")
    assert not Event.objects.exists()
