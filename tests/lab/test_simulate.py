"""`manage.py simulate --laboratory`: JSON in and out, the same numbers as a run of the site."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from lab.engine.seasons.chunks import simulate
from lab.engine.seasons.figures import figures_of
from tests.lab.conftest import SMALL


@pytest.fixture
def tried_out(tmp_path):
    def tried_out(values, *arguments):
        file = tmp_path / "season.json"
        file.write_text(values if isinstance(values, str) else json.dumps(values))
        out = io.StringIO()
        call_command("simulate", f"--laboratory={file}", "--seed=7", *arguments, stdout=out)
        return json.loads(out.getvalue())

    return tried_out


def test_the_command_finds_what_a_run_finds(tried_out):
    answer = tried_out(SMALL.to_dict(), "--seasons=40")
    assert (answer["seed"], answer["seasons"], answer["laboratory"]) == (7, 40, SMALL.to_dict())
    figures = figures_of(SMALL, simulate(SMALL, 7, 0, 40)).to_dict()
    assert answer["figures"] == json.loads(json.dumps(figures))


@pytest.mark.parametrize(
    ("values", "arguments", "message"),
    [
        ("{", (), "season.json: "),
        ([], (), "season.json: scenario must be a JSON object"),
        ({"counts": [1, 1, 1, 0, 0], "size": 11}, (), "season.json: size must be 2 to 3, got 11"),
        ({"counts": [1, 1, 1, 0, 0], "size": 2, "variants": [{"structure": {"name": "x"}}]}, (), "'x'"),
        ({"counts": [1, 1, 1, 0, 0], "size": 2}, ("--seasons=1000000",), "would take about"),
    ],
)
def test_bad_files_are_refused_with_the_field(tried_out, values, arguments, message):
    with pytest.raises(CommandError) as caught:
        tried_out(values, *arguments)
    assert message in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match=r"nowhere.json: No such file"):
        call_command("simulate", f"--laboratory={tmp_path / 'nowhere.json'}")
