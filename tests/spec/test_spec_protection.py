"""The protection that a specification requires: k or anonymity, linking weights, tolerance."""

from decimal import Decimal

import pytest

from lookalike import InvalidInput, Specification
from lookalike.model.requirement import QuasiIdentifier

ROWS = 1000
SUPPRESS = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}


def build(release=None, quasi_identifiers=(), **attributes):
    """Build a specification of linkable attributes with the given fields."""
    return Specification.build(
        {
            "release": release or {},
            "attributes": {name: SUPPRESS | fields for name, fields in attributes.items()},
            "quasi_identifiers": quasi_identifiers,
        }
    )


def protected(specification, rows=ROWS):
    """Return the protected attributes and their k."""
    required = specification.requirement(rows).protected(tuple(specification.hierarchies()))
    return [(one.attributes, one.k) for one in required]


class TestAnonymity:
    @pytest.mark.parametrize(
        ("release", "k"),
        [
            ({"anonymity": 0.5}, 5),
            ({"anonymity": 0.2, "anonymity_constant": 0.1}, 20),
            ({"anonymity": 1, "anonymity_constant": 1}, ROWS),
            ({"anonymity": 0.501}, 6),
            ({"anonymity": 0}, 2),
            ({"anonymity": 0.1}, 2),
            ({"anonymity": 0.5, "k": 3}, 3),
        ],
    )
    def test_the_level_of_the_release_computes_to_k(self, release, k):
        specification = build(release, zip={}, sex={})
        assert specification.requirement(ROWS).k == k
        assert protected(specification) == [(("zip", "sex"), k)]

    def test_k_grows_with_the_rows(self):
        specification = build({"anonymity": 0.5}, zip={})
        assert [specification.requirement(rows).k for rows in (10, 401, 600)] == [2, 3, 3]

    def test_an_attribute_must_reach_its_own_beside_the_combination(self):
        specification = build({"k": 5}, zip={"anonymity": 0.8}, sex={"anonymity": 0.3})
        assert protected(specification) == [(("zip", "sex"), 5), (("zip",), 8)]

    def test_the_combination_has_the_largest_if_only_attributes_have_one(self):
        specification = build(zip={"anonymity": 0.8}, sex={"anonymity": 0.3}, age={})
        assert specification.requirement(ROWS).k == 8
        assert protected(specification) == [(("zip", "sex", "age"), 8)]
        assert build(zip={"anonymity": 0}).requirement(ROWS).k == 2

    def test_one_outside_of_the_combination_gives_it_no_k(self):
        with pytest.raises(InvalidInput, match=r"release\.k is required"):
            build(zip={"anonymity": 1, "linking": 0.5}, sex={})

    def test_a_quasi_identifier_has_its_own_before_that_of_the_release(self):
        quasi_identifiers = [
            {"name": "a", "attributes": ["zip"], "anonymity": 0.7},
            {"name": "b", "attributes": ["sex"], "anonymity": 0.7, "k": 4},
            {"name": "c", "attributes": ["age"]},
        ]
        specification = build({"k": 3}, quasi_identifiers, zip={}, sex={}, age={})
        assert protected(specification) == [(("zip",), 7), (("sex",), 4), (("age",), 3)]
        assert specification.requirement(ROWS).k == 3

    def test_each_quasi_identifier_takes_the_largest_of_its_own_attributes(self):
        quasi_identifiers = [
            {"name": "a", "attributes": ["zip", "age"]},
            {"name": "b", "attributes": ["sex", "age"]},
        ]
        levels = {"zip": {"anonymity": 0.9}, "sex": {"anonymity": 0.4}, "age": {}}
        specification = build({}, quasi_identifiers, **levels)
        assert protected(specification) == [(("zip", "age"), 9), (("sex", "age"), 4)]
        assert specification.requirement(ROWS).k == 9

    def test_it_is_exactly_what_was_written(self):
        release = {"anonymity": Decimal("0.07"), "anonymity_constant": 1}
        assert build(release, zip={}).requirement(100).k == 7
        assert build({"anonymity": 0.07, "anonymity_constant": 1}, zip={}).requirement(100).k == 7


class TestLinking:
    def test_all_are_combined_if_nothing_is_said(self):
        requirement = build({"k": 5}, zip={}, sex={}).requirement(ROWS)
        assert requirement.quasi_identifiers == ()

    def test_one_below_1_is_protected_by_itself(self):
        specification = build({"k": 5}, zip={"linking": 0.5}, sex={})
        assert specification.requirement(ROWS).quasi_identifiers == (
            QuasiIdentifier("quasi-identifier", ("sex",), 5),
            QuasiIdentifier("zip", ("zip",), 3, alone=True),
        )

    def test_at_0_nothing_is_asked_of_it_but_it_is_told_of(self):
        specification = build({"k": 5}, zip={"linking": 0}, sex={})
        assert protected(specification) == [(("sex",), 5)]
        assert [(one.attribute, one.k) for one in specification.alone(ROWS)] == [("zip", 0)]

    def test_a_quasi_identifier_may_have_a_weight_of_its_own(self):
        quasi_identifiers = [
            {"name": "a", "attributes": ["zip", "age"], "linking": {"age": 1}},
            {"name": "b", "attributes": ["sex", "age"], "k": 8},
        ]
        specification = build({"k": 5}, quasi_identifiers, zip={}, sex={}, age={"linking": 0.5})
        assert protected(specification) == [(("zip", "age"), 5), (("sex",), 8), (("age",), 4)]

    def test_the_k_of_an_attribute_by_itself_can_be_the_largest(self):
        specification = build({"k": 5}, zip={"linking": 0.5, "anonymity": 1}, sex={})
        requirement = specification.requirement(10_000)
        assert (requirement.k, requirement.largest_k) == (5, 50)


class TestTolerance:
    def test_it_is_1_if_nothing_is_said(self):
        assert build({"k": 2}, zip={}, sex={}).options().tolerances == (1, 1)

    def test_it_is_in_the_order_of_the_attributes(self):
        specification = build({"k": 2}, zip={"tolerance": 0.3}, sex={}, age={"tolerance": 0})
        assert specification.options().tolerances == (Decimal("0.3"), 1, 0)

    def test_one_of_several_quasi_identifiers_has_the_least(self):
        quasi_identifiers = [
            {"name": "a", "attributes": ["zip", "age"], "tolerance": {"age": 0.2}},
            {"name": "b", "attributes": ["sex", "age"], "tolerance": {"age": 0.4, "sex": 0.9}},
        ]
        specification = build({"k": 2}, quasi_identifiers, zip={}, sex={"tolerance": 0.1}, age={})
        assert specification.options().tolerances == (1, Decimal("0.9"), Decimal("0.2"))
        assert protected(specification) == [(("zip", "age"), 2), (("sex", "age"), 2)]


@pytest.mark.parametrize("field", ["anonymity", "linking", "tolerance"])
@pytest.mark.parametrize("value", [True, "0.5", -0.1, 1.1, float("nan"), [1]])
def test_a_level_is_nothing_but_a_number_from_0_to_1(field, value):
    with pytest.raises(InvalidInput, match=f"zip.{field}: write a number from 0 to 1"):
        build({"k": 2}, zip={field: value})
