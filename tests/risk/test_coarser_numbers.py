"""How far numbers must be rounded so that few rows are unique, and whether that comes true."""

import random
import re

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.risk.table import coarser_numbers

from ..roles import LINKABLE, SENSITIVE

NUMBERS = ("income", "rent", "bill")
ADVICE = re.compile(r"round = ([0-9]+), top = ([0-9]+) under \[attributes\.(\w+)\]")


def make_pay(rows=600):
    draw = random.Random(4)
    incomes = [int(draw.lognormvariate(10.5, 0.6)) for _ in range(rows)]
    return {
        "sex": [draw.choice("MF") for _ in range(rows)],
        "income": [str(one) for one in incomes],
        "rent": [str(one // draw.randrange(20, 60)) for one in incomes],
        "bill": [f"{draw.lognormvariate(5, 1):.2f}" for _ in range(rows)],
    }


def find_unique(table, coarser=None):
    """Return what the check of columns released as they are finds."""
    attributes = {"sex": LINKABLE}
    for name in table.keys() - attributes.keys():
        attributes[name] = SENSITIVE | {"unique": True} | (coarser or {}).get(name, {})
    made = la.release(pa.table(table), k=5, attributes=attributes, source={"person": "row"})
    return next((one for one in made.preflight if one.name == "as-is-unique"), None)


def test_the_proposed_rounding_leaves_as_many_unique_rows_as_it_says():
    table = make_pay()
    finding = find_unique(table)
    assert finding.severity == "error"
    advised = {
        name: {"round": int(unit), "top": int(top)}
        for unit, top, name in ADVICE.findall(finding.remedy)
    }
    assert advised.keys() == set(NUMBERS)
    [promised] = re.findall(r"(\S+) of 600 rows \(\S+ %\) would still be unique", finding.remedy)
    after = find_unique(table, advised)
    assert after.severity == "warning"
    assert after.sentence.startswith(f"{promised} of 600 rows")
    assert "round =" not in after.remedy


def test_where_numbers_are_not_the_reason_rounding_is_not_proposed_as_enough():
    draw = random.Random(1)
    codes = {f"code{n}": [f"c{draw.randrange(15)}" for _ in range(600)] for n in range(6)}
    assert "round =" not in find_unique({"sex": make_pay()["sex"], **codes}).remedy
    mixed = find_unique({**make_pay(), **codes})
    assert "would still be unique" not in mixed.remedy or "not enough" in mixed.remedy


def test_missing_numbers_stay_missing():
    table = make_pay()
    table["bill"][::7] = [None] * len(table["bill"][::7])
    assert ADVICE.search(find_unique(table).remedy)


@pytest.mark.parametrize("codes", [6, 0])
def test_finer_numbers_are_tried_only_if_the_coarsest_are_enough(codes, monkeypatch):
    draw, asked = random.Random(1), []
    count = coarser_numbers.count_jointly
    monkeypatch.setattr(
        coarser_numbers, "count_jointly", lambda *given: asked.append(1) or count(*given)
    )
    others = {f"code{n}": [f"c{draw.randrange(15)}" for _ in range(600)] for n in range(codes)}
    find_unique({**make_pay(), **others})
    assert (len(asked) == 1) == (codes == 6)
