"""Three tables that are 5-anonymous and expose people all the same: publishing stops.

They are small images of public tables: visits with several rows a person; court cases with many
dates released as they are; a hospital with one and the same test result in many classes.
"""

import csv
from datetime import date, timedelta

import numpy as np
import pytest

ROWS = 2000
SPECIFICATION = """
[source]
path = "table.csv"
[release]
k = 5
max_suppressed = 0.05
method = "mingen"
out = "released/table.csv"
[attributes]
age = {{ role = "quasi-identifier", hierarchy = {{ kind = "intervals", widths = [5, 10, 20] }} }}
sex = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
{columns}
"""
ROLE = '{name} = {{ role = "{role}" }}'


@pytest.fixture
def drawn():
    return np.random.default_rng(14)


@pytest.fixture
def write(tmp_path, monkeypatch, drawn):
    """Writes a table of people with further columns, and its specification."""
    monkeypatch.chdir(tmp_path)

    def write_table(columns, roles, rows=ROWS):
        people = {
            "age": drawn.integers(18, 80, rows).astype(str),
            "sex": drawn.choice(["f", "m"], rows),
        }
        table = people | columns
        with (tmp_path / "table.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(table)
            writer.writerows(zip(*table.values(), strict=True))
        lines = "\n".join(ROLE.format(name=name, role=role) for name, role in roles.items())
        (tmp_path / "table.toml").write_text(SPECIFICATION.format(columns=lines))
        return tmp_path

    return write_table


def visits(write, drawn):
    """2,000 visits of about 1,150 patients."""
    patients = np.char.add("p", drawn.integers(0, 1500, ROWS).astype(str))
    reason = drawn.choice(["flu", "ache", "cut", "fall", "rash"], ROWS)
    return write(
        {"patient_no": patients, "reason": reason},
        {"patient_no": "identifier", "reason": "sensitive"},
    )


def court(write, drawn):
    """Cases with seven columns released as they are, four of them dates."""
    begin = date(2013, 1, 1)
    days = [(begin + timedelta(days=day)).isoformat() for day in range(700)]
    names = ("arrest", "screening", "jail_in", "jail_out")
    dates = {name: drawn.choice(days, ROWS) for name in names}
    codes = {name: drawn.integers(0, 5, ROWS).astype(str) for name in ("charge", "priors", "score")}
    return write(dates | codes, dict.fromkeys([*dates, *codes], "other"))


def hospital(write, drawn):
    """A test that most patients did not have, so that small classes share its result."""
    result = drawn.choice(["none", "norm", "high"], ROWS, p=[0.97, 0.02, 0.01])
    return write({"result": result}, {"result": "sensitive"})


SITUATIONS = {
    "repeated-persons": (visits, 'person = "patient_no"'),
    "as-is-unique": (court, "quasi-identifier"),
    "one-sensitive-value": (hospital, "protect = { distinct = 2 } under [attributes.result]"),
}


@pytest.fixture(params=SITUATIONS)
def situation(request, write, drawn):
    build, remedy = SITUATIONS[request.param]
    return request.param, remedy, build(write, drawn)


def test_publishing_stops_and_says_what_to_do(situation, type_in):
    name, remedy, folder = situation
    code, printed, complaint = type_in("release table.toml")
    assert (code, printed) == (1, "")
    assert f"- {name}: " in complaint
    assert remedy in complaint
    assert f"--accept {name}" in complaint
    assert sorted(path.name for path in folder.iterdir()) == ["table.csv", "table.toml"]


def test_a_dry_run_shows_it_and_fails(situation, type_in, answer):
    name = situation[0]
    code, printed, _ = type_in("release table.toml --dry-run")
    assert code == 1
    assert f"Error ({name}): " in printed
    assert f"Publishing would be stopped by: {name}." in printed
    shown = printed[printed.index("Error (") :]
    assert all(len(line) <= 80 for line in shown.splitlines())
    [found] = [
        one
        for one in answer("release table.toml --dry-run", code=1)["preflight"]
        if one["severity"] == "error"
    ]
    assert list(found) == ["name", "severity", "sentence", "remedy", "accepted", "share"]
    assert (found["name"], found["accepted"]) == (name, False)


def test_it_is_published_if_it_is_accepted_by_name(situation, type_in, answer):
    name, _, folder = situation
    code, printed, complaint = type_in(f"release table.toml --accept {name} --dossier private")
    assert (code, complaint) == (0, "")
    assert f"Error ({name}, accepted): " in printed
    assert "Verified and published: released" in printed
    assert (folder / "private" / "preflight.json").exists()


def test_the_table_alone_shows_what_needs_no_release(situation, type_in, answer):
    name, _, folder = situation
    before = name != "one-sensitive-value"
    checked = answer("check --spec table.toml", code=int(before))
    errors = [one["name"] for one in checked["preflight"] if one["severity"] == "error"]
    assert errors == ([name] if before else [])
    assert "one-sensitive-value" in checked["needs_release"]
    assert checked["holds"] == (not before)
    code, printed, _ = type_in("check --spec table.toml")
    assert code == int(before)
    assert "These checks need a release:" in printed
    assert not (folder / "released").exists()


@pytest.mark.parametrize(
    ("build", "old", "new"),
    [
        (visits, 'path = "table.csv"', 'path = "table.csv"\nperson = "patient_no"'),
        (court, 'role = "other"', 'role = "drop"'),
        (hospital, 'role = "sensitive"', 'role = "sensitive", protect = { distinct = 2 }'),
    ],
)
def test_the_remedy_is_enough(build, old, new, write, drawn, answer):
    specification = build(write, drawn) / "table.toml"
    asked = specification.read_text().replace(old, new)
    specification.write_text(asked.replace("k = 5", 'k = 5\nsecrecy = "search"'))
    made = answer("release table.toml")
    assert [one["name"] for one in made["preflight"] if one["severity"] == "error"] == []
    assert made["files"]


def test_an_ordinary_table_is_published(write, drawn, type_in):
    write(
        {
            "patient_no": np.arange(ROWS).astype(str),
            "reason": drawn.choice(["flu", "ache", "cut", "fall", "rash"], ROWS),
            "ward": drawn.choice(["a", "b", "c"], ROWS),
        },
        {"patient_no": "identifier", "reason": "sensitive", "ward": "other"},
    )
    code, printed, complaint = type_in("release table.toml")
    assert (code, complaint) == (0, "")
    assert "Error" not in printed
