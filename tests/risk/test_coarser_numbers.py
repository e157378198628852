"""How far numbers must be rounded so that few rows are unique, and whether that comes true."""

import random
import re

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.risk.table import as_is, coarser_numbers

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


def test_what_is_estimated_is_said_to_be(monkeypatch):
    """Bills of which many are missing: a row is compared with all that have its other numbers."""
    table = make_pay()
    for shift, name in enumerate(NUMBERS):
        values = enumerate(table[name], start=shift)
        table[name] = [value if place % 3 else None for place, value in values]
    exact = find_unique(table)
    assert "bout" not in exact.sentence + exact.remedy
    monkeypatch.setattr(coarser_numbers, "MOST_COMPARISONS", 1_000)
    remedy = find_unique(table).remedy
    assert re.search(r", about \S+ of 600 rows \(\S+ %\) would still be unique", remedy)
    monkeypatch.setattr(as_is, "MOST_WORK", 0)  # only single columns are counted before
    monkeypatch.setattr(as_is, "MOST_COMPARISONS", 10)
    assert find_unique(table).sentence.startswith("About ")
