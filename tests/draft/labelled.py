"""Columns of public tables with the role that an expert gave them, as small tables in memory.

``labelled_columns.csv`` names them. The values are invented; `make_values` describes how their
column ``values`` is read. The columns of the part ``tuned`` were in view while the draft was
written; eleven of its tables (such as encounters, pupils and fertil2) were held out first, until
their names or failures were used. The tables of the part ``held out`` were labelled before the
draft saw them, and their failures did not change it. Tables are named after their R package.
"""

import csv
import re
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path
from random import Random
from uuid import UUID

import pyarrow as pa

from lookalike.draft.profile import profile_table
from lookalike.draft.propose_role import propose_columns
from lookalike.tables.read import read_frame

ROWS = 600
SAFETY = {"other": 0, "sensitive": 0, "quasi-identifier": 1, "drop": 2, "identifier": 2}
"""How little each role releases."""
_RANGE = re.compile(r"(-?[0-9.]+)\.\.(-?[0-9.]+)")
_DAYS = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.\.([0-9]{4}-[0-9]{2}-[0-9]{2})")
_SERIAL = re.compile(r"serial (.+?)(?: /([0-9]+))?")
_LAST_DIGITS = re.compile(r"[0-9]+(?=[^0-9]*$)")


def read_labels():
    """Return the labelled columns."""
    path = Path(__file__).with_name("labelled_columns.csv")
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def propose(labelled):
    """Return each labelled column with what the draft proposes for it by itself."""
    for _, group in groupby(labelled, key=lambda one: one["table"]):
        columns = list(group)
        table = pa.table({one["column"]: make_values(one) for one in columns})
        labels = {one["column"]: (one["label"], {}) for one in columns}
        proposed = propose_columns(profile_table(read_frame(table), labels=labels), 5)
        yield from zip(columns, proposed, strict=True)


def make_values(labelled):
    """Return invented values of a column.

    ``a|b|c`` are categories, the first the most frequent; ``18..90`` numbers with so many decimals,
    or days; ``serial A001 /4`` numbers of which each has four rows.
    """
    random = Random(f"{labelled['table']} {labelled['column']}")
    values = labelled["values"]
    if values in _SPECIAL:
        return [_SPECIAL[values](random) for _ in range(ROWS)]
    if found := _SERIAL.fullmatch(values):
        return [_count_up(found[1], row // int(found[2] or 1)) for row in range(ROWS)]
    if found := _DAYS.fullmatch(values):
        first, last = map(date.fromisoformat, found.groups())
        days = (last - first).days
        return [str(first + timedelta(random.randrange(days))) for _ in range(ROWS)]
    if found := _RANGE.fullmatch(values):
        decimals = len(found[1].partition(".")[2])
        low, high = float(found[1]), float(found[2])
        return [f"{random.uniform(low, high):.{decimals}f}" for _ in range(ROWS)]
    listed = values.split("|")
    return random.choices(listed, [1 / (2 + place) for place in range(len(listed))], k=ROWS)


def _count_up(first, number):
    """Return a number so many places after the first."""
    digits = _LAST_DIGITS.search(first)
    counted = str(int(digits[0]) + number).zfill(len(digits[0]))
    return first[: digits.start()] + counted + first[digits.end() :]


_SPECIAL = {
    "names": lambda random: " ".join(
        "".join(random.choices("abcdefghij", k=6)).capitalize() for _ in range(2)
    ),
    "uuid": lambda random: str(UUID(int=random.getrandbits(128))),
    "sentences": lambda random: " ".join(
        "".join(random.choices("abcdefghij", k=random.randrange(2, 8))) for _ in range(9)
    ),
}
