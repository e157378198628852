"""``lookalike explore``, as a person at a terminal of 80 columns and as a program sees it."""

import csv
import stat

import pytest

SMALL = "--k 2 --k 5 --max-suppressed 0 --max-suppressed 0.2"
FIELDS = [
    *("rows", "sequences", "attributes", "chosen", "points"),
    *("budgets", "weights", "keeps", "steps", "advice"),
]


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_a_person_reads_it_at_80_columns(folder, type_in):
    before = sorted(folder.iterdir())
    code, said, complaint = type_in(f"explore patients.toml {SMALL}")
    assert (code, complaint) == (0, "")
    assert max(map(len, said.splitlines())) <= 80
    assert "…" not in said
    assert "12 rows, 12 distinct sequences of 4 attributes; 16 of 16 points were" in said
    assert " 2   75.0 % (−16.7 %)             84.9 %   75.0 % (−16.7 %)" in said
    assert "mingen-cells reaches a precision of 85 % where datafly reaches 64 %" in said
    assert "datafly: race at level 0 instead of 1 would leave 1 row in classes that are" in said
    assert "datafly: birth_date at level 2 instead of 3 is also possible" in said
    assert [value for value in ("black", "02138", "1965", "obesity") if value in said] == []
    assert sorted(folder.iterdir()) == before


def test_a_program_reads_every_measure(folder, answer):
    found = answer(f"explore patients.toml {SMALL} --method mingen --method datafly")
    assert list(found) == [*FIELDS, "seconds"]
    assert found["chosen"] == {"method": "datafly", "k": 2, "max_suppressed": "0.0"}
    assert len(found["points"]) == 8
    released = answer("release patients.toml --max-suppressed 0.2 --method mingen --dry-run")
    [same] = [
        point
        for point in found["points"]
        if (point["method"], point["k"], point["max_suppressed"]) == ("mingen", 2, "0.2")
    ]
    for name in ("precision", "classes", "precision_bound", "k_minimal", "cells_suppressed"):
        assert same[name] == released[name]
    assert same["levels"] == "[0,2,0,0]"
    assert (same["rows_lost"], same["smallest_class"]) == (2, 2)


def test_a_file_holds_what_its_owner_alone_may_read(folder, type_in):
    command = f"explore patients.toml {SMALL} --method mingen --csv tried.csv"
    assert type_in(command)[0] == 0
    path = folder / "tried.csv"
    with path.open() as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["method"], row["status"]) for row in rows] == [("mingen", "done")] * 4
    assert float(rows[0]["kept_race"]) == 0.0  # level 1 has one label
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    code, _, complaint = type_in(command)
    assert (code, "tried.csv exists already" in complaint) == (6, True)


def test_a_file_in_no_folder_is_refused(folder, type_in):
    command = "explore patients.toml --k 2 --max-suppressed 0 --method mingen --csv no/tried.csv"
    code, _, complaint = type_in(command)
    assert (code, "no/tried.csv cannot be written" in complaint) == (2, True)


def test_what_the_time_did_not_reach_is_listed(folder, type_in):
    code, said, _ = type_in(f"explore patients.toml {SMALL} --time-limit 0 --csv tried.csv")
    assert code == 0
    assert "The time was over before 16 points were computed (k = 2, 5; shown as –)" in said
    assert (folder / "tried.csv").read_text().count("not reached") == 16


def test_what_is_not_possible_says_why(folder, type_in):
    code, said, _ = type_in("explore patients.toml --k 2 --k 13 --max-suppressed 0 --method mingen")
    assert code == 0
    assert "not possible" in said
    assert "Not possible at k = 13, mingen: the table has 12 eligible rows" in said
    assert max(map(len, said.splitlines())) <= 80


def test_wide_shows_every_measure(folder, type_in, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    said = type_in(f"explore patients.toml {SMALL} --method mingen --wide")[1]
    for name in ("discernibility", "entropy", "kept_birth_date", "one_value_problem"):
        assert name in said


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("--method mingem", "not 'mingem'"),
        ("--k 1", "at least 2"),
        ("--max-suppressed much", "is not a number"),
    ],
)
def test_a_mistake_is_named(folder, type_in, options, problem):
    code, _, complaint = type_in(f"explore patients.toml {options}")
    assert (code, problem in complaint) == (2, True)


POOR = """
[source]
path = "people.csv"
[release]
k = 3
max_suppressed = 0
out = "released/people.csv"
[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }
"""


@pytest.mark.parametrize(("method", "suggested"), [("samarati", True), ("mingen-cells", False)])
def test_a_release_that_keeps_little_names_what_would_keep_more(
    folder, type_in, answer, method, suggested
):
    rows = [f"0213{digit}" for digit in range(9) for _ in range(3)] + ["90210"] * 2
    (folder / "people.csv").write_text("zip\n" + "\n".join([*rows, "99999"]) + "\n")
    (folder / "people.toml").write_text(POOR)
    command = f"release people.toml --method {method} --dry-run"
    code, said, _ = type_in(command)
    assert code == 0
    assert ("would reach a precision of at least" in said) == suggested
    if suggested:
        better = answer("release people.toml --method mingen-cells --dry-run")["precision"]
        stated = f"mingen-cells would reach a precision of at least {100 * better:.1f} %"
        assert stated in " ".join(said.split())
        assert "\n  lookalike release people.toml --method mingen-cells --dry-run\n" in said
