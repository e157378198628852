"""A release that is not a generalization of its private table is refused, whatever the fault."""

import importlib
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import lookalike as la
from lookalike.hierarchy import Hierarchy
from lookalike.model.requirement import QuasiIdentifier
from lookalike.publish import publish as stage
from lookalike.spec.specification import Specification
from lookalike.tables import counted
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_frame

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

ATTRIBUTES = {"name": IDENTIFIER, "zip": MASKED, "sex": LINKABLE, "ill": SENSITIVE}
COLUMNS = {
    "name": [f"person {number}" for number in range(9)],
    "zip": ["02138", "02139"] * 2 + ["02141", "02142", None, None, "99999"],
    "sex": ["f"] * 4 + ["m"] * 5,
    "ill": ["flu", "ache", "flu", "ache", "rash", "pox", "gout", "cold", "cold"],
}
WAYS = {
    "drop": {"max_suppressed": 1, "method": "mingen"},
    "blank": {"max_suppressed": 2, "method": "mingen", "suppressed_rows": "blank"},
    "cells": {"max_suppressed": 1, "method": "mingen-cells"},
}


def make(table, way="drop", **fields):
    return la.release(table, k=2, attributes=ATTRIBUTES, **WAYS[way], **fields)


@pytest.fixture(params=WAYS)
def way(request):
    return request.param


@pytest.fixture
def private(tmp_path):
    path = tmp_path / "private.csv"
    rows = zip(*COLUMNS.values(), strict=True)
    lines = [",".join("" if value is None else value for value in row) for row in rows]
    path.write_text("\n".join([",".join(COLUMNS), *lines]) + "\n")
    return path


def refuse(private, tmp_path, way="drop"):
    """Make sure that neither the frame nor the file is released."""
    refused = "do not generalize a private row each"
    with pytest.raises(la.RequirementNotMet, match=refused):
        make(pa.table(COLUMNS), way)
    with pytest.raises(la.RequirementNotMet, match=refused):
        make(private, way).publish(tmp_path / "released" / "table.csv")
    assert not (tmp_path / "released").exists()


def test_without_a_fault_it_is_released(way, private, tmp_path):
    assert make(pa.table(COLUMNS), way).table.num_rows > 0
    make(private, way).publish(tmp_path / "released" / "table.csv")


def test_labels_of_the_level_above_are_found(way, private, tmp_path, monkeypatch):
    bind = Hierarchy.bind

    def climb_once_more(self, column, values, suppressed="*"):
        bound = bind(self, column, values, suppressed)
        if column == "sex":
            return bound
        return replace(
            bound,
            labels=(bound.labels[0], bound.labels[2], *bound.labels[2:]),
            levels=(bound.levels[0], bound.levels[2], *bound.levels[2:]),
        )

    monkeypatch.setattr(Hierarchy, "bind", climb_once_more)
    refuse(private, tmp_path, way)


def test_missing_values_counted_as_another_value_are_found(private, tmp_path, monkeypatch):
    encode = counted.encode_column

    def confuse(name, column):
        values, codes = encode(name, column)
        last = len(values) - 1
        return (values, codes) if values[-1] else (values[:-1], codes % last)

    monkeypatch.setattr(counted, "encode_column", confuse)
    refuse(private, tmp_path)


def test_values_beside_that_go_to_other_rows_are_found(way, private, tmp_path, monkeypatch):
    release = importlib.import_module("lookalike.flow.result")
    recode, write = release.recode_with_trail, stage.write_table

    def confuse(plan):
        frame, trail = recode(plan)
        return exchange(frame), trail

    monkeypatch.setattr(release, "recode_with_trail", confuse)
    monkeypatch.setattr(stage, "write_table", lambda frame, *to: write(exchange(frame), *to))
    refuse(private, tmp_path, way)


def exchange(frame):
    """Let the rows show, in their order by zip, what the next has beside."""
    table = as_relation(frame, Connection()).to_arrow_table()
    ordered = table.take(pc.sort_indices(table["zip"]))
    first, *others = ordered["ill"].to_pylist()
    return read_frame(ordered.set_column(2, "ill", pa.array([*others, first])))


def test_a_requirement_that_hands_on_less_than_k_is_found(private, tmp_path, monkeypatch):
    asked = Specification.requirement
    monkeypatch.setattr(
        Specification, "requirement", lambda self, rows: replace(asked(self, rows), k=2)
    )
    for table in (pa.table(COLUMNS), private):
        with pytest.raises(la.RequirementNotMet, match="has 2 rows, fewer than 3"):
            la.release(table, k=3, attributes=ATTRIBUTES, **WAYS["drop"]).publish(
                tmp_path / "released" / "table.csv"
            )
    assert not (tmp_path / "released").exists()


def test_a_source_that_is_replaced_while_it_is_released_is_found(private, tmp_path):
    def interfere(step):
        if step == "verify":
            private.write_text(private.read_text().replace("flu", "mumps"))

    made = make(private, announce=interfere)
    with pytest.raises(la.RequirementNotMet, match="did the source change while it was read"):
        made.publish(tmp_path / "released" / "table.csv")
    assert not (tmp_path / "released").exists()


def test_the_quasi_identifier_is_that_of_the_specification(private, tmp_path, monkeypatch):
    asked = Specification.requirement
    some = (QuasiIdentifier("some", ("sex",), 2),)
    monkeypatch.setattr(
        Specification,
        "requirement",
        lambda self, rows: replace(asked(self, rows), quasi_identifiers=some),
    )
    for table in (pa.table(COLUMNS), private):
        with pytest.raises(la.RequirementNotMet, match="smallest class over zip, sex has 1 rows"):
            make(table).publish(tmp_path / "released" / "table.csv")
    assert not (tmp_path / "released").exists()
