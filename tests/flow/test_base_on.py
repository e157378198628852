"""A release that is based on earlier ones, through the whole flow."""

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

ROLES = {
    "id": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "ill": {"role": "sensitive"},
}
MARCH = [
    ("ann", "02138", "flu"),
    ("bob", "02138", "gout"),
    ("cid", "02139", "flu"),
    ("dee", "02139", "flu"),
    ("eve", "02139", "pox"),
    ("fay", "02141", "gout"),
]


def table_of(rows):
    return pa.table(dict(zip(ROLES, map(list, zip(*rows, strict=True)), strict=True)))


def changed(rows, **values):
    """Return rows in which some people have other values: of ``ill``, or (zip, ill)."""
    return [
        (
            name,
            *(
                (zip_, values.get(name, ill))
                if isinstance(values.get(name, ill), str)
                else values[name]
            ),
        )
        for name, zip_, ill in rows
    ]


class Steward:
    """Publishes one release after the other, each to a folder of its own."""

    def __init__(self, folder):
        self.folder, self.turn = folder, 0

    def prepare(self, table, **fields):
        table = table_of(table) if isinstance(table, list) else table
        given = {"k": 2, "attributes": ROLES, "source": {"row_key": "id", "name": "people"}}
        ledger = {"ledger": str(self.folder / "l.db"), "ledger_key": str(self.folder / "key")}
        return la.release(table, **given | ledger | fields)

    def release(self, table, out="table.csv", **fields):
        made = self.prepare(table, **fields)
        self.turn += 1
        made.publish(self.place / out)
        return made

    @property
    def place(self):
        return self.folder / str(self.turn)

    @property
    def rows(self):
        """The rows of the last release, counted."""
        options = pa.csv.ConvertOptions(column_types={"zip": pa.string(), "ill": pa.string()})
        shown = pa.csv.read_csv(self.place / "table.csv", convert_options=options)
        return Counter(rows_of(shown))

    def ledger(self):
        return la.open_ledger(self.folder / "l.db", key=self.folder / "key")


@pytest.fixture
def steward(tmp_path):
    return Steward(tmp_path)


def fates(made):
    basis = made.basis
    return (basis.rows_kept, basis.rows_renewed, basis.rows_joined, basis.rows_waiting)


class TestRows:
    def test_a_first_release_is_based_on_nothing(self, steward):
        assert steward.release(MARCH).basis is None
        assert sum(steward.rows.values()) == 5

    def test_the_same_rows_are_shown_again(self, steward):
        steward.release(MARCH)
        before = steward.rows
        made = steward.release(MARCH)
        assert fates(made) == (5, 0, 0, 1)
        assert (made.basis.considered, made.levels) == (1, {"zip": 0})
        assert steward.rows == before
        assert made.certificate.recoding == "attribute level"

    def test_new_rows_join_with_those_that_waited(self, steward):
        steward.release(MARCH)
        before = steward.rows
        made = steward.release([*MARCH, ("gil", "02141", "flu"), ("hal", "02142", "flu")])
        assert fates(made) == (5, 0, 2, 1)
        assert steward.rows - before == Counter({("02141", "flu"): 1, ("02141", "gout"): 1})

    def test_new_rows_are_not_shown_in_the_class_of_old_ones(self, steward):
        steward.release(MARCH)
        before = steward.rows
        assert fates(steward.release([*MARCH, ("gil", "02139", "flu")])) == (5, 0, 0, 2)
        assert steward.rows == before

    def test_levels_may_differ_from_row_to_row(self, steward):
        steward.release(MARCH)
        made = steward.release([*MARCH, ("gil", "02142", "flu"), ("hal", "02143", "flu")])
        assert fates(made) == (5, 0, 3, 0)
        assert made.levels is None
        assert {row[0] for row in steward.rows} == {"02138", "02139", "0214*"}
        told = la.Certificate.read(steward.place)
        assert told.generalized["zip"].cells_by_level == {0: 5, 1: 3}
        assert la.verify(steward.place).holds

    def test_one_that_leaves_takes_others_along(self, steward):
        steward.release(MARCH)
        made = steward.release(MARCH[1:])
        assert fates(made) == (3, 0, 0, 2)
        assert made.basis.rows_withdrawn == 1
        assert {row[0] for row in steward.rows} == {"02139"}

    def test_one_that_moved_has_left_its_class(self, steward):
        steward.release(MARCH)
        made = steward.release(changed(MARCH, eve=("02138", "pox")))
        assert fates(made) == (2, 0, 0, 4)
        assert steward.rows == Counter({("02138", "flu"): 1, ("02138", "gout"): 1})

    def test_rows_that_moved_together_join_again_and_tell_no_more_than_before(self, steward):
        people = [(f"p{n}", f"0213{n % 4}", "flu") for n in range(8)]
        steward.release(people, k=4, method="mingen")
        assert {row[0] for row in steward.rows} == {"0213*"}
        moved = [
            (name, "02141", ill) if n < 4 else (name, zip_, ill)
            for n, (name, zip_, ill) in enumerate(people)
        ]
        made = steward.release(moved, k=4, method="mingen")
        assert fates(made) == (4, 0, 4, 0)
        assert steward.rows == Counter({("0213*", "flu"): 4, ("0214*", "flu"): 4})

    def test_a_greater_k_withdraws_what_is_too_small(self, steward):
        steward.release(MARCH)
        made = steward.release(MARCH, k=3)
        assert fates(made) == (3, 0, 0, 3)
        assert made.plan.requirement.k == 3

    def test_a_smaller_k_does_not_take_back_what_was_promised(self, steward):
        people = [(f"p{n}", "02138", "flu") for n in range(4)]
        steward.release(people, k=3)
        made = steward.release([*people, ("x", "02139", "flu"), ("y", "02139", "flu")], k=2)
        assert fates(made) == (4, 0, 0, 2)
        assert la.Certificate.read(steward.place).quasi_identifiers[0].k == 3

    def test_if_nothing_can_be_shown_nothing_is_released(self, steward):
        steward.release([("ann", "02138", "flu"), ("bob", "02138", "flu")])
        with pytest.raises(
            la.Infeasible, match=r"none of the 2 rows can be shown.*all of them wait"
        ):
            steward.release([("ann", "02138", "flu"), ("cid", "02138", "flu")])

    def test_rows_that_were_blank_stay_blank_and_new_outliers_wait(self, steward):
        rows = [*MARCH, ("gil", "99999", "flu")]
        steward.release(rows, suppressed_rows="blank")
        assert steward.rows["*", "gout"] == steward.rows["*", "flu"] == 1
        made = steward.release([*rows, ("hal", "55555", "flu")], suppressed_rows="blank")
        assert fates(made) == (7, 0, 0, 1)
        assert steward.rows["*", "gout"] == steward.rows["*", "flu"] == 1
        assert la.verify(steward.place).holds

    @pytest.mark.slow
    def test_suppressed_cells_stay_suppressed(self, steward):
        people = [("a", "1", "x"), ("b", "1", "x"), ("c", "2", "x"), ("d", "3", "x")]
        steward.release(people, method="k-similar", max_suppressed=0)
        before = steward.rows
        made = steward.release(people, method="k-similar", max_suppressed=0)
        assert fates(made) == (4, 0, 0, 0)
        assert steward.rows == before


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
        assert la.verify(steward.place, specification=made.specification, table=now).holds
        untold = made.specification.model_copy(
            update={"release": made.specification.release.model_copy(update={"ledger": None})}
        )
        assert not la.verify(steward.place, specification=untold, table=now).holds

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
        assert not la.verify(steward.place, specification=made.specification, table=others).holds

    def test_of_no_private_rows_a_release_is_not_true(self, steward):
        steward.release(MARCH)
        made = steward.release(MARCH)
        none = steward.folder / "none.csv"
        none.write_text("id,zip,ill\n")
        for table in (none, table_of(MARCH).slice(0, 0)):
            verified = la.verify(steward.place, specification=made.specification, table=table)
            assert not verified.holds

    @pytest.mark.parametrize("spoil", [Path.unlink, lambda file: file.write_text("zip,ill\n")])
    def test_they_are_taken_from_the_file_which_must_be_as_it_was_published(self, spoil, steward):
        steward.release(MARCH)
        spoil(steward.place / "table.csv")
        assert steward.prepare(MARCH).basis.rows_outdated == 0
        with pytest.raises(la.InvalidInput, match="release 1 is needed as it was published"):
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


class TestRefusals:
    def test_a_hierarchy_that_has_changed(self, steward):
        people = [(f"p{n}", f"0213{n % 2}", "flu") for n in range(4)]
        steward.release(people, k=4, max_suppressed=0)
        roles = ROLES | {
            "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask", "from_left": True}}
        }
        with pytest.raises(la.InvalidInput, match=r"column 'zip': its hierarchy.*since release 1"):
            steward.release(people, k=4, max_suppressed=0, attributes=roles)

    def test_a_hierarchy_that_has_become_lower(self, steward):
        people = [(f"p{n}", f"0{n}138", "flu") for n in range(4)]
        steward.release(people, k=4, max_suppressed=0)
        roles = ROLES | {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}}
        with pytest.raises(la.InvalidInput, match=r"column 'zip': its hierarchy.*since release 1"):
            steward.release(people, k=4, max_suppressed=0, attributes=roles)

    def test_another_way_to_write_what_is_suppressed(self, steward):
        rows = [*MARCH, ("gil", "99999", "flu")]
        steward.release(rows, suppressed_rows="blank")
        with pytest.raises(la.InvalidInput, match="how suppressed values are written, has changed"):
            steward.release(rows, suppressed_label="?")

    def test_other_attributes(self, steward):
        steward.release(MARCH)
        roles = ROLES | {"ill": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}}
        with pytest.raises(
            la.InvalidInput, match=r"has the quasi-identifier zip, but this one zip, ill"
        ):
            steward.release(MARCH, attributes=roles)

    def test_several_quasi_identifiers(self, steward):
        several = [{"name": "who", "attributes": ["zip"], "k": 2}]
        steward.release(MARCH)
        with pytest.raises(la.InvalidInput, match=r"one quasi-identifier over all.*check-only"):
            steward.release(MARCH, quasi_identifiers=several)

    def test_pseudonyms(self, steward, tmp_path):
        key = tmp_path / "pseudonyms"
        key.write_bytes(bytes(32))
        key.chmod(0o600)
        rows = [(*row, row[0]) for row in MARCH]
        table = pa.table(
            dict(zip(["id", "zip", "ill", "name"], zip(*rows, strict=True), strict=True))
        )
        roles = ROLES | {"name": {"role": "identifier", "pseudonym": {"key_file": str(key)}}}
        steward.release(table, attributes=roles)
        with pytest.raises(la.InvalidInput, match="does not know pseudonyms"):
            steward.release(table, attributes=roles)

    def test_labels_that_would_mean_two_things(self, steward):
        roles = ROLES | {
            "zip": {
                "role": "quasi-identifier",
                "hierarchy": {"kind": "rounding", "bases": [10, 100]},
            }
        }
        people = [(f"p{n}", str(46 + n), "flu") for n in range(4)]
        steward.release(people, k=4, max_suppressed=0, attributes=roles)
        new = [(f"q{n}", "50", "flu") for n in range(4)]
        with pytest.raises(la.InvalidInput, match="writes different values alike"):
            steward.release([*people, *new], k=4, attributes=roles)
        bound = {"constraints": ["zip >= 1"], "method": "mingen"}
        assert fates(steward.release([*people, *new], k=4, attributes=roles, **bound))[2] == 4


class TestTheLedger:
    def test_a_release_that_was_planned_before_another_was_published(self, steward):
        steward.release(MARCH)
        april = [*MARCH, ("gil", "02141", "flu"), ("hal", "02141", "flu")]
        late = steward.prepare([row for row in april if row[0] != "hal"])
        steward.release(april)
        with pytest.raises(
            la.RequirementNotMet,
            match=(
                r"the next release would expose \d rows? together with release 1 and release 2: "
                r"fewer than k = 2 .* based on what is published now"
            ),
        ):
            late.publish(steward.folder / "late" / "table.csv")
        assert not (steward.folder / "late").exists()
        assert len(steward.ledger().releases()) == 2

    def test_one_that_does_no_harm_may_still_be_published(self, steward):
        first, second = steward.prepare(MARCH), steward.prepare(MARCH)
        for turn, made in enumerate([first, second]):
            told = made.publish(steward.folder / f"x{turn}" / "table.csv")
            assert told.earlier_releases.considered == turn

    def test_what_was_forgotten_counts(self, steward):
        steward.release(MARCH)
        steward.ledger().forget(1, "a trial")
        assert fates(steward.release(MARCH[1:])) == (3, 0, 0, 2)

    def test_recipients_apart_by_contract_are_not_based_on_each_other(self, steward):
        recipients = {name: {"contract": f"DUA {name}"} for name in ("lab", "office")}
        asked = {"recipients": recipients}
        steward.release(MARCH, recipient="lab", **asked)
        assert steward.release(MARCH[1:], recipient="office", **asked).basis is None
        assert steward.release(MARCH[1:], recipient="lab", **asked).basis.considered == 1
        assert steward.release(MARCH[1:]).basis.considered == 3

    def test_the_row_map_has_the_digest_of_what_is_shown(self, steward):
        steward.release(MARCH)
        steward.release(changed(MARCH, ann="ulcer"))
        first, second = (
            entry.kept.rows(["key", "value ill"]) for entry in steward.ledger().releases()
        )
        assert first == second

    def test_a_dry_run_tells_the_basis_and_writes_nothing(self, steward):
        steward.release(MARCH)
        before = sorted(path for path in steward.folder.rglob("*"))
        assert steward.prepare(MARCH).basis.considered == 1
        assert sorted(path for path in steward.folder.rglob("*")) == before
