"""The converter of tournament-clock logs on small logs, and checks of the demo's converted nights."""

import csv
import subprocess
import sys
from datetime import date, datetime
from pathlib import Path

import pytest

from demo.convert_clock_logs import COLUMNS, main
from reading.tables.formats.clock_logs import clock_time

ROOT = Path(__file__).resolve().parents[2]
NIGHTS = sorted((ROOT / "demo" / "nights").glob("*.csv"))
HEADER = "Time,Event,Level,Players,Eliminated By,Chips,Amount,Table,Position"

# night: (entries, starts_at, ends_at, the first three), read off the logs by hand
EXPECTED = {
    "2026-01-13": (16, "19:13", "22:26", ["Ace", "Lark", "Iris"]),
    "2026-01-20": (16, "19:04", "22:01", ["Hale", "Ace", "Lark"]),
    "2026-01-27": (15, "19:05", "21:47", ["Lark", "Finch", "Moss"]),
    "2026-02-03": (15, "19:08", "22:07", ["Juno", "Iris", "Ellis"]),
    "2026-02-10": (16, "19:08", "22:41", ["Lark", "Ace", "Gray T"]),
    "2026-02-17": (15, "19:05", "21:40", ["Ace", "Cooper J", "Keane"]),
    "2026-02-24": (14, "19:01", "21:43", ["Drake", "Iris", "Cooper J"]),
    "2026-03-03": (15, "19:05", "22:30", ["Lark", "Moss", "Ace"]),
    "2026-03-10": (16, "19:05", "22:30", ["Hale B", "Gray", "Juno"]),
    "2026-03-17": (14, "19:04", "22:07", ["Drake", "Finch", "Lark"]),
}


def buy(at, player):
    return f'{at},BuyIn,,{player},,"6,500 each",,,'


def out(at, player, by=""):
    return f"{at},Eliminated,,{player},{by},,,,"


def mark(at, event, level=""):
    return f'{at},{event},"{level}",,,,,,'


START = mark("7:05pm", "TOURNAMENT START")
THREE = [buy("7:00pm", "Ada"), buy("7:01pm", "Bo"), buy("7:02pm", "Cy"), START]


def read_rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def convert(tmp_path):
    """Write one log and convert its folder; give the exit status and the rows."""

    def run(lines, name="2026-05-01.csv", header=HEADER):
        logs = tmp_path / "logs"
        logs.mkdir()
        (logs / name).write_bytes("\r\n".join([header, *lines, ""]).encode())
        status = main([str(logs), str(tmp_path / "out")])
        made = tmp_path / "out" / name
        return status, read_rows(made) if made.exists() else None

    return run


def column(rows, name):
    return {(row["player"], row["number"]): row[name] for row in rows}


def places(rows):
    return {key: int(place) for key, place in column(rows, "place").items()}


def test_plain_night_has_every_column(convert):
    level = mark("7:05pm", "Blinds", "Level 1, 25/50, 15 min.")
    end = mark("9:31pm", "TOURNAMENT END")
    status, rows = convert(
        [
            *THREE,
            level,
            out("8:00pm", "Bo", "Ada"),
            out("9:30pm", "Cy", "Ada"),
            end,
            mark("9:31pm", "TimerPause"),
        ]
    )
    assert status == 0
    assert tuple(rows[0]) == COLUMNS
    assert [row["player"] for row in rows] == ["Ada", "Cy", "Bo"]
    assert rows[2] == {
        "event": "2026-05-01",
        "date": "2026-05-01",
        "player": "Bo",
        "number": "1",
        "place": "3",
        "registered_at": "2026-05-01T19:05",
        "busted_at": "2026-05-01T20:00",
        "starts_at": "2026-05-01T19:05",
        "ends_at": "2026-05-01T21:31",
        "closes_at": "",
        "table_size": "",
        "final_table_size": "",
    }
    assert rows[0]["busted_at"] == ""


def test_order_of_lines_decides_within_a_minute(convert):
    _, rows = convert([*THREE, out("8:00pm", "Cy", "Bo"), out("8:00pm", "Bo", "Ada")])
    assert places(rows) == {("Ada", "1"): 1, ("Bo", "1"): 2, ("Cy", "1"): 3}
    assert column(rows, "busted_at")["Bo", "1"] == column(rows, "busted_at")["Cy", "1"] == "2026-05-01T20:00"


def test_times_past_midnight_are_the_next_day(convert):
    lines = [
        out("11:58pm", "Bo"),
        mark("12:00am", "Blinds"),
        out("12:10am", "Cy"),
        mark("12:10am", "TOURNAMENT END"),
    ]
    _, rows = convert([*THREE, *lines])
    busted_at = column(rows, "busted_at")
    assert busted_at["Bo", "1"] == "2026-05-01T23:58"
    assert busted_at["Cy", "1"] == "2026-05-02T00:10"
    assert {row["ends_at"] for row in rows} == {"2026-05-02T00:10"}
    assert {row["date"] for row in rows} == {"2026-05-01"}


def test_start_after_midnight_keeps_the_night(convert):
    lines = [
        buy("11:50pm", "Ada"),
        buy("11:50pm", "Bo"),
        mark("12:05am", "TOURNAMENT START"),
        out("1:00am", "Bo"),
    ]
    _, rows = convert(lines)
    assert {row["event"] for row in rows} == {"2026-05-01"}
    assert {row["starts_at"] for row in rows} == {"2026-05-02T00:05"}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("9:46pm", "9:45pm", "2026-05-01T21:45"),  # a step back of a minute is no midnight
        ("12:01am", "11:59pm", "2026-05-01T23:59"),  # nor one across midnight, back to the first day
    ],
)
def test_small_step_back_keeps_its_day(convert, first, second, expected):
    lines = [mark("10:00pm", "Break")] if first.startswith("12") else []
    status, rows = convert([*THREE, *lines, mark(first, "Blinds"), out(second, "Bo"), out("12:30am", "Cy")])
    assert status == 0
    assert column(rows, "busted_at")["Bo", "1"] == expected
    assert column(rows, "busted_at")["Cy", "1"] == "2026-05-02T00:30"


def test_re_entries_are_numbered_and_placed_one_by_one(convert):
    lines = [
        out("7:30pm", "Bo"),
        buy("7:31pm", "Bo"),
        out("7:40pm", "Bo"),
        buy("7:42pm", "Bo"),
        out("8:00pm", "Cy"),
    ]
    _, rows = convert([*THREE, *lines, out("9:00pm", "Ada", "Bo")])
    assert places(rows) == {("Bo", "3"): 1, ("Ada", "1"): 2, ("Cy", "1"): 3, ("Bo", "2"): 4, ("Bo", "1"): 5}
    registered_at = column(rows, "registered_at")
    assert [registered_at["Bo", number][-5:] for number in "123"] == ["19:05", "19:31", "19:42"]


def test_buy_in_after_a_bust_keeps_its_stamp(convert):
    _, rows = convert(
        [*THREE, out("7:38pm", "Bo"), buy("7:39pm", "Di"), out("8:00pm", "Di"), out("9:00pm", "Cy")]
    )
    assert column(rows, "registered_at")["Di", "1"] == "2026-05-01T19:39"
    assert column(rows, "registered_at")["Ada", "1"] == "2026-05-01T19:05"


def test_late_in_the_minute_of_the_first_bust_goes_by_the_order_of_lines(convert):
    bust_minute = [buy("7:38pm", "Di"), out("7:38pm", "Bo"), buy("7:38pm", "Ed")]
    _, rows = convert([*THREE, *bust_minute, out("8:00pm", "Ed"), out("8:01pm", "Di"), out("9:00pm", "Cy")])
    assert column(rows, "registered_at")["Di", "1"] == "2026-05-01T19:05"
    assert column(rows, "registered_at")["Ed", "1"] == "2026-05-01T19:38"


def test_bulk_buy_ins_before_the_first_bust_count_as_the_start(convert):
    lines = [START, buy("8:05pm", "Ada"), buy("8:06pm", "Bo"), out("8:06pm", "Bo", "Ada")]
    _, rows = convert(lines)
    assert {row["registered_at"] for row in rows} == {"2026-05-01T19:05"}


def test_without_an_end_line_the_last_bust_ends_it(convert):
    _, rows = convert([*THREE, out("8:00pm", "Bo"), out("9:00pm", "Cy"), mark("9:10pm", "Blinds")])
    assert {row["ends_at"] for row in rows} == {"2026-05-01T21:00"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7:10pm", "19:10"),
        ("07:10 PM", "19:10"),
        ("12:00am", "00:00"),
        ("12:00pm", "12:00"),
        ("11:59am", "11:59"),
    ],
)
def test_clock_time(text, expected):
    assert f"{clock_time(text):%H:%M}" == expected


@pytest.mark.parametrize("text", ["", "19:10", "0:10pm", "13:00pm", "7:60pm", "7pm", "7:10", "７:10pm"])
def test_clock_time_refuses(text):
    assert clock_time(text) is None


ENDS = [out("8:00pm", "Bo"), out("9:00pm", "Cy")]
BAD_LOGS = {
    "unknown bust": ([*THREE, out("8:00pm", "Zed")], "line 6: Players: Zed never bought in"),
    "nameless bust": ([*THREE, out("8:00pm", "")], "line 6: Players: nobody never bought in"),
    "unknown eliminator": (
        [*THREE, out("8:00pm", "Bo", "Zed")],
        "line 6: Eliminated By: Zed never bought in",
    ),
    "own eliminator": ([*THREE, out("8:00pm", "Bo", "Bo")], "line 6: Eliminated By: Bo cannot eliminate"),
    "bust twice": ([*THREE, out("8:00pm", "Bo"), out("8:01pm", "Bo")], "line 7: Players: Bo is already out"),
    "buy-in while in": ([*THREE, buy("7:30pm", "Bo"), *ENDS], "line 6: Players: Bo buys in but is still in"),
    "nameless buy-in": ([buy("7:00pm", ""), *THREE, *ENDS], "line 2: Players: a buy-in of nobody"),
    "two left": (
        [*THREE, out("8:00pm", "Bo")],
        "Players: exactly one player must be left at the end, not Ada, Cy",
    ),
    "nobody left": (
        [*THREE, *ENDS, out("9:01pm", "Ada")],
        "exactly one player must be left at the end, not nobody",
    ),
    "one player": ([buy("7:00pm", "Ada"), START], "Event: nobody was eliminated"),
    "no lines": ([], "Event: no TOURNAMENT START"),
    "no start": ([*THREE[:3], *ENDS], "line 5: Event: a bust outside the tournament"),
    "two starts": ([*THREE, START, *ENDS], "line 6: Event: a second start"),
    "two ends": ([*THREE, *ENDS, *[mark("9:00pm", "TOURNAMENT END")] * 2], "line 9: Event: a second end"),
    "bust after end": (
        [*THREE, ENDS[0], mark("8:30pm", "TOURNAMENT END"), ENDS[1]],
        "line 8: Event: a bust outside the tournament",
    ),
    "buy-in after end": (
        [*THREE, *ENDS, mark("9:00pm", "TOURNAMENT END"), buy("9:01pm", "Di")],
        "line 9: Event:",
    ),
    "end before bust": (
        [*THREE, *ENDS, mark("8:58pm", "TOURNAMENT END")],
        "TOURNAMENT END before the last bust",
    ),
    "bust before start": ([*THREE, out("7:04pm", "Bo"), ENDS[1]], "line 6: Time: a bust before"),
    "busts backwards": ([*THREE, out("8:00pm", "Bo"), out("7:58pm", "Cy")], "line 7: Time: a bust before"),
    "bust before buy-in": (
        [*THREE, ENDS[0], buy("8:10pm", "Di"), out("8:09pm", "Di"), ENDS[1]],
        "line 8: Time: a bust before",
    ),
    "time backwards": (
        [*THREE, out("8:00pm", "Bo"), out("7:30pm", "Cy")],
        "line 7: Time: 7:30pm is long before",
    ),
    "time": ([*THREE, out("25:00", "Bo")], "line 6: Time: “25:00” is no time like 7:10pm"),
    "event": ([*THREE, mark("8:00pm", "AddOn")], "line 6: Event: unknown kind of line “AddOn”"),
    "short line": ([*THREE, "8:00pm"], "line 6: Event: unknown kind of line “”"),
}


@pytest.mark.parametrize(("lines", "message"), BAD_LOGS.values(), ids=BAD_LOGS)
def test_malformed_log_is_refused_in_one_line(convert, capsys, lines, message):
    status, rows = convert(lines)
    error = capsys.readouterr().err
    assert (status, rows) == (1, None)
    assert error.startswith("2026-05-01.csv: ")
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("name", ["friday.csv", "2026-13-01.csv"])
def test_log_without_a_date_is_refused(convert, capsys, name):
    assert convert([*THREE, *ENDS], name=name) == (1, None)
    assert f"{name}: the name of a log is its date" in capsys.readouterr().err


def test_missing_column_is_refused(convert, capsys):
    assert convert([], header="Time,Event,Level") == (1, None)
    assert "2026-05-01.csv: line 1: Players: no such column" in capsys.readouterr().err


def test_other_encoding_is_refused(tmp_path, capsys):
    (tmp_path / "2026-05-01.csv").write_bytes(HEADER.encode() + b"\n7:00pm,BuyIn,,Andr\xe9,,,,,\n")
    assert main([str(tmp_path), str(tmp_path / "out")]) == 1
    assert "2026-05-01.csv: not a UTF-8 CSV file" in capsys.readouterr().err


def test_one_bad_log_and_nothing_is_written(tmp_path):
    for name, lines in (("2026-05-01", [*THREE, *ENDS]), ("2026-05-08", THREE)):
        (tmp_path / f"{name}.csv").write_text("\n".join([HEADER, *lines]), encoding="utf-8")
    assert main([str(tmp_path), str(tmp_path / "out")]) == 1
    assert not (tmp_path / "out").exists()


def test_folder_without_logs_is_refused(tmp_path, capsys):
    assert main([str(tmp_path), str(tmp_path / "out")]) == 1
    assert "no logs" in capsys.readouterr().err


def test_logs_are_never_overwritten(tmp_path):
    log = tmp_path / "2026-05-01.csv"
    log.write_text("\n".join([HEADER, *THREE, *ENDS]), encoding="utf-8")
    before = log.read_bytes()
    assert main([str(tmp_path), str(tmp_path)]) == 1
    assert log.read_bytes() == before


def test_twice_gives_the_same_bytes(tmp_path):
    logs, made = tmp_path / "logs", tmp_path / "out" / "2026-05-01.csv"
    logs.mkdir()
    (logs / made.name).write_text("\n".join([HEADER, *THREE, *ENDS]), encoding="utf-8")
    assert main([str(logs), str(made.parent)]) == 0
    first = made.read_bytes()
    assert main([str(logs), str(made.parent)]) == 0
    assert made.read_bytes() == first
    assert b"\r" not in first


def test_wrong_usage_exits_2():
    script = ROOT / "demo" / "convert_clock_logs.py"
    process = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert process.returncode == 2
    assert "usage:" in process.stderr


def test_the_nights_are_all_there():
    assert [path.stem for path in NIGHTS] == list(EXPECTED)


@pytest.fixture(params=NIGHTS, ids=lambda path: path.stem)
def night(request):
    return request.param.stem, read_rows(request.param)


def test_night_is_one_event_of_its_date(night):
    name, rows = night
    n_entries, starts, ends, first_three = EXPECTED[name]
    date.fromisoformat(name)
    assert tuple(rows[0]) == COLUMNS
    assert {(row["event"], row["date"]) for row in rows} == {(name, name)}
    assert {(row["starts_at"], row["ends_at"]) for row in rows} == {(f"{name}T{starts}", f"{name}T{ends}")}
    assert len(rows) == n_entries
    assert [row["player"] for row in rows[:3]] == first_three


def test_night_has_each_place_once_and_each_player_once(night):
    _, rows = night
    assert 14 <= len(rows) <= 16
    assert [int(row["place"]) for row in rows] == list(range(1, len(rows) + 1))
    assert len({row["player"] for row in rows}) == len(rows)
    assert {row["number"] for row in rows} == {"1"}


def test_night_busts_run_against_the_places(night):
    _, rows = night
    assert [row["place"] for row in rows if not row["busted_at"]] == ["1"]
    busts = [datetime.fromisoformat(row["busted_at"]) for row in rows[1:]]
    assert busts == sorted(busts, reverse=True)
    assert busts[0] == datetime.fromisoformat(rows[0]["ends_at"])


def test_night_registers_before_it_busts(night):
    _, rows = night
    for row in rows:
        assert row["starts_at"] <= row["registered_at"] < (row["busted_at"] or row["ends_at"])


def test_night_leaves_columns_without_a_source_empty(night):
    _, rows = night
    assert {row[name] for row in rows for name in ("closes_at", "table_size", "final_table_size")} == {""}


def test_the_only_late_registration_is_ellis_on_the_first_night():
    late = [
        (row["event"], row["player"], row["registered_at"])
        for path in NIGHTS
        for row in read_rows(path)
        if row["registered_at"] != row["starts_at"]
    ]
    assert late == [("2026-01-13", "Ellis", "2026-01-13T19:39")]


def test_sixteen_players_over_all_nights():
    assert len({row["player"] for path in NIGHTS for row in read_rows(path)}) == 16
