import io
import json

import pytest
from django.core.management import CommandError, call_command

from ratings.engine.tier.params import TierParams
from ratings.files.params import params_from


def run(*arguments):
    out = io.StringIO()
    call_command("simulate", *arguments, stdout=out)
    return json.loads(out.getvalue())


def test_published_season():
    figures = run("--scenario=published", "--seed=3")
    assert (figures["scenario"], figures["seed"]) == ("published", 3)
    assert figures["params"]["beta"] == 1000.0
    assert set(figures) - {"scenario", "seed", "params"} == {
        "mean_rate_after_20",
        "badge_share_after_15",
        "median_sigma",
        "mean_place_fraction",
    }
    assert figures == run("--scenario=published", "--seed=3")
    assert figures != run("--scenario=published", "--seed=4")


def test_late_season_differs():
    rates = run("--scenario=published-late", "--seed=3")["mean_rate_after_20"]
    assert rates != run("--scenario=published", "--seed=3")["mean_rate_after_20"]


def test_late_penalty_with_parameters(tmp_path):
    file = tmp_path / "params.json"
    file.write_text('{"late_a": 0, "late_b": 0.1}')
    figures = run("--scenario=late-penalty", f"--params={file}")
    assert figures["params"]["late_b"] == 0.1
    assert list(figures["penalty"]) == ["1000", "1500", "2000"]
    assert list(figures["penalty"]["1500"]) == ["59", "49", "39", "29"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n,", "params.json, line 2: "),
        ("[]", "params.json: parameters must be a JSON object"),
        ('{"bet": 1}', "params.json: bet is not a parameter"),
        ('{"beta": "1"}', 'params.json: beta must be a number, got "1"'),
        ('{"beta": true}', "params.json: beta must be a number, got true"),
        ('{"weight_scales_sigma": 1}', "params.json: weight_scales_sigma must be true or false, got 1"),
        ('{"beta": -1}', "params.json: beta must be positive"),
        ('{"beta": NaN}', "params.json: beta must be finite"),
        ('{"beta": 1' + "0" * 400 + "}", "params.json: "),
    ],
)
def test_bad_parameters(tmp_path, text, message):
    file = tmp_path / "params.json"
    file.write_text(text)
    with pytest.raises(CommandError) as refused:
        run("--scenario=late-penalty", f"--params={file}")
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


def test_missing_file_and_bad_seed(tmp_path):
    with pytest.raises(CommandError, match=r"none\.json: No such file"):
        run("--scenario=published", f"--params={tmp_path / 'none.json'}")
    with pytest.raises(CommandError, match="--seed must not be negative"):
        run("--scenario=published", "--seed=-1")


def test_no_parameters_are_the_defaults():
    assert params_from({}, TierParams) == TierParams()
