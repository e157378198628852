"""The policy increments: every row is shown once."""

from collections import Counter

import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la
from lookalike.ledger.policies.history import smallest_part
from lookalike.ledger.policies.increments import list_waiting
from lookalike.ledger.policies.policy import recall_history
from lookalike.ledger.policies.protections_over_time import find_broken_protections
from lookalike.spec.preflight_names import COLUMN_LITTLE_KEPT

from .steward import reopen

ROLES = {
    "id": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "ill": {"role": "sensitive"},
}
JANUARY = [
    ("ann", "02138", "flu"),
    ("bob", "02138", "gout"),
    ("cid", "02139", "flu"),
    ("dee", "02139", "gout"),
    ("eve", "02141", "flu"),
]
FEBRUARY = [*JANUARY[1:], ("fay", "02141", "gout"), ("gil", "02999", "flu")]
MARCH = [*FEBRUARY[1:], ("hal", "02998", "gout"), ("ian", "02997", "flu"), ("joe", "02138", "flu")]


def table_of(rows):
    return pa.table(dict(zip(ROLES, map(list, zip(*rows, strict=True)), strict=True)))


class Steward:
    """Publishes increments, each to a folder of its own in one folder."""

    def __init__(self, place, folder):
        self.ledger, self.folder, self.turn = place, folder, 0

    def prepare(self, rows, **fields):
        source = {"row_key": "id", "name": "people"}
        asked = {"k": 2, "max_suppressed": 0.9, "method": "mingen", "attributes": ROLES}
        asked |= {"source": source, "policy": "increments", **self.ledger}
        accept = {"accept": ["one-sensitive-value"], "constraints": ["zip <= 2"]}
        table = rows if isinstance(rows, str) else table_of(rows)
        return la.release(table, **asked | accept | fields)

    def release(self, rows, **fields):
        made = self.prepare(rows, **fields)
        self.turn += 1
        made.publish(self.place / "table.csv")
        return made

    @property
    def place(self):
        return self.folder / str(self.turn)

    @property
    def rows(self):
        return read(self.place / "table.csv")


def read(file):
    options = pa.csv.ConvertOptions(column_types={"zip": pa.string()})
    shown = pa.csv.read_csv(file, convert_options=options)
    return Counter(zip(*(column.to_pylist() for column in shown.columns), strict=True))


@pytest.fixture
def steward(place, tmp_path):
    return Steward(place, tmp_path / "increments")


def release_quarter(steward, **fields):
    return [steward.release(month, **fields) for month in (JANUARY, FEBRUARY, MARCH)]


def test_every_row_is_shown_once_and_the_others_wait(steward):
    first, second, third = release_quarter(steward)
    assert first.increment is None
    shown = [one.plan.rows_out for one in (first, second, third)]
    assert shown == [4, 2, 3]
    assert (second.increment.rows_before, second.increment.rows_waited) == (3, 1)
    assert third.increment.rows_waited == 1
    assert steward.rows == Counter({("0299*", "flu"): 2, ("0299*", "gout"): 1})
    entries = reopen(steward.ledger).releases("people")
    waiting = list_waiting(entries, recall_history(entries))
    assert [(one.rows, one.since) for one in waiting] == [(1, entries[2].date)]
    assert smallest_part(recall_history(entries)) == 2


def test_rows_with_other_values_are_outdated_and_not_shown_again(steward):
    steward.release(JANUARY)
    moved = [("bob", "02141", "gout"), ("cid", "02139", "pox"), *FEBRUARY[2:]]
    made = steward.release(moved)
    assert made.increment.rows_outdated == 2
    assert steward.rows == Counter({("02141", "flu"): 1, ("02141", "gout"): 1})


def test_with_too_few_new_rows_nothing_is_released(steward):
    steward.release(JANUARY)
    with pytest.raises(la.Infeasible, match="1 row of the source were shown by no release"):
        steward.prepare(JANUARY)


def test_a_source_with_other_keys_is_refused(steward):
    steward.release(JANUARY)
    renamed = [(name.upper(), zip_, ill) for name, zip_, ill in JANUARY]
    with pytest.raises(la.RequirementNotMet, match="recognizes too few rows"):
        steward.prepare(renamed)


def test_a_row_that_was_published_meanwhile_is_not_shown_again(steward):
    steward.release(JANUARY)
    made = steward.prepare(FEBRUARY)
    steward.release(FEBRUARY)
    with pytest.raises(la.RequirementNotMet, match="2 rows again"):
        made.publish(steward.folder / "again" / "table.csv")


def test_a_smaller_k_than_before_is_refused(steward):
    before = [*JANUARY, ("zoe", "02141", "pox")]
    steward.release(before, k=3, constraints=[])
    with pytest.raises(la.RequirementNotMet, match="with the greatest k"):
        steward.release([*before, ("kim", "02998", "flu"), ("lea", "02998", "flu")], k=2)


def test_protections_hold_for_every_history(steward):
    protected = ROLES | {"ill": {"role": "sensitive", "protect": {"distinct": 2}}}
    release_quarter(steward, attributes=protected)
    entries = reopen(steward.ledger).releases("people")
    assert [one.certificate.protections[0].reached for one in entries] == [2, 2, 2]
    assert find_broken_protections(entries) == ()
    joined = la.join_releases(steward.folder, out=steward.folder.parent / "whole" / "table.csv")
    assert joined.certificate.protections[0].reached == 2
    assert la.verify(joined.file.parent).holds


def test_a_table_that_duckdb_reads(steward, tmp_path):
    for month in (JANUARY, FEBRUARY, MARCH):
        pa.csv.write_csv(table_of(month), tmp_path / "people.csv")
        steward.release(str(tmp_path / "people.csv"))
    assert steward.rows == Counter({("0299*", "flu"): 2, ("0299*", "gout"): 1})
    joined = la.join_releases(steward.folder, out=tmp_path / "whole" / "table.csv")
    assert joined.certificate.rows_out == 9


class TestPatience:
    def test_rows_wait_for_better_company_and_not_for_ever(self, steward):
        fields = {"patience": 2, "constraints": [], "max_suppressed": 0}
        steward.release(JANUARY[:4], **fields)
        coming = [("new1", "02141", "flu"), ("new2", "02999", "flu")]
        with pytest.raises(la.Infeasible, match="all 2 rows that no release has shown may wait"):
            steward.prepare([*JANUARY[:4], *coming], **fields)
        coming += [("new3", "02141", "gout"), ("new4", "99999", "gout")]
        cells = fields | {"method": "mingen-cells"}
        made = steward.release([*JANUARY[:4], *coming], **cells)
        assert (made.increment.rows_patient, made.plan.rows_out) == (2, 2)
        assert steward.rows == Counter({("02141", "flu"): 1, ("02141", "gout"): 1})
        coming += [("new5", "02141", "flu"), ("new6", "02141", "gout")]
        assert steward.release([*JANUARY[:4], *coming], **cells).increment.rows_patient == 2
        made = steward.release([*JANUARY[:4], *coming], **cells)
        assert (made.increment.rows_patient, made.plan.rows_out) == (0, 2)

    def test_rows_that_wait_are_not_lost(self, steward):
        """The pair at 02141 keeps its detail, and the nine rows beside it wait or keep none."""
        fields = {"constraints": [], "max_suppressed": 0, "method": "mingen-cells"}
        steward.release(JANUARY[:4], **fields)
        pair = [("new1", "02141", "flu"), ("new2", "02141", "gout")]
        waits = [(f"far {one}", f"{one}0000", "flu") for one in "abcdefghi"]
        for patience, out in ((2, 2), (0, 11)):
            rows = [*JANUARY[:4], *pair, *waits]
            made = steward.prepare(rows, **fields, patience=patience)
            assert (made.increment.rows_patient, made.plan.rows_out) == (11 - out, out)
            assert made.kept["zip"] < 0.2
            named = [one.sentence for one in made.preflight if one.name == COLUMN_LITTLE_KEPT]
            assert bool(named) == (patience == 0)

    def test_it_is_for_increments(self, steward):
        with pytest.raises(la.InvalidInput, match='rows wait under policy = "increments"'):
            steward.prepare(JANUARY, policy="based-on", patience=1)
        with pytest.raises(la.InvalidInput, match="remove patience"):
            steward.prepare(JANUARY, suppressed_rows="blank", patience=1)


class TestJoin:
    def test_the_whole_has_all_rows_and_a_certificate_of_its_own(self, steward, tmp_path):
        release_quarter(steward)
        folders = sorted(steward.folder.iterdir())
        verified = la.verify(steward.folder)
        assert verified.holds
        assert verified.complete
        joined = la.join_releases(*reversed(folders), out=tmp_path / "whole" / "table.csv")
        assert read(joined.file) == sum((read(one / "table.csv") for one in folders), Counter())
        assert (joined.increments, joined.certificate.rows_out) == (3, 9)
        assert joined.certificate.generalized["zip"].cells_by_level == {0: 6, 1: 3}
        assert la.verify(joined.file.parent).holds
        assert la.verify(joined.file.parent).complete

    def test_a_missing_increment_is_told_and_joins(self, steward, tmp_path):
        release_quarter(steward)
        (steward.folder / "2").rename(tmp_path / "elsewhere")
        verified = la.verify(steward.folder)
        assert verified.holds
        assert not verified.complete
        joined = la.join_releases(steward.folder, out=tmp_path / "whole" / "table.csv")
        assert joined.certificate.earlier_releases.considered == 1

    def test_a_row_is_not_joined_twice(self, steward, tmp_path):
        release_quarter(steward)
        one, whole = steward.folder / "1", tmp_path / "whole" / "table.csv"
        with pytest.raises(la.RequirementNotMet, match="may have rows in common"):
            la.join_releases(one, one, out=whole)
        la.join_releases(steward.folder, out=whole)
        with pytest.raises(la.RequirementNotMet, match="may have rows in common"):
            la.join_releases(whole.parent, one, out=tmp_path / "more" / "table.csv")

    def test_other_policies_do_not_join(self, steward, tmp_path):
        steward.release(JANUARY, policy="based-on")
        steward.release(JANUARY, policy="based-on")
        assert not la.verify(steward.folder).holds
        with pytest.raises(la.RequirementNotMet, match="may have rows in common"):
            la.join_releases(steward.folder, out=tmp_path / "whole" / "table.csv")

    def test_a_changed_increment_does_not_join(self, steward, tmp_path):
        release_quarter(steward)
        with (steward.folder / "2" / "table.csv").open("a") as file:
            file.write("02141,flu\n")
        with pytest.raises(la.RequirementNotMet, match="does not keep its certificate"):
            la.join_releases(steward.folder, out=tmp_path / "whole" / "table.csv")
        assert not (tmp_path / "whole").exists()

    def test_other_columns_do_not_join(self, steward, tmp_path):
        steward.release(JANUARY)
        steward.release(FEBRUARY, attributes=ROLES | {"ill": {"role": "drop"}})
        with pytest.raises(la.InvalidInput, match="differ in columns"):
            la.join_releases(steward.folder, out=tmp_path / "whole" / "table.csv")

    def test_a_holder_verifies_an_increment_against_its_source(self, steward):
        made = release_quarter(steward)[-1]
        verified = la.verify(steward.place, spec=made.specification, table=table_of(MARCH))
        assert verified.holds, [one for one in verified.findings if not one.holds]
