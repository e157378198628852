"""A hospital of two small linked tables, and their specification."""

import csv
from pathlib import Path

PEOPLE = [(n, "f" if n % 2 else "m", 20 + n // 4) for n in range(24)]
VISITS = [(n, month) for n in range(24) for month in ("May", "June")[: 1 + n % 2]]
KEY = {"role": "identifier"}
HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
TENS = {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10]}}
SPEC = """
[source]
path = "people.csv"
person = "no"
[release]
k = 4
max_suppressed = 2
out = "released/people.csv"
[attributes]
no = { role = "identifier" }
sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
age = { role = "quasi-identifier", hierarchy = { kind = "intervals", widths = [10] } }
[records.visits]
path = "visits.csv"
person = "no"
knows = 2
[records.visits.attributes]
no = { role = "identifier" }
month = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
ward = { role = "sensitive" }
"""


def write(path: Path, header: str, rows: list[tuple[object, ...]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header.split(","), *rows])


def change(folder: Path, old: str, new: str) -> None:
    text = (folder / "linked.toml").read_text()
    assert old in text
    (folder / "linked.toml").write_text(text.replace(old, new, 1))
