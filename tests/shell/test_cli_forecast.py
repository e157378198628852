"""`ledger forecast`: the table at 80 columns, JSON, the chart; and the line that points to it."""

import json

import pytest

FORECAST = "ledger forecast patients.toml --months 2 --policies no-ledger,increments"


@pytest.fixture
def folder(folder, monkeypatch):
    """The twelve patients, and settings of our own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "settings"))
    return folder


def test_a_forecast_fits_a_terminal_and_publishes_nothing(folder, type_in):
    before = sorted(folder.rglob("*"))
    code, told, _ = type_in(FORECAST)

    assert code == 0
    assert max(map(len, told.splitlines())) <= 80
    assert "12 rows at first, k = 2. Each month 4.0 % of the people leave" in told
    for heading in ("policy", "shown", "withheld", "outdated", "precision", "loss"):
        assert heading in told
    assert [line.split()[0] for line in told.splitlines() if "increments " in line]
    assert "based-on" not in told
    assert sorted(folder.rglob("*")) == before


def test_more_is_shown_on_request(folder, type_in):
    _, wide, _ = type_in(f"{FORECAST} --wide --verbose")

    assert 'policy = "increments"' in wide
    assert "rows of the table" in wide
    rows = [line for line in wide.splitlines() if line.startswith(" no-ledger   ")]
    assert [line.split()[1] for line in rows[1:]] == ["1", "2"]  # after the last month, each


def test_every_month_is_in_the_json(folder, type_in):
    _, printed, complaint = type_in(f"{FORECAST} --seed 3 --leave 0 --people 10 --json")
    found = json.loads(printed)

    assert complaint == ""
    assert (found["months"], found["people"], found["seed"], found["leave"]) == (2, 10, 3, 0)
    assert [one["policy"] for one in found["policies"]] == ["no-ledger", "increments"]
    assert [month["month"] for one in found["policies"] for month in one["months"]] == [1, 2, 1, 2]
    assert found["notes"]


def test_a_chart_is_drawn_once(folder, type_in):
    code, _, _ = type_in(f"{FORECAST} --chart ahead.svg")
    drawn = (folder / "ahead.svg").read_text()
    again, _, complaint = type_in(f"{FORECAST} --chart ahead.svg")

    assert code == 0
    assert drawn.startswith("<svg")
    assert "increments withholds" in drawn
    assert again == 6
    assert "ahead.svg exists already" in complaint


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--chart ahead.png", "writes an SVG file"),
        ("--chart nowhere/ahead.svg", "no folder nowhere"),
        ("--leave 2", "leave is a share of the people from 0 to 1"),
        ("--policies incremental", "increments"),
        ("--people 13", "12 people, fewer than 13"),
        ("--months 0", "months is from 1 to 120"),
        ("--stop-after 0", "seconds is more than 0"),
    ],
)
def test_a_wrong_option_is_refused(folder, type_in, options, why):
    code, told, complaint = type_in(f"ledger forecast patients.toml {options}")

    assert (code, told) == (2, "")
    assert why in complaint


def test_the_first_release_with_a_ledger_points_to_the_forecast(folder, type_in):
    hint = "To choose a policy for later releases: lookalike ledger forecast patients.toml"
    release = "release patients.toml --replace --ledger private/ledger.db"

    assert hint not in type_in("release patients.toml --replace")[1]
    assert hint in type_in(f"{release} --dry-run")[1]
    assert hint not in type_in(f"{release} --dry-run --policy based-on")[1]
    assert hint in type_in(release)[1]
    assert hint not in type_in(release)[1]
