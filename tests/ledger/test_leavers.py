"""Rows of people who left stay as they were shown: leavers = "keep"."""

from collections import Counter

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la
from lookalike.ledger.policies.policy import _check_same_labels

from .steward import reopen

ROLES = {
    "id": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "ill": {"role": "sensitive"},
}
MARCH = [
    ("ann", "02138", "flu"),
    ("bob", "02138", "gout"),
    ("cid", "02139", "flu"),
    ("dee", "02139", "gout"),
    ("eve", "02139", "pox"),
]
ALL = Counter((zip_, ill) for _, zip_, ill in MARCH)


def without(*names, **changed):
    """March without some people, and others with another ZIP code or illness."""
    return [
        (name, *changed.get(name, (zip_, ill))) for name, zip_, ill in MARCH if name not in names
    ]


def table_of(rows):
    return pa.table(dict(zip(ROLES, map(list, zip(*rows, strict=True)), strict=True)))


class Steward:
    """Releases to a folder of its own each time."""

    def __init__(self, place, folder):
        self.ledger, self.folder, self.turn = place, folder, 0

    def release(self, rows, **fields):
        source = {"row_key": "id", "name": "people"}
        asked = {"k": 2, "method": "datafly", "attributes": ROLES, "source": source}
        asked |= {"leavers": "keep", "accept": ["one-sensitive-value"], **self.ledger}
        table = table_of(rows) if isinstance(rows, list) else rows
        made = la.release(table, **asked | fields)
        self.turn += 1
        made.publish(self.out)
        return made

    @property
    def out(self):
        return self.folder / str(self.turn) / "table.csv"

    @property
    def rows(self):
        options = pa.csv.ConvertOptions(column_types={"zip": pa.string()})
        shown = pa.csv.read_csv(self.out, convert_options=options)
        return Counter(zip(*(column.to_pylist() for column in shown.columns), strict=True))

    def verify(self, made, rows):
        return la.verify(self.out.parent, spec=made.specification, table=table_of(rows))


@pytest.fixture
def steward(place, tmp_path):
    return Steward(place, tmp_path / "out")


def test_rows_of_people_who_left_stay_for_months(steward):
    steward.release(MARCH)
    for month in (without("ann"), without("ann", "cid"), without("cid"), MARCH):
        made = steward.release(month)
        assert steward.rows == ALL
        assert made.basis.rows_left == len(MARCH) - len(month)
        assert made.basis.rows_withdrawn == 0
        verified = steward.verify(made, month)
        assert verified.holds
        assert verified.complete


def test_nobody_is_exposed_and_the_certificate_states_as_of_when_rows_are(steward):
    steward.release(MARCH)
    steward.release(without("ann"))
    proof = la.attack_ledger(reopen(steward.ledger), "people")
    assert proof.same_history == 2
    certificate = la.Certificate.read(steward.out.parent)
    earlier = certificate.earlier_releases
    published = reopen(steward.ledger).releases("people")[0].published
    assert (earlier.leavers, earlier.since) == ("keep", published[:10])
    assert certificate.rows_in == certificate.rows_out == 5


def test_a_row_whose_quasi_identifier_changed_stays_as_it_was(steward):
    steward.release(MARCH)
    month = without(ann=("02139", "pox"))
    made = steward.release(month)
    assert steward.rows == ALL
    assert (made.basis.rows_moved, made.basis.rows_outdated) == (1, 1)
    assert steward.verify(made, month).holds
    assert steward.release(MARCH).basis.rows_moved == 0


def test_k_rows_that_move_together_join_a_new_class(steward):
    steward.release(MARCH)
    made = steward.release(without(ann=("02141", "flu"), bob=("02141", "gout")))
    assert (made.basis.rows_moved, made.basis.rows_joined) == (0, 2)
    assert {zip_ for zip_, _ in steward.rows} == {"02141", "02139"}


def test_fewer_than_k_do_not_stay_behind_when_others_move(steward):
    steward.release(MARCH)
    made = steward.release(without(cid=("02141", "flu"), dee=("02141", "gout")))
    assert (made.basis.rows_moved, made.basis.rows_joined) == (2, 0)
    assert steward.rows == ALL


def test_new_values_are_shown_of_k_rows_while_those_who_left_stay(steward):
    steward.release([*MARCH, ("fay", "02139", "flu")])
    month = without("cid", dee=("02139", "cold"), eve=("02139", "cold"))
    made = steward.release([*month, ("fay", "02139", "flu")])
    assert (made.basis.rows_renewed, made.basis.rows_left) == (2, 1)
    assert steward.rows[("02139", "cold")] == 2
    assert steward.verify(made, [*month, ("fay", "02139", "flu")]).holds


class TestWithdrawn:
    def test_the_class_of_whoever_withdrew_goes(self, steward, tmp_path):
        steward.release(MARCH)
        keys = tmp_path / "withdrawn.csv"
        keys.write_text("id\nann\nsomebody else\n")
        made = steward.release(without("ann", "cid"), withdrawn=str(keys))
        assert made.basis.rows_left == 1
        assert made.basis.rows_withdrawn == 1
        assert made.basis.keys_unknown == 1
        assert {zip_ for zip_, _ in steward.rows} == {"02139"}

    def test_keys_that_no_release_knows_would_withdraw_nobody(self, steward, tmp_path):
        steward.release(MARCH)
        keys = tmp_path / "withdrawn.csv"
        keys.write_text("id\nANN\n")
        with pytest.raises(la.InvalidInput, match="knows any of the 1 row keys"):
            steward.release(without("ann"), withdrawn=str(keys))

    def test_the_source_must_not_have_them(self, steward, tmp_path):
        keys = tmp_path / "withdrawn.csv"
        keys.write_text("id\nann\nbob\n")
        with pytest.raises(
            la.InvalidInput, match="2 rows of the source are of people who withdrew"
        ):
            steward.release(MARCH, withdrawn=str(keys))
        steward.release(MARCH)
        with pytest.raises(la.InvalidInput, match="1 row of the source"):
            steward.release(without("bob"), withdrawn=str(keys))

    def test_a_condition_on_rows_that_where_leaves_out(self, steward, tmp_path):
        path = tmp_path / "people.csv"
        lines = ["id,zip,ill,consent"]
        path.write_text("\n".join([*lines, *(f"{','.join(row)},yes" for row in MARCH)]))
        fields = {
            "attributes": ROLES | {"consent": {"role": "drop"}},
            "source": {"row_key": "id", "name": "people", "where": "consent = 'yes'"},
            "withdrawn_where": "consent = 'withdrawn'",
        }
        steward.release(str(path), **fields)
        said = {"ann": "withdrawn", "cid": "moved away"}
        rows = (f"{','.join(row)},{said.get(row[0], 'yes')}" for row in MARCH)
        path.write_text("\n".join([*lines, *rows]))
        made = steward.release(str(path), **fields)
        assert (made.basis.rows_left, made.basis.rows_withdrawn) == (1, 1)
        assert {zip_ for zip_, _ in steward.rows} == {"02139"}

    def test_it_is_for_those_who_keep(self, steward):
        with pytest.raises(la.InvalidInput, match='withdrawn is for leavers = "keep"'):
            steward.release(MARCH, leavers="withdraw", withdrawn="keys.csv")


AGES = {
    "mask": ("02138", "02999", {"kind": "mask"}),
    "dates": ("1964-05-01", "2001-05-01", {"kind": "dates"}),
    "intervals": ("31", "87", {"kind": "intervals", "widths": [10, 50]}),
    "rounding": ("31", "87", {"kind": "rounding", "bases": [10, 100]}),
    "taxonomy": (
        "flu",
        "fracture",
        {
            "kind": "taxonomy",
            "tree": {"any": {"illness": ["flu", "cold"], "injury": ["fracture", "burn"]}},
        },
    ),
    "suppress": ("flu", "fracture", {"kind": "suppress"}),
}


@pytest.mark.parametrize("kind", AGES)
@pytest.mark.parametrize("level", [0, 1])
def test_labels_that_nobody_has_any_more_are_shown(steward, kind, level):
    stays, leaves, hierarchy = AGES[kind]
    values = [stays] * 3 + [leaves] * 3
    rows = [(f"p{number}", value, "flu") for number, value in enumerate(values)]
    fields = {
        "attributes": ROLES | {"zip": {"role": "quasi-identifier", "hierarchy": hierarchy}},
        "method": "mingen",
        "constraints": [f"zip >= {level}"],
    }
    steward.release(rows, **fields)
    before = steward.rows
    made = steward.release(rows[:3], **fields)
    assert steward.rows == before
    assert made.basis.rows_left == 3
    assert steward.verify(made, rows[:3]).holds


@pytest.mark.parametrize("make", [pd.DataFrame, pa.table])
def test_typed_frames_with_numbers_as_keys(steward, make):
    first = 2**60
    rows = {
        "id": [first + number for number in range(6)],
        "zip": [31, 31, 31, 42, 42, 42],
        "ill": [1.5, None, 2.5, 1.5, 2.5, 3.5],
    }
    fields = {
        "attributes": ROLES
        | {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask", "length": 2}}},
    }
    steward.release(make(rows), **fields)
    before = steward.out.read_text()
    some = {name: values[:5] for name, values in rows.items()}
    for left in (1, 1):
        made = steward.release(make(some), **fields)
        assert made.basis.rows_left == left
        assert sorted(steward.out.read_text()) == sorted(before)


def test_a_column_that_they_never_showed_is_refused(steward):
    steward.release(MARCH)
    more = table_of(without("ann")).append_column("days", pa.array([1, 2, 1, 2]))
    attributes = ROLES | {"days": {"role": "other"}}
    with pytest.raises(la.InvalidInput, match="column 'days' was not shown of all 1 row of people"):
        steward.release(more, attributes=attributes)
    assert steward.release(more, attributes=attributes, leavers="withdraw").basis.rows_left == 0


def test_without_the_ledger_their_rows_are_not_checked(steward, tmp_path):
    steward.release(MARCH)
    made = steward.release(without("ann"))
    unknown = {"ledger": str(tmp_path / "no.db"), "ledger_files": None, "ledger_key": None}
    asked = made.specification.release.model_copy(update=unknown)
    spec = made.specification.model_copy(update={"release": asked})
    verified = la.verify(steward.out.parent, spec=spec, table=table_of(without("ann")))
    assert verified.holds
    assert not verified.complete


def test_rows_with_other_labels_than_in_the_last_release_are_refused(steward):
    higher = {"method": "mingen", "constraints": ["zip >= 1"]}
    steward.release(MARCH)
    steward.release(MARCH, policy="check-only", leavers="withdraw", **higher)
    first, second = reopen(steward.ledger).releases("people")
    _check_same_labels(first.files, first.files)
    with pytest.raises(la.RequirementNotMet, match="with other labels than there"):
        _check_same_labels(first.files, second.files)
