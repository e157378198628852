"""Releases of linked tables in each of their forms, and their private tables with changes."""

import json
import shutil

import pyarrow as pa
import pyarrow.csv as arrow_csv

import lookalike as la
from lookalike.publish.digest import describe_file

KEY = {"role": "identifier"}
AS_IS = {"role": "sensitive"}
HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
MASK = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
PEOPLE = pa.table(
    {
        "no": range(24),
        "sex": ["f", "m"] * 12,
        "codes": ["I10;J20", "I11; J20;", None, "", "I10;I11;J21", "J20"] * 4,
        "plan": ["A", "A", "B", "C"] * 6,
    }
)
VISITS = pa.table(
    {
        "no": [n for n in range(24) for _ in range(1 + n % 3)],
        "visit": [visit for n in range(24) for visit in range(1 + n % 3)],
        "month": ["May", "June", "May"] * 16,
        "ward": ["W", "X", "Y", "Z"] * 12,
    }
)
TESTS = pa.table(
    {
        "no": [n for n in range(24) for _ in range(2)],
        "of": [visit for n in range(24) for visit in (0, n % 3)],
        "result": ["low", "high", "high"] * 16,
    }
)
PERSONS = {"no": KEY, "sex": HIDE, "codes": {**MASK, "separator": ";", "knows": 1}, "plan": AS_IS}
NO_SETS = {**PERSONS, "codes": {"role": "drop"}}
OF_VISIT = {"no": KEY, "visit": KEY, "month": HIDE, "ward": AS_IS}
VISIT = {"table": VISITS, "person": "no", "knows": 1, "attributes": OF_VISIT}
TEST = {
    "table": TESTS,
    "person": "no",
    "refers": {"of": "visits"},
    "knows": 0,
    "attributes": {"no": KEY, "of": KEY, "result": AS_IS},
}
FORMS = {
    "both": {"records": {"visits": VISIT}, "attributes": NO_SETS},
    "sets": {"attributes": PERSONS},
    "sets and records": {"records": {"visits": VISIT}, "attributes": PERSONS},
    "references": {
        "records": {"visits": {**VISIT, "key": "visit"}, "tests": TEST},
        "attributes": NO_SETS,
    },
    "apart": {"records": {"visits": VISIT}, "attributes": PERSONS, "link": False},
    "drawn": {"records": {"visits": {**VISIT, "at_most": 2}}, "attributes": NO_SETS},
    "drawn apart": {
        "records": {"visits": {**VISIT, "at_most": 2}},
        "attributes": NO_SETS,
        "link": False,
    },
    "alone": {"records": {"visits": VISIT}},
    "household": {"records": {"visits": VISIT}, "attributes": NO_SETS, "unit": "household"},
}


def publish(folder, people=PEOPLE, **changes):
    """Publish a release; return its folder, specification and private tables."""
    asked = {"source": {"person": "no"}, "k": 3, "max_suppressed": 2, **changes}
    if "attributes" not in asked:
        people = None
        del asked["source"]
    made = la.release_records(people, **asked)
    made.publish(folder / "people.csv")
    tables = {name: one["table"] for name, one in asked.get("records", {}).items()}
    return folder, made.specification, {**tables, **({} if people is None else {"persons": people})}


def verify(release, **tables):
    """Verify a release with its private tables, some of them replaced."""
    folder, specification, own = release
    return la.verify(folder, spec=specification, table={**own, **tables})


def change(release, **fields):
    """Return the specification of a release with other fields of ``[release]``."""
    asked = release[1].release.model_copy(update=fields)
    return release[1].model_copy(update={"release": asked})


def find(verification, part):
    """Return the one finding whose claim has some words."""
    [found] = [one for one in verification.findings if part in one.claim]
    return found


def set_value(table, column, row, value):
    """Return a table with another value in some rows."""
    values = table[column].to_pylist()
    values[row] = [value] * len(values[row])
    return table.set_column(table.column_names.index(column), column, pa.array(values))


def swap(table, column, one, other):
    """Return a table in which two rows have each other's values."""
    values = table[column].to_pylist()
    values[one], values[other] = values[other], values[one]
    return table.set_column(table.column_names.index(column), column, pa.array(values))


def tamper(release, folder, file, change):
    """Copy a release, change one of its files, and make its digest that of the changed file."""
    shutil.copytree(release[0], folder)
    arrow_csv.write_csv(change(arrow_csv.read_csv(folder / file)), folder / file)
    fields = json.loads((folder / "certificate.json").read_text())
    digest = describe_file(folder / file)
    fields["files"][file] |= {"sha256": digest.sha256, "bytes": digest.bytes}
    (folder / "certificate.json").write_text(json.dumps(fields))
    return folder, *release[1:]


def failed(verification):
    """List the claims that do not hold."""
    return [one.claim for one in verification.findings if not one.holds]


TRUE_PERSONS = "all released persons generalize private persons of their own"
TRUE_VISITS = "every row of visits.csv generalizes a private row of its own"
MATCHES = "the certificate matches the specification"
