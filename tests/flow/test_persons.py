"""k counts persons: a table of visits, in which patients have several rows."""

import json
from collections import defaultdict

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.flow.make_release import make_release
from lookalike.model.beside import Persons

from ..effort import examples

K = 5
LINKABLE = ("zip", "sex", "age")
METHODS = ("mingen", "datafly", "samarati")
CELLS = ("mingen-cells", "k-similar")
ATTRIBUTES = {
    "visit": {"role": "other", "unique": True},
    "patient_no": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10, 20]}},
}


def draw_visits(patients=120, visits=360, seed=3):
    """Draw visits of patients, whose ZIP code, sex and age stay the same."""
    random = np.random.default_rng(seed)
    patient = random.integers(0, patients, visits)
    people = {
        "zip": random.integers(2130, 2150, patients).astype(str),
        "sex": random.choice(["m", "f"], patients),
        "age": random.integers(20, 60, patients),
    }
    columns = {name: pa.array(values[patient]) for name, values in people.items()}
    return pa.table({"visit": range(visits), "patient_no": pa.array(patient), **columns})


VISITS = draw_visits()


def release(table=VISITS, person="patient_no", **fields):
    source = None if person is None else {"person": person}
    asked = {"k": K, "method": "mingen", "attributes": ATTRIBUTES, "source": source}
    return la.release(table, **asked | fields)


def fewest_persons(released, private=VISITS, linkable=LINKABLE):
    """Count the patients of each released class by hand, found by their visit numbers."""
    patient_of = dict(
        zip(*(private[name].to_pylist() for name in ("visit", "patient_no")), strict=True)
    )
    classes = defaultdict(set)
    for row in released.to_pylist():
        classes[tuple(row[name] for name in linkable)].add(patient_of[row["visit"]])
    return min(map(len, classes.values()))


@pytest.mark.parametrize("method", [*METHODS, *CELLS])
@pytest.mark.parametrize("most", [0, 0.05])
def test_every_class_has_k_persons_and_not_only_k_rows(method, most):
    by_rows = release(person=None, method=method, max_suppressed=most)
    by_persons = release(method=method, max_suppressed=most)

    assert fewest_persons(by_rows.table) < K
    assert by_rows.certificate.quasi_identifiers[0].k_reached >= K
    assert fewest_persons(by_persons.table) >= K


def test_the_certificate_says_what_k_counts():
    by_rows, by_persons = release(person=None).certificate, release().certificate
    [rows], [persons] = by_rows.quasi_identifiers, by_persons.quasi_identifiers

    assert (rows.counts, rows.persons_reached) == ("rows", None)
    assert by_rows.statement.endswith("It is assumed that each person has one row.")
    assert persons.counts == "persons"
    assert persons.persons_reached == fewest_persons(release().table)
    assert f"shared by at least {persons.persons_reached} persons" in by_persons.statement
    assert "assumed" not in by_persons.statement


def test_persons_with_one_row_each_change_nothing():
    known = VISITS.set_column(1, "patient_no", VISITS["visit"])
    by_rows, by_persons = release(known, person=None), release(known)

    assert by_persons.levels == by_rows.levels
    [certified] = by_persons.certificate.quasi_identifiers
    assert certified.counts == "persons"
    assert certified.persons_reached == certified.k_reached


def test_missing_persons_are_one_person():
    half = [None if visit % 2 else f"p{visit}" for visit in range(8)]
    table = pa.table({"patient_no": half, "zip": ["02138"] * 8})
    asked = {"attributes": {name: ATTRIBUTES[name] for name in table.column_names}}

    made = release(table, k=5, **asked)
    assert made.certificate.quasi_identifiers[0].persons_reached == 5
    with pytest.raises(la.Infeasible, match=r"5 persons in column 'patient_no'.*k = 6"):
        release(table, k=6, **asked)


def test_a_table_of_one_person_is_infeasible():
    table = VISITS.set_column(1, "patient_no", pa.array(["p1"] * len(VISITS)))
    with pytest.raises(la.Infeasible, match=r"the table has 1 persons"):
        release(table)


def test_each_respondent_is_counted_by_its_own_quasi_identifier():
    doctors = pa.array([f"d{visit % 9}" for visit in range(len(VISITS))])
    table = VISITS.append_column("doctor", doctors)
    made = release(
        table,
        person=None,
        attributes=ATTRIBUTES | {"doctor": {"role": "identifier"}},
        quasi_identifiers=[
            {"name": "patients", "attributes": ["zip", "sex"], "respondent": "patient_no"},
            {"name": "doctors", "attributes": ["age"], "respondent": "doctor", "k": 9},
            {"name": "visits", "attributes": ["sex", "age"]},
        ],
    )
    patients, doctors, visits = made.certificate.quasi_identifiers

    assert patients.persons_reached == fewest_persons(made.table, linkable=("zip", "sex")) >= K
    assert (doctors.persons_reached, visits.persons_reached) == (9, None)
    assert "For visits, it is assumed" in made.certificate.statement


@examples(60)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.integers(0, 6)), st.sampled_from("ab"), st.integers(0, 39)
        ),
        min_size=4,
        max_size=24,
    ),
    st.integers(2, 3),
    st.sampled_from([*METHODS, *CELLS]),
)
def test_every_class_of_an_invented_table_has_k_persons(rows, k, method):
    patients, sexes, ages = zip(*rows, strict=True)
    assume(len(set(patients)) >= k)
    columns = {"visit": range(len(rows)), "patient_no": pa.array(patients, pa.int64())}
    table = pa.table({**columns, "sex": sexes, "age": ages})
    chosen = {name: ATTRIBUTES[name] for name in table.column_names}
    try:
        made = release(table, k=k, method=method, attributes=chosen, max_suppressed=3)
    except la.Infeasible:
        return
    assert fewest_persons(made.table, table, ("sex", "age")) >= k


def specify(folder, **fields):
    """Write the visits to a file, and specify their release."""
    pyarrow.csv.write_csv(VISITS, folder / "visits.csv")
    return la.Specification.build(
        {
            "source": {"path": str(folder / "visits.csv"), "person": "patient_no"},
            "attributes": ATTRIBUTES,
            "release": {"k": K, "method": "mingen", "out": str(folder / "released" / "visits.csv")}
            | fields,
        }
    )


def forget_persons(monkeypatch):
    """Plant a fault: the search takes any k rows for k persons."""
    nothing = np.empty(0, dtype=np.int32)
    monkeypatch.setattr(Persons, "lacking", lambda *_: nothing)


def test_a_search_that_counts_rows_is_caught_before_anything_is_published(tmp_path, monkeypatch):
    specification = specify(tmp_path)
    forget_persons(monkeypatch)

    with pytest.raises(la.RequirementNotMet, match=r"fewer than 5 persons in column 'patient_no'"):
        make_release(specification)
    assert [path.name for path in tmp_path.iterdir()] == ["visits.csv"]
    with pytest.raises(la.RequirementNotMet, match="fewer than 5 persons"):
        release()


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
def test_the_holder_can_count_the_persons_of_a_published_release(tmp_path, suffix):
    out = tmp_path / "released" / f"visits.{suffix}"
    specification = specify(tmp_path, out=str(out), max_suppressed=0.05)
    make_release(specification)

    alone = la.verify(out.parent)
    assert alone.holds
    assert not alone.complete
    [unchecked] = [finding for finding in alone.findings if not finding.checked]
    assert "does not show which rows are of one person" in unchecked.found
    for table in (None, VISITS):
        both = la.verify(out.parent, spec=specification, table=table)
        assert both.holds
        assert both.complete
        assert any("with the fewest persons has" in finding.claim for finding in both.findings)


@pytest.mark.parametrize("method", CELLS)
def test_the_persons_of_a_release_at_the_cell_level_cannot_be_counted_later(tmp_path, method):
    specification = specify(tmp_path, method=method)
    made = make_release(specification)
    assert made.certificate.quasi_identifiers[0].persons_reached >= K

    found = la.verify(tmp_path / "released", spec=specification)
    assert found.holds
    [unchecked] = [finding for finding in found.findings if not finding.checked]
    assert "cannot be counted again" in unchecked.found


def forge(folder, change):
    """Change the certificate of a release."""
    place = folder / "certificate.json"
    certificate = json.loads(place.read_text())
    change(certificate)
    place.write_text(json.dumps(certificate))


def test_a_forged_number_of_persons_is_found(tmp_path):
    specification = specify(tmp_path)
    make_release(specification)

    def change(certificate):
        [certified] = certificate["quasi_identifiers"]
        before, certified["persons_reached"] = certified["persons_reached"], 99
        text = certificate["statement"].replace(f"at least {before} ", "at least 99 ")
        certificate["statement"] = text

    forge(tmp_path / "released", change)
    assert la.verify(tmp_path / "released").holds
    found = la.verify(tmp_path / "released", spec=specification)
    assert [one.claim for one in found.findings if not one.holds] == [
        "the class over zip, sex, age with the fewest persons has 99, at least 5"
    ]


def test_a_certificate_that_hides_that_k_counts_persons_is_found(tmp_path):
    specification = specify(tmp_path)
    make_release(specification)
    made = release(person=None)

    def change(certificate):
        certificate["quasi_identifiers"][0] |= {"counts": "rows", "persons_reached": None}
        reached = certificate["quasi_identifiers"][0]["k_reached"]
        before = made.certificate.quasi_identifiers[0].k_reached
        text = made.certificate.statement.replace(f"least {before} ", f"least {reached} ")
        certificate["statement"] = text

    forge(tmp_path / "released", change)
    assert la.verify(tmp_path / "released").holds
    assert not la.verify(tmp_path / "released", spec=specification).holds


def test_a_certificate_from_before_persons_is_still_valid(tmp_path):
    made = release(person=None, accept=["repeated-persons"])
    made.publish(tmp_path / "released" / "visits.csv")

    def change(certificate):
        for name in ("counts", "persons_reached"):
            del certificate["quasi_identifiers"][0][name]
        text = certificate["statement"]
        certificate["statement"] = text.removesuffix(" It is assumed that each person has one row.")

    forge(tmp_path / "released", change)
    specification = specify(tmp_path).model_copy(update={"source": None})
    assert la.verify(tmp_path / "released").complete
    assert la.verify(tmp_path / "released", spec=specification, table=VISITS).holds


def test_blank_rows_of_persons_with_several_rows_are_refused():
    with pytest.raises(la.InvalidInput, match=r'leave suppressed rows out.*"drop"'):
        release(suppressed_rows="blank", max_suppressed=20)


def test_a_release_based_on_earlier_ones_is_refused(tmp_path):
    with pytest.raises(la.InvalidInput, match=r'"based-on" counts the rows.*"increments"'):
        specify(tmp_path, ledger=str(tmp_path / "releases.db"))
