"""New values in a release that is based on earlier ones: when they are shown."""

import datetime
from collections import Counter
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import lookalike as la

from ..small_tables import rows_of
from .monthly_releases import MARCH, ROLES, Steward, changed, fates, table_of

pytestmark = pytest.mark.slow


@pytest.fixture
def steward(tmp_path):
    return Steward(tmp_path)


class TestOtherValues:
    def test_they_are_old_until_k_rows_have_new_ones(self, steward):
        steward.release(MARCH)
        before = steward.rows
        made = steward.release(changed(MARCH, ann="ulcer"))
        assert (fates(made), made.basis.rows_outdated) == ((5, 0, 0, 1), 1)
        assert steward.rows == before
        made = steward.release(changed(MARCH, ann="ulcer", bob="rash"))
        assert (fates(made), made.basis.rows_outdated) == ((3, 2, 0, 1), 0)
        assert before - steward.rows == Counter({("02138", "flu"): 1, ("02138", "gout"): 1})

    def test_old_ones_are_kept_over_several_releases(self, steward):
        steward.release(MARCH)
        before = steward.rows
        for ill in ("ulcer", "rash", "gout"):
            steward.release(changed(MARCH, ann=ill))
            assert steward.rows == before

    def test_a_release_with_old_ones_is_verified_as_it_was_shown(self, steward):
        steward.release(MARCH)
        now = table_of(changed(MARCH, ann="ulcer"))
        made = steward.release(now)
        assert la.verify(steward.place, spec=made.specification, table=now).holds
        without = made.specification.model_copy(
            update={"release": made.specification.release.model_copy(update={"ledger": None})}
        )
        assert not la.verify(steward.place, spec=without, table=now).holds

    def test_a_release_with_values_that_nobody_had_is_not_true(self, steward):
        steward.release(MARCH)
        made = steward.release(MARCH)
        other = table_of(changed(MARCH, ann="ulcer", bob="ulcer", cid="ulcer", dee="ulcer"))
        others = pa.table(
            {
                **dict(zip(other.column_names, other.columns, strict=True)),
                "id": [f"x{n}" for n in range(6)],
            }
        )
        assert not la.verify(steward.place, spec=made.specification, table=others).holds

    def test_of_no_private_rows_a_release_is_not_true(self, steward):
        steward.release(MARCH)
        made = steward.release(MARCH)
        none = steward.folder / "none.csv"
        none.write_text("id,zip,ill\n")
        for table in (none, table_of(MARCH).slice(0, 0)):
            verified = la.verify(steward.place, spec=made.specification, table=table)
            assert not verified.holds

    @pytest.mark.parametrize("spoil", [Path.unlink, lambda file: file.write_text("zip,ill\n")])
    def test_they_are_taken_from_the_file_which_must_be_as_it_was_published(self, spoil, steward):
        steward.release(MARCH)
        spoil(steward.place / "table.csv")
        assert steward.prepare(MARCH).basis.rows_outdated == 0
        with pytest.raises(la.InvalidInput, match="published file of release 1 is needed"):
            steward.prepare(changed(MARCH, ann="ulcer"))

    @pytest.mark.parametrize(
        ("kind", "out"),
        [
            *((kind, "csv") for kind in ("arrow", "pandas", "polars", "duckdb", "parquet", "csv")),
            *(("arrow", out) for out in ("parquet", "jsonl", "arrow", "tsv")),
            ("parquet", "parquet"),
        ],
    )
    def test_they_are_known_again_in_every_kind_of_table_and_file(self, kind, out, steward):
        values = {
            "text": ["a", "", None, "ä,b"],
            "whole": [1, 2, 3, 4],
            "number": [1.0, 2.5, None, 1e20],
            "day": [datetime.date(2024, 2, day) for day in range(1, 5)],
            "yes": [True, False, None, True],
        }
        now = values | {"text": ["new", "", None, "ä,b"], "number": [7.5, 2.5, None, 1e20]}
        roles = {name: {"role": "other", "unique": True} for name in values}
        fields = {"attributes": {name: ROLES[name] for name in ("id", "zip")} | roles}
        file = f"table.{out}"
        steward.release(self.as_kind(kind, values, steward.folder), file, **fields)
        made = steward.release(self.as_kind(kind, now, steward.folder), file, **fields)
        assert (fates(made), made.basis.rows_outdated) == ((4, 0, 0, 0), 1)
        first, second = (self.read(steward.folder / n / file) for n in ("1", "2"))
        assert Counter(first) == Counter(second)

    def as_kind(self, kind, values, folder):
        table = pa.table({"id": ["a", "b", "c", "d"], "zip": ["02138"] * 4} | values)
        if kind == "csv":
            pa.csv.write_csv(table, folder / "source.csv")
            return folder / "source.csv"
        if kind == "parquet":
            pa.parquet.write_table(table, folder / "source.parquet")
            return folder / "source.parquet"
        kinds = {
            "pandas": lambda same: same.to_pandas().set_index(pd.Index([7, 5, 5, 1])),
            "polars": pl.from_arrow,
            "duckdb": duckdb.from_arrow,
            "arrow": lambda same: same,
        }
        return kinds[kind](table)

    def read(self, path):
        if path.suffix == ".arrow":
            return [tuple(map(str, row)) for row in rows_of(pa.ipc.open_file(path).read_all())]
        if path.suffix == ".parquet":
            return [tuple(map(str, row)) for row in rows_of(pa.parquet.read_table(path))]
        return path.read_text().splitlines()
