"""Class sizes, risk and sensitive values, compared with what can be counted in both tables."""

from collections import Counter

import pytest

from lookalike.describe.classes import measure_classes, measure_sensitive

from ..small_tables import rows_of
from .invented_people import people, release

LINKABLE = ["age", "zip", "sex"]


def check_risk(facts, sizes, members, k):
    """Compare with the rows and the members of each class."""
    rows = sum(sizes.values())
    assert Counter(dict(facts.sizes)) == Counter(sizes.values())
    assert facts.uniqueness.classes == len(sizes)
    assert facts.uniqueness.smallest == min(members.values())
    assert facts.uniqueness.unique_rows == sum(sizes[one] for one in sizes if members[one] == 1)
    below = sum(sizes[one] for one in sizes if members[one] < k)
    assert facts.uniqueness.rows_below_k == facts.risk.rows_at_risk == below
    assert facts.risk.highest == 1 / min(members.values())
    assert facts.risk.average == pytest.approx(sum(sizes[o] / members[o] for o in sizes) / rows)


@pytest.mark.parametrize("fields", [{}, {"method": "mingen-cells"}, {"suppressed_rows": "blank"}])
def test_classes_are_those_of_the_tables(fields):
    made = release(**fields)
    (found,) = measure_classes(made.plan)
    assert (found.k, found.counts, found.attributes) == (3, "rows", tuple(LINKABLE))
    before, after = Counter(rows_of(people(), LINKABLE)), Counter(rows_of(made.table, LINKABLE))
    check_risk(found.before, before, before, 3)
    check_risk(found.after, after, after, 3)


def test_persons_are_counted_where_k_counts_them():
    made = release(source={"person": "patient"})
    (found,) = measure_classes(made.plan)
    assert found.counts == "persons"
    sizes = Counter(rows_of(people(), LINKABLE))
    pairs = {(row[1:], row[0]) for row in rows_of(people(), ["patient", *LINKABLE])}
    check_risk(found.before, sizes, Counter(values for values, _ in pairs), 3)
    assert found.after.uniqueness.smallest == made.certificate.quasi_identifiers[0].persons_reached


def test_each_quasi_identifier_has_its_own_classes():
    groups = [
        {"name": "voters", "attributes": ["age", "zip"], "k": 3},
        {"name": "staff", "attributes": ["zip", "sex"], "k": 4},
    ]
    made = release(quasi_identifiers=groups, k=2)
    found = {one.name: one for one in measure_classes(made.plan)}
    assert {name: one.k for name, one in found.items()} == {"voters": 3, "staff": 4}
    for one in found.values():
        after = Counter(rows_of(made.table, list(one.attributes)))
        check_risk(one.after, after, after, one.k)


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_sensitive_values_are_counted_by_class(method):
    made = release(method=method)
    ((found,), unmeasured) = measure_sensitive(made.facts, measure_classes(made.plan))
    classes = {}
    for *values, ill in rows_of(made.table, [*LINKABLE, "ill"]):
        classes.setdefault(tuple(values), []).append(ill)
    alike = [one for one in classes.values() if len(set(one)) == 1]
    assert unmeasured == ()
    assert (found.column, found.classes, found.rows) == ("ill", len(classes), made.table.num_rows)
    assert found.different == len(set(made.table["ill"].to_pylist())) == 4
    assert (found.homogeneous_classes, found.homogeneous_rows) == (len(alike), sum(map(len, alike)))
    shares = [max(Counter(one).values()) / len(one) for one in classes.values()]
    assert found.figures.alpha == pytest.approx(max(shares))
    assert found.figures.distinct_l == min(len(set(one)) for one in classes.values())
