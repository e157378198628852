"""Every JSON object that the program prints or writes has a published schema that describes it."""

import json
import shlex
import shutil

import pyarrow.csv
import pytest
from jsonschema import Draft202012Validator

from lookalike.json_result import describe_json
from lookalike.shell.commands.schema import list_outputs

from ..json_schemas import find_validator, name_output

LEDGER = "--ledger private/ledger.db"
RELEASE = "release patients.toml --replace"
BOTH = (f"{RELEASE} {LEDGER}", f"{RELEASE} {LEDGER} --out april/patients.csv")
PRINTED = {
    "init": "init patients.csv --out drafted.toml",
    "init-records": "init patients.csv visits.csv --out drafted.toml",
    "hierarchy-propose": "hierarchy propose patients.csv zip",
    "hierarchy-preview": "hierarchy preview patients.csv zip '{ kind = \"mask\" }'",
    "hierarchy-show": "hierarchy show patients.toml zip",
    "hierarchy-check": "hierarchy check patients.toml",
    "check": "check patients.csv -q zip,gender",
    "check-spec": "check --spec patients.toml",
    "check-records": "check --spec linked.toml",
    "release": f"{RELEASE} --rules",
    "release-explain": "release patients.toml --explain",
    "release-records": "release linked.toml",
    "release-records-explain": "release linked.toml --explain",
    "review": "review patients.toml --out review.html",
    "minimal": "minimal patients.toml",
    "minimal-search": "minimal patients.toml --search matrix",
    "minimal-of": "minimal --of released --spec patients.toml --show",
    "compare": "compare patients.toml",
    "compare-records": "compare linked.toml",
    "explore": "explore patients.toml -k 2",
    "explore-records": "explore linked.toml",
    "report": "report released",
    "verify": "verify released",
    "apply": "apply released april.csv --spec patients.toml --out recoded.csv --recode-only",
    "risk": "risk patients.csv -q zip,gender --sensitive problem --show",
    "risk-propose": "risk patients.csv",
    "risk-records": "risk patients.csv --person name --record-columns problem",
    "risk-spec": "risk released --spec patients.toml",
    "link": "link released voters.csv --on zip,gender=sex --spec patients.toml --show",
    "link-records": "link known voters.csv --on gender=sex,visits.ward=town --identity name "
    "--records visits=seen.csv --spec linked.toml --show",
    "join": "join released --out whole/patients.csv",
    "attack": "attack released april --spec patients.toml --show",
    "ledger-list": f"ledger list {LEDGER}",
    "ledger-show": f"ledger show 1 {LEDGER}",
    "ledger-attack": f"ledger attack {LEDGER} --spec patients.toml --show",
    "ledger-forecast": "ledger forecast patients.toml --months 2",
    "ledger-forget": f"ledger forget 1 {LEDGER} --reason trial",
    "ledger-restores": f"ledger restores {LEDGER}",
    "ledger-accept-restore": f"ledger accept-restore {LEDGER} --reason trial",
    "demo": "demo",
    "error": "check nowhere.csv -q zip",
}


LINKED = """
source = { path = "patients.csv", person = "name" }
release = { k = 2, max_suppressed = 1, out = "linked/people.csv" }
[attributes]
name = { role = "identifier" }
gender = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
race = { role = "drop" }
birth_date = { role = "drop" }
zip = { role = "drop" }
problem = { role = "drop" }
[records.visits]
path = "visits.csv"
person = "name"
knows = "all"
[records.visits.attributes]
name = { role = "identifier" }
ward = { role = "other" }
"""
"""A specification of persons and their records."""


@pytest.fixture
def published(folder, after, monkeypatch):
    """Two releases of the patients, which a ledger records."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "settings"))
    after(BOTH[0])
    (folder / "linked.toml").write_text(LINKED)
    for table, column in (("patients", "ward"), ("voters", "town")):
        names = pyarrow.csv.read_csv(folder / f"{table}.csv").select(["name"])
        wards = pyarrow.array(["north"] * len(names))
        file = folder / ("visits.csv" if column == "ward" else "seen.csv")
        pyarrow.csv.write_csv(names.append_column(column, wards), file)
    shutil.copy(folder / "private" / "ledger.db", folder / "private" / "older.db")
    after(BOTH[1])
    after("release linked.toml --out known/people.csv")
    return folder


def test_every_output_has_a_command_line_here():
    assert {*PRINTED, "certificate"} == {*list_outputs()}
    named = [(name, name_output(shlex.split(command))) for name, command in PRINTED.items()]
    assert [pair for pair in named if pair[0] != pair[1] and pair[0] != "error"] == []


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one == "demo")) for one in PRINTED]
)
def test_what_is_printed_is_what_the_schema_describes(name, published, type_in):
    """The fixture that types in compares each JSON object with its schema."""
    if name == "ledger-accept-restore":
        shutil.move("private/older.db", "private/ledger.db")
    _, printed, _ = type_in(f"{PRINTED[name]} --json")
    assert ("error" in json.loads(printed)) == (name == "error")


def test_a_certificate_is_what_the_schema_describes(published):
    written = json.loads((published / "released" / "certificate.json").read_text())
    assert [*find_validator("certificate").iter_errors(written)] == []


@pytest.mark.parametrize("name", list_outputs())
def test_a_schema_is_one_and_is_printed(name, type_in):
    code, printed, complaint = type_in(f"schema {name}")
    assert (code, complaint) == (0, "")
    schema = json.loads(printed)
    Draft202012Validator.check_schema(schema)
    assert schema.pop("title") == f"lookalike {name}"
    assert schema == describe_json(list_outputs()[name])


def test_a_key_that_is_not_declared_is_found(published, type_in):
    printed = json.loads(type_in("check patients.csv -q zip --json")[1])
    assert not find_validator("check").is_valid({**printed, "more": 1})
    assert not find_validator("check").is_valid({name: printed[name] for name in ("k", "rows")})


def test_the_names_are_listed_and_an_unknown_one_is_refused(type_in):
    assert type_in("schema")[1].split() == [*list_outputs()]
    code, _, complaint = type_in("schema relaese")
    assert code == 2
    assert "did you mean 'release'?" in " ".join(complaint.split())
