"""A studio in a folder with three linked tables, whose tasks run at once in this process."""

import csv
from contextlib import contextmanager
from importlib.resources import files

import pytest

from lookalike.studio.door import Gate
from lookalike.studio.session import Session

from .conftest import PORT, opening
from .pressed import Pressed

RECORDS = files("lookalike").joinpath("shell/data/records")
TABLES = ("patients.csv", "admissions.csv", "lab.csv")
PERSONS = 80
SPECIFICATION = """\
[source]
path = "patients.csv"
person = "patient_no"

[release]
k = 2
max_suppressed = 0.2
out = "released/patients.csv"

[attributes]
patient_no = { role = "identifier" }
birth_date = { role = "quasi-identifier", hierarchy = { kind = "dates", steps = ["20 years"] } }
sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
zip = { role = "sensitive" }

[records.admissions]
path = "admissions.csv"
person = "patient_no"
knows = 1

[records.admissions.attributes]
patient_no = { role = "identifier" }
day = { role = "quasi-identifier", hierarchy = { kind = "dates", steps = ["year"] } }
ward = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
diagnosis = { role = "sensitive" }

[records.lab]
path = "lab.csv"
person = "patient_no"
knows = 0

[records.lab.attributes]
patient_no = { role = "identifier" }
test = { role = "other" }
result = { role = "sensitive" }
"""


def write_tables(folder, persons=PERSONS):
    """Write the first persons of the hospital of the demonstration, with their records."""
    kept = set()
    for name in TABLES:
        with RECORDS.joinpath(name).open(newline="") as stream:
            rows = csv.DictReader(stream)
            lines = [one for one in rows if not kept or one["patient_no"] in kept]
        lines = lines if kept else lines[:persons]
        kept = kept or {one["patient_no"] for one in lines}
        with (folder / name).open("w", newline="") as stream:
            written = csv.DictWriter(stream, rows.fieldnames)
            written.writeheader()
            written.writerows(lines)


@contextmanager
def pressing(folder):
    """Open a studio with the specification of the three tables, which were not read yet."""
    write_tables(folder)
    (folder / "people.toml").write_text(SPECIFICATION)
    gate = Gate(PORT)
    gate.enter(gate.token)
    with opening(folder, gate) as opened, pytest.MonkeyPatch.context() as patch:
        made = Pressed(opened)
        patch.setattr(Session, "begin", lambda _session, *given, **_: made.begin(*given))
        yield made


@pytest.fixture
def pressed(tmp_path):
    """A studio with the specification of the three tables open."""
    with pressing(tmp_path) as made:
        yield made
