"""Releases in a ledger whose k counts persons; the row key still identifies rows."""

import numpy as np
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.ledger.policies.history import RowMap, build_history, count_exposed_rows

from ..flow.test_persons import ATTRIBUTES, VISITS, K, fewest_persons

ILL = pa.array(["flu", "cold", "cough"] * (len(VISITS) // 3))
TABLE = VISITS.append_column("ill", ILL).append_column("row", VISITS["visit"])
ROLES = ATTRIBUTES | {"ill": {"role": "sensitive"}, "row": {"role": "identifier"}}
SOURCE = {"row_key": "row", "name": "visits"}


@pytest.fixture
def release(tmp_path):
    """Publish one release after the other, each into its own folder."""
    folders = iter(range(9))

    def publish(person="patient_no", **fields):
        asked = {"k": K, "method": "mingen", "attributes": ROLES, "max_suppressed": 0.05}
        source = SOURCE | ({} if person is None else {"person": person})
        ledger = {"ledger": str(tmp_path / "l.db"), "ledger_key": str(tmp_path / "key")}
        made = la.release(TABLE, **asked | {"source": source} | ledger | fields)
        return made, made.publish(tmp_path / str(next(folders)) / "visits.csv")

    return publish


def test_a_release_is_checked_together_with_earlier_ones(release):
    made, first = release(policy="check-only")
    again, second = release(policy="check-only")

    assert fewest_persons(made.table) >= K
    assert again.levels == made.levels
    assert first.earlier_releases.considered == 0
    assert second.earlier_releases.considered == 1


def test_rows_of_fewer_than_k_persons_with_one_history_are_refused(release):
    release(policy="check-only", constraints=["zip = 4", "age = 1"])
    with pytest.raises(la.RequirementNotMet, match="fewer than k = 5 persons share their history"):
        release(policy="check-only", constraints=["zip = 1", "age = 3"])


def test_all_released_attributes_are_protected_by_persons(release):
    roles = ROLES | {"visit": {"role": "identifier"}}
    release(policy="all-released-attributes", attributes=roles)
    made, second = release(policy="all-released-attributes", attributes=roles)

    [certified] = second.quasi_identifiers
    assert certified.attributes == ("zip", "sex", "age", "ill")
    assert certified.persons_reached >= K
    assert made.measures.rows_below_k == 0


def test_the_digest_of_the_table_is_that_of_its_quasi_identifier(release, tmp_path):
    top = ["zip = 4", "sex = 1", "age = 3"]
    release(policy="check-only", constraints=top)
    accept = ["repeated-persons"]
    release(None, policy="check-only", constraints=top, accept=accept)
    ledger = la.open_ledger(tmp_path / "l.db", key=tmp_path / "key")
    first, second = (entry.table_digest for entry in ledger.releases())
    assert first == second


def test_several_columns_of_persons_are_refused(release):
    groups = [
        {"name": "patients", "attributes": ["zip", "sex"], "respondent": "patient_no"},
        {"name": "visits", "attributes": ["age"], "respondent": "row"},
    ]
    with pytest.raises(la.InvalidInput, match="counts persons by one column"):
        release(None, quasi_identifiers=groups, policy="check-only")


def row_map(name, classes, persons):
    keys = np.arange(len(classes), dtype=np.int64)
    known = None if persons is None else np.array(persons, dtype=np.int64)
    return RowMap(name, keys, np.array(classes), np.zeros_like(keys), {}, {}, known)


@pytest.mark.parametrize(
    ("persons", "exposed"),
    [(None, 0), ([1, 2, 3, 4], 0), ([1, 1, 3, 4], 2), ([1, 1, 1, 1], 4), ([1, 2, 1, 2], 0)],
)
def test_parts_are_counted_in_persons(persons, exposed):
    history = build_history([row_map("march", [0, 0, 1, 1], persons)])
    assert count_exposed_rows(history, 2) == exposed


def test_rows_whose_person_is_not_known_are_one_person():
    march = row_map("march", [0, 0, 0, 0], None)
    april = row_map("april", [0, 0], [1, 2])
    assert count_exposed_rows(build_history([march, april]), 2) == 2
