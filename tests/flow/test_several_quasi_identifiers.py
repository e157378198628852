"""Several quasi-identifiers in one release, each with its own k (Samarati, section 2)."""

import json

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la

TREATMENTS = pa.table(
    {
        "patient": [f"p{number}" for number in range(12)],
        "age": ["31", "32", "35", "36", "41", "44", "52", "53", "58", "59", "61", "64"],
        "town": [
            "Ash",
            "Ash",
            "Ash",
            "Elm",
            "Elm",
            "Elm",
            "Ash",
            "Ash",
            "Elm",
            "Elm",
            "Ash",
            "Elm",
        ],
        "specialty": [*["eye", "eye", "ear", "ear"] * 2, "eye", "eye", "skin", "ear"],
        "cost": ["1", "2"] * 6,
    }
)
ATTRIBUTES = {
    "patient": {"role": "identifier"},
    "age": {
        "role": "quasi-identifier",
        "hierarchy": {"kind": "intervals", "widths": [5, 10, 20]},
    },
    "town": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "specialty": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "cost": {"role": "other"},
}
QUASI_IDENTIFIERS = [
    {"name": "patient", "attributes": ["age", "town"], "k": 2, "respondent": "patient"},
    {"name": "doctor", "attributes": ["specialty", "town"], "k": 3},
]


def to_duckdb(columns):
    return duckdb.connect().from_arrow(pa.table(columns))


def make(method, **fields):
    return la.release(
        TREATMENTS,
        k=2,
        method=method,
        attributes=ATTRIBUTES,
        quasi_identifiers=QUASI_IDENTIFIERS,
        **fields,
    )


@pytest.mark.parametrize("method", ["datafly", "samarati", "mingen"])
@pytest.mark.parametrize("suppressed_rows", ["drop", "blank"])
@pytest.mark.parametrize("limit", [0, 1, 3])
def test_each_holds_with_its_own_k(method, suppressed_rows, limit, tmp_path):
    made = make(method, max_suppressed=limit, suppressed_rows=suppressed_rows)
    assert la.check(made.table, ["age", "town"], 2).holds
    assert la.check(made.table, ["specialty", "town"], 3).holds
    made.publish(tmp_path / "released" / "treatments.csv")
    assert la.verify(tmp_path / "released", spec=made.specification, table=TREATMENTS).holds


def test_the_certificate_tells_of_each(tmp_path):
    made = make("mingen", max_suppressed=2)
    made.publish(tmp_path / "released" / "treatments.csv")
    certificate = json.loads((tmp_path / "released" / "certificate.json").read_text())
    assert [(one["name"], one["k"]) for one in certificate["quasi_identifiers"]] == [
        ("patient", 2),
        ("doctor", 3),
    ]
    assert all(one["k_reached"] >= one["k"] for one in certificate["quasi_identifiers"])
    assert "2-anonymous over" in certificate["statement"]
    assert "3-anonymous over" in certificate["statement"]


@pytest.mark.parametrize("missing", [None, float("nan")])
@pytest.mark.parametrize("to_frame", [pa.table, pd.DataFrame, pl.DataFrame, to_duckdb])
def test_rows_without_a_respondent_are_rows_of_one_person(missing, to_frame):
    patients = [float(number) for number in range(TREATMENTS.num_rows - 2)]
    columns = TREATMENTS.to_pydict() | {"patient": [*patients, missing, missing]}
    made = la.release(
        to_frame(columns), k=2, attributes=ATTRIBUTES, quasi_identifiers=QUASI_IDENTIFIERS
    )
    [persons] = made.plan.frequency.beside
    assert persons.most_rows == 2
    assert persons.size == 2
