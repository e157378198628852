"""Values that have nearly all rows of a class are found without listing every pair of both."""

import random
from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.tables import dominant
from lookalike.tables.dominant import Dominated
from lookalike.tables.engines import engine_of
from lookalike.tables.plan import class_fates, list_fates
from lookalike.tables.recode import recode

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

ROWS = 900
SHARE = (9, 10)
ATTRIBUTES = {
    "id": IDENTIFIER,
    "zip": MASKED,
    "age": LINKABLE,
    "ill": SENSITIVE,
    "drug": SENSITIVE,
    "same": SENSITIVE,
}


def make_people():
    """Invent people: one value rules in some ZIP codes, none in others, missing in one."""
    drawn = random.Random(3)
    zips = [f"0{drawn.randrange(6)}" for _ in range(ROWS)]
    ruling = {"00": "gout", "01": None, "02": "flu"}
    return {
        "id": [f"p{number // 2}" for number in range(ROWS)],
        "zip": zips,
        "age": [str(drawn.randrange(3)) for _ in range(ROWS)],
        "ill": [
            ruling[zip_] if zip_ in ruling and drawn.random() < 0.95 else f"ache {drawn.random()}"
            for zip_ in zips
        ],
        "drug": [drawn.choice("ab") for _ in range(ROWS)],
        "same": ["x"] * ROWS,
    }


def release(frame, **fields):
    asked = {"k": 5, "max_suppressed": 0.1, "accept": ["one-value"], **fields}
    return la.release(frame, attributes=ATTRIBUTES, **asked)


def ask_engine(made, person=None):
    """Return what the engine lists: for each column, class size, rows with the value, usual."""
    plan = made.plan
    fates = list_fates(plan.frequency, plan.recoding)
    class_of, _ = class_fates(plan, fates, plan.frequency.attributes)
    columns = Dominated(("ill", "drug", "same"), SHARE, person)
    found = engine_of(plan.table.frame).list_dominant(plan, fates, class_of, columns)
    return [
        Counter(zip(*map(np.ndarray.tolist, (a.members, a.having, a.usual, a.alone)), strict=True))
        for a in found
    ]


def count_plainly(rows):
    """Do the same with the released rows, by the definition."""
    found = []
    for place in (2, 3, 4):
        classes, usual = defaultdict(Counter), Counter(row[place] for row in rows)
        for row in rows:
            classes[row[:2]][row[place]] += 1
        found.append(
            Counter(
                (sum(own.values()), own[value], usual[value], len(own) == 1)
                for own in classes.values()
                for value in own
                if own[value] * SHARE[1] >= sum(own.values()) * SHARE[0]
            )
        )
    return found


@pytest.mark.parametrize(
    "fields",
    [
        {"method": "mingen"},
        {"method": "mingen", "suppressed_rows": "blank"},
        {"method": "k-similar"},
    ],
    ids=["levels", "blank", "cells"],
)
def test_every_engine_lists_the_values_of_the_released_rows(engine, fields):
    made = release(engine(make_people()), **fields)
    rows = engine.to_rows(recode(made.plan).to_native())
    assert ask_engine(made) == count_plainly(rows)
    assert [bool(found) for found in count_plainly(rows)] == [True, False, True]


def test_rows_that_are_left_out_do_not_count(engine):
    people = make_people()
    people["zip"][:3], people["ill"][:3] = ["99"] * 3, ["gout"] * 3
    made = release(engine(people), method="mingen", constraints=["zip <= 0", "age <= 0"])
    assert made.recoding.suppressed.sum() == 3
    assert ask_engine(made) == count_plainly(engine.to_rows(recode(made.plan).to_native()))


def test_persons_are_counted_once_for_each_value(engine):
    made = release(engine(make_people()), method="mingen", source={"person": "id"})
    ill, drug, same = ask_engine(made, "id")
    people, classes = make_people(), defaultdict(set)
    for key, id_ in zip(zip(people["zip"], people["age"], strict=True), people["id"], strict=True):
        classes[key].add(id_)
    assert not any(made.recoding.vector)
    everybody = ROWS // 2
    assert same == Counter((len(own), len(own), everybody, True) for own in classes.values())
    assert all(members > having or alone for members, having, _, alone in ill)
    assert drug == Counter()


def test_classes_without_such_a_value_are_ruled_out_by_bits(monkeypatch):
    """The values of most classes are never counted: that is what it is for."""
    counted = []
    rule_out = dominant._rule_out
    monkeypatch.setattr(
        dominant, "_rule_out", lambda *given: counted.append(rule_out(*given)) or counted[-1]
    )
    connection = pytest.importorskip("duckdb").connect()
    made = release(connection.from_arrow(pa.table(make_people())), method="mingen")
    ask_engine(made)
    ill, drug, same = ((own >= 0).sum() / len(own) for own in counted[-3:])
    assert (ill, drug, same) == (pytest.approx(0.5, abs=0.15), 0, 1)
