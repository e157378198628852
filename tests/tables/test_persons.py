"""Persons are the same persons in every kind of table, whatever the type of their column."""

import math
from datetime import date

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.verify.recount import Promise

from ..roles import MASKED

AGES = ["31", "32", "33", "34", "35", "41", "42", "43", "44", "45"]
COLUMNS = {
    "text": ["a", "a", "a", "", None, "b", "c", "d", None, None],
    "integer": [1, 1, 1, 0, -1, 2, 3, 4, 5, 5],
    "fraction": [1.5, 1.5, 1.5, 0.0, -0.0, 2.0, 3.0, 4.0, math.nan, math.nan],
    "date": [date(1965, 9, 20)] * 4 + [date(1970, 1, day) for day in range(1, 7)],
}
FEWEST = {"text": (3, 4), "integer": (3, 4), "fraction": (2, 4), "date": (2, 5)}
"""The persons of the rows below forty, and of the others."""


@pytest.mark.parametrize("kind", COLUMNS)
def test_every_engine_counts_the_same_persons(engine, tmp_path, kind):
    def release(k):
        return la.release(
            engine({"person": COLUMNS[kind], "age": AGES}),
            k=k,
            method="mingen",
            attributes={"person": {"role": "identifier"}, "age": MASKED},
            source={"person": "person"},
        )

    fewest = min(FEWEST[kind])
    divided, together = release(fewest), release(fewest + 1)
    assert divided.levels == {"age": 1}
    assert divided.certificate.quasi_identifiers[0].persons_reached == fewest
    assert together.levels == {"age": 2}
    divided.publish(tmp_path / "released" / "table.csv")
    assert la.verify(tmp_path / "released").holds


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.exhaustive] * (kind != "date")) for kind in COLUMNS],
)
def test_spark_counts_persons_where_it_publishes(make_spark, tmp_path, monkeypatch, kind):
    columns = {"person": COLUMNS[kind], "age": AGES}
    frame = make_spark().createDataFrame(pa.table(columns))

    def release(k):
        return la.release(
            frame,
            k=k,
            method="mingen",
            attributes={"person": {"role": "identifier"}, "age": MASKED},
            source={"person": "person"},
        )

    fewest, out = min(FEWEST[kind]), tmp_path / "released" / "table.parquet"
    certificate = release(fewest).publish(out.as_uri())
    assert certificate.quasi_identifiers[0].persons_reached == fewest
    made = release(fewest)
    more = (Promise(("age",), fewest + 1, person="person"),)
    monkeypatch.setattr("lookalike.flow.claims.Claims.promises", more)
    with pytest.raises(la.RequirementNotMet, match=f"fewer than {fewest + 1} persons"):
        made.publish((tmp_path / "refused" / "table.parquet").as_uri())
    assert not (tmp_path / "refused").exists()
