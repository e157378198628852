"""What a ledger stores of a release: its classes, and the keyed hashes of its rows and labels."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import lookalike as la
from lookalike.ledger.store.row_map import digest_column, hash_rows
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.tables.labels import label, spell

from .steward import fields_of, publish, reopen, table_of


def test_classes_are_kept_with_labels_levels_and_counts(place, tmp_path):
    publish(place, tmp_path / "out")

    classes = reopen(place).release(1).files.read_classes()
    assert classes.attributes == ("zip",)
    assert classes.labels == (("0213*", "0214*"),)
    assert classes.levels.tolist() == [[1, 1]]
    assert classes.counts.tolist() == [4, 4]


def test_blank_rows_are_a_class_that_shows_nothing(place, tmp_path):
    publish(place, tmp_path / "out", suppressed_rows="blank")

    files = reopen(place).release(1).files
    classes, rows = files.read_classes(), files.read_rows()
    [blank] = np.flatnonzero(classes.levels[0] == SUPPRESSED_CELL)
    assert classes.labels[0][blank] == "*"
    assert classes.counts[blank] == rows["class"].to_pylist().count(blank) >= 3
    assert rows["class"].null_count == 0


def test_rows_are_kept_hashed_under_the_key(place, tmp_path):
    table = table_of()
    publish(place, tmp_path / "out", table=table)

    ledger = reopen(place)
    rows = ledger.release(1).files.read_rows()
    fixed = ["key", "class", "quasi_identifier"]
    assert rows.column_names == [*fixed, "value ill", "ground zip"]
    ways = {
        "key": lambda secret: hash_rows(table, ["id"], secret=secret, kind="key"),
        "quasi_identifier": lambda secret: hash_rows(
            table, ["zip"], secret=secret, kind="quasi_identifier"
        ),
        "value ill": lambda secret: digest_column("ill", table["ill"], secret),
        "ground zip": lambda secret: digest_column("zip", table["zip"], secret),
    }
    hashed = {"class": [0, 0, 1, 1] * 2 + [None]}
    for name, way in ways.items():
        own, other = (way(secret).to_pylist() for secret in (ledger.secret(), bytes(32)))
        assert not set(own) & set(other)
        hashed[name] = pa.array(own, pa.binary(16))
    expected = pa.table(hashed).select([*fixed, "value ill", "ground zip"]).sort_by("key")
    assert rows.to_pylist() == expected.to_pylist()


def test_label_paths_are_kept_hashed_under_the_key(place, tmp_path):
    publish(place, tmp_path / "out", table=table_of())

    ledger = reopen(place)
    paths = ledger.release(1).files.read_label_paths()
    assert set(paths["attribute"].to_pylist()) == {"zip"}
    zips = pa.array(sorted(set(table_of()["zip"].to_pylist())))
    assert set(paths["value"].to_pylist()) == set(
        digest_column("zip", zips, ledger.secret()).to_pylist()
    )
    assert len(set(paths["path"].to_pylist())) == len(zips)


def test_a_row_has_the_same_hash_in_every_kind_of_frame(place, tmp_path):
    table = table_of(ids=list(range(9)))
    table.to_pandas().to_csv(tmp_path / "people.csv", index=False)
    same = [table, table.to_pandas(), pl.from_arrow(table), duckdb.from_arrow(table)]
    for turn, frame in enumerate([*same, tmp_path / "people.csv"]):
        publish(place, tmp_path / str(turn), table=frame)

    maps = [
        sorted(map(tuple, entry.files.read_rows().to_pandas().fillna(-1).to_numpy().tolist()))
        for entry in reopen(place).releases()
    ]
    assert len(maps) == 5
    assert maps[1:] == maps[:-1]


def test_rows_are_sorted_by_their_hashes(place, tmp_path):
    publish(place, tmp_path / "1")

    keys = reopen(place).release(1).files.read_rows()["key"].to_pylist()
    assert keys == sorted(keys)


def test_a_hierarchy_object_is_recorded(place, tmp_path):
    roles = fields_of({})["attributes"] | {
        "zip": {"role": "quasi-identifier", "hierarchy": la.Mask(from_left=True)}
    }
    publish(place, tmp_path / "1", attributes=roles)

    recorded = reopen(place).release(1).specification
    assert recorded["attributes"]["zip"]["hierarchy"]["from_left"] is True


def test_a_release_at_the_cell_level_is_remembered(place, tmp_path):
    publish(place, tmp_path / "1", method="k-similar")

    files = reopen(place).release(1).files
    shown = pa.Table.from_pandas(pd.read_csv(tmp_path / "1" / "table.csv", dtype=str))
    counted = shown["zip"].value_counts().to_pylist()
    classes = files.read_classes()
    assert dict(zip(classes.labels[0], classes.counts.tolist(), strict=True)) == {
        one["values"]: one["counts"] for one in counted
    }


def test_digests_of_labels_and_of_spellings_differ_in_what_they_tell_apart():
    zeros = pa.array([0.0, -0.0, None, float("nan")])
    digests = [digest_column("a", zeros, b"k", way).to_pylist() for way in (label, spell)]
    assert [len(set(some)) for some in digests] == [2, 4]


def test_equal_rows_have_equal_hashes():
    rows = pa.table({"a": ["x", None, "x"], "b": [1, 1, 1]})
    first, second, third = hash_rows(rows, ["b", "a"], secret=b"k", kind="key")
    assert first == third != second
