"""The command line: what it prints, where, and with which exit code."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).parent / "lookalike")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
CHECK_FIELDS = ["k", "rows", "classes", "unique_rows", "holds"]
RELEASE_FIELDS = [
    "method",
    "method_reason",
    "k",
    "k_reached",
    "rows_in",
    "rows_out",
    "rows_suppressed",
    "rows_complementary",
    "rows_below_k",
    "cells_suppressed",
    "levels",
    "kept",
    "precision",
    "precision_bound",
    "precision_with_k_alone",
    "loss",
    "loss_bound",
    "optimal",
    "k_minimal",
    "in_time",
    "classes",
    "exposure",
    "decoys",
    "seconds",
    "files",
    "dossier",
    "earlier_releases",
    "basis",
    "increment",
    "persons_reached",
    "preflight",
    "answers_left_out",
]
STEPS = ["read", "count", "search", "preflight", "recode", "verify", "publish"]
HINT = "For a private report on the risk before and after: --dossier private\n"
LINKABLE = "race,birth_date,gender,zip"


def run_program(*arguments, folder):
    """Run the installed program in a folder."""
    return subprocess.run(
        [PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, timeout=600
    )


def everything_in(folder):
    """Return every file below a folder, hidden ones too."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# From an empty folder, as a newcomer types it


@pytest.mark.slow
@pytest.mark.exhaustive
def test_the_demos_files_can_be_checked_released_and_verified(tmp_path):
    assert run_program("demo", "--folder", "demo", folder=tmp_path).returncode == 0
    place = tmp_path / "demo" / "patients"
    checked = run_program("check", "patients.csv", "-q", LINKABLE, folder=place)
    assert (checked.returncode, checked.stderr) == (1, "")
    assert checked.stdout.startswith("Not 2-anonymous over race, birth_date, gender, zip.\n")
    released = run_program("release", "patients.toml", "--replace", folder=place)
    assert (released.returncode, released.stderr) == (0, "")
    reported = "Report for the recipient: released/report.html\n"
    ending = f"published: released\n{reported}{HINT}Next: lookalike verify released\n"
    assert released.stdout.endswith(ending)
    assert (tmp_path / "demo" / "adult" / "private" / "report.html").exists()
    verified = run_program("verify", "released", "--spec", "patients.toml", folder=place)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert verified.stdout.endswith("The release matches its certificate.\n")


def test_the_demo_does_not_touch_a_folder_that_is_there(folder, type_in):
    before = everything_in(folder)
    code, told, complaint = type_in("demo --folder .")
    assert (code, told) == (6, "")
    assert "exists already; name a new folder" in complaint
    assert everything_in(folder) == before


# check


def test_check_answers_with_the_documented_fields(folder, answer):
    checked = answer(f"check patients.csv -q {LINKABLE}", code=1)
    assert list(checked) == CHECK_FIELDS
    assert checked == {"k": 1, "rows": 12, "classes": 12, "unique_rows": 12, "holds": False}


def test_check_holds_for_fewer_columns(folder, answer):
    checked = answer("check patients.csv --quasi-identifier gender --k 5")
    assert checked == {"k": 5, "rows": 12, "classes": 2, "unique_rows": 0, "holds": True}


def test_check_says_in_words_that_k_holds(folder, type_in):
    code, told, complaint = type_in("check patients.csv -q race -k 6")
    assert (code, complaint) == (0, "")
    assert told.startswith("6-anonymous over race.\n12 rows in 2 classes; the smallest has 6.\n")


def test_check_counts_the_eligible_rows_only(folder, answer):
    checked = answer("check patients.csv -q race --where \"race = 'black'\"")
    assert (checked["rows"], checked["classes"]) == (6, 1)


def test_check_reads_what_it_is_told_to(folder, answer):
    (folder / "latin.csv").write_bytes("größe|x\n1|é\n1|é\n".encode("latin-1"))
    checked = answer("check latin.csv -q größe,x --delimiter '|' --encoding latin-1")
    assert (checked["k"], checked["rows"]) == (2, 2)


def test_check_of_a_table_without_rows(folder, answer, type_in):
    (folder / "empty.csv").write_text("a,b\n")
    empty = {"k": None, "rows": 0, "classes": 0, "unique_rows": 0, "holds": True}
    assert answer("check empty.csv -q a,b") == empty
    assert "The table is empty." in type_in("check empty.csv -q a,b")[1]


# release


def test_release_answers_with_the_documented_fields(folder, answer):
    released = answer("release patients.toml")
    assert list(released) == RELEASE_FIELDS
    seconds, files = released.pop("seconds"), released.pop("files")
    found = [one["name"] for one in released.pop("preflight")]
    assert found == ["as-is-unique", "earlier-releases"]
    assert released == {
        "method": "datafly",
        "method_reason": None,
        "k": 2,
        "k_reached": 2,
        "rows_in": 12,
        "rows_out": 10,
        "rows_suppressed": 2,
        "rows_complementary": 0,
        "rows_below_k": 0,
        "cells_suppressed": 0,
        "levels": {"race": 0, "birth_date": 2, "gender": 0, "zip": 0},
        "kept": {"race": 10 / 12, "birth_date": 1 - 56 / 132, "gender": 10 / 12, "zip": 10 / 12},
        "precision": 0.75,
        "precision_bound": None,
        "precision_with_k_alone": None,
        "loss": 61 / 264,
        "loss_bound": None,
        "optimal": False,
        "k_minimal": True,
        "in_time": True,
        "classes": 5,
        "exposure": None,
        "decoys": None,
        "dossier": None,
        "earlier_releases": "not checked",
        "basis": None,
        "increment": None,
        "persons_reached": None,
        "answers_left_out": None,
    }
    assert list(seconds) == [*STEPS, "total"]
    assert seconds["total"] == pytest.approx(sum(seconds[step] for step in STEPS), abs=1e-4)
    assert all(seconds[step] > 0 for step in STEPS)
    assert [Path(name).resolve() for name in files] == [
        folder / "released" / "patients.csv",
        folder / "released" / "certificate.json",
    ]
    assert set(folder.joinpath("released").iterdir()) == {Path(n).resolve() for n in files}


def test_release_says_in_words_what_it_did(folder, type_in):
    code, told, complaint = type_in("release patients.toml")
    assert (code, complaint) == (0, "")
    assert "10 of 12 rows are released; 2 left out, because their combination" in told
    assert "5 classes of at least 2 rows (k = 2), of 2.0 rows on average.\n" in told
    assert told.endswith(f"published: released\n{HINT}Next: lookalike verify released\n")


def test_a_dry_run_answers_the_same_and_writes_nothing(folder, answer, type_in):
    before = everything_in(folder)
    planned = answer("release patients.toml --dry-run")
    code, told, _ = type_in("release patients.toml --dry-run")
    assert (code, everything_in(folder)) == (0, before)
    assert told.endswith("Nothing was written (--dry-run).\n")
    done = answer("release patients.toml")
    assert list(planned) == list(done)
    assert planned["files"] == []
    varying = ("seconds", "files", "earlier_releases")
    assert all(planned[name] == done[name] for name in RELEASE_FIELDS if name not in varying)


def test_a_release_is_replaced_only_if_that_is_said(folder, answer):
    first = answer("release patients.toml")
    before = everything_in(folder)
    refused = answer("release patients.toml --k 3", code=6)
    assert "--replace" in refused["error"]
    assert everything_in(folder) == before
    assert answer("release patients.toml --k 3 --replace")["files"] == first["files"]
    assert answer("verify released")["holds"]
    certificate = json.loads((folder / "released" / "certificate.json").read_text())
    assert certificate["quasi_identifiers"][0]["k"] == 3


def test_k_takes_the_place_of_the_files(folder, answer):
    released = answer("release patients.toml -k 6 --dry-run")
    assert released["k"] == 6
    assert released["k_reached"] >= 6


@pytest.mark.parametrize(
    ("amount", "most"), [("0", 0), ("1", 1), ("0.17", 2), ("0.16", 1), ("0.9", 10)]
)
def test_max_suppressed_takes_the_place_of_the_files(folder, answer, amount, most):
    released = answer(f"release patients.toml --max-suppressed {amount} --out made/p.csv")
    certificate = json.loads((folder / "made" / "certificate.json").read_text())
    assert certificate["max_suppressed"] == amount
    assert released["rows_suppressed"] <= most


def test_the_method_takes_the_place_of_the_files(folder, answer):
    spoilt = (folder / "patients.toml").read_text().replace('"datafly"', '"unheard-of"')
    (folder / "patients.toml").write_text(spoilt)
    assert answer("release patients.toml --method datafly --dry-run")["method"] == "datafly"


def test_out_is_relative_to_the_working_folder(folder, answer, monkeypatch):
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    answer("release ../patients.toml --out mine/patients.parquet")
    assert {path.name for path in (elsewhere / "mine").iterdir()} == {
        "patients.parquet",
        "certificate.json",
    }
    assert not (folder / "released").exists()
    assert answer("verify mine --spec ../patients.toml")["holds"]


def test_the_order_is_kept_only_if_that_is_said(folder, answer):
    answer("release patients.toml --keep-order")
    assert json.loads((folder / "released" / "certificate.json").read_text())["order"] == "kept"
    answer("release patients.toml --replace")
    certificate = json.loads((folder / "released" / "certificate.json").read_text())
    assert certificate["order"] == "randomized"


JOINED = """\
[source]
tables = { people = "one/data.csv", wards = "two/data.csv" }
query = "SELECT zip, town FROM People JOIN wards USING (ward)"
encoding = "latin-1"
[release]
k = 2
out = "joined/data.csv"
[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }
[attributes.town]
role = "other"
"""


def test_tables_can_be_joined_first(folder, answer):
    contents = {"one": "zip,ward\n07,1\n07,1\n08,2\n", "two": "ward,town\n1,Köln\n"}
    for name, content in contents.items():
        (folder / name).mkdir()
        (folder / name / "data.csv").write_text(content, encoding="latin-1")
    (folder / "joined.toml").write_text(JOINED)
    assert answer("release joined.toml")["rows_in"] == 2
    assert (folder / "joined" / "data.csv").read_text() == "zip,town\n07,Köln\n07,Köln\n"
    assert answer("verify joined --spec joined.toml")["holds"]


@pytest.mark.parametrize("name", ["gone", "t", "m", "s", "mapping", "before", "after", "select"])
def test_a_column_may_have_a_name_that_our_queries_use(folder, answer, name):
    (folder / "names.csv").write_text(f"zip,{name}\n07,true\n07,true\n08,true\n")
    attributes = '[attributes.zip]\nrole = "quasi-identifier"\nhierarchy = { kind = "suppress" }\n'
    attributes += f'[attributes.{name}]\nrole = "other"\n'
    release = '[release]\nk = 2\nmax_suppressed = 1\nout = "named/names.csv"\n'
    (folder / "names.toml").write_text(f'[source]\npath = "names.csv"\n{release}{attributes}')
    assert answer("release names.toml")["rows_suppressed"] == 1
    assert (folder / "named" / "names.csv").read_text() == f"zip,{name}\n07,true\n07,true\n"
    assert answer("verify named --spec names.toml")["holds"]


def test_an_option_that_lists_columns_may_be_repeated(folder, answer):
    joined = answer("check patients.csv -q birth_date,gender,zip", code=1)
    assert answer("check patients.csv -q birth_date -q gender,zip", code=1) == joined
    assert answer("check patients.csv -q gender", code=0) != joined


def test_lists_of_risk_and_link_may_be_repeated(folder, answer):
    table = "patients.csv -q zip --sensitive"
    joined = answer(f"risk {table} problem,race")
    assert answer(f"risk {table} problem --sensitive race") == joined
    pairs = "link patients.csv voters.csv --on"
    linked = [answer(f"{pairs} {on}")["on"] for on in ("zip --on gender=sex", "zip,gender=sex")]
    assert linked == [{"zip": "zip", "gender": "sex"}] * 2
