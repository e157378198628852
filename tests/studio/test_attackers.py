"""What each attacker can still do: figures that follow from the settings, or from a dry run."""

import pytest

from lookalike.risk.finding import PreflightFinding
from lookalike.spec.specification import Specification
from lookalike.studio.attackers import list_attackers
from lookalike.studio.releases.release_summary import ReleaseSummary

MASK = {"kind": "mask"}
ATTRIBUTES = {
    "no": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": MASK},
    "age": {"role": "quasi-identifier", "hierarchy": MASK},
    "ill": {"role": "sensitive"},
}
ALIKE = PreflightFinding("one-sensitive-value", "warning", "2 of 9 share a value.", "raise k")


def asked(release=None, attributes=None, **tables):
    columns = {
        name: {**one, **(attributes or {}).get(name, {})} for name, one in ATTRIBUTES.items()
    }
    fields = {"release": {"k": 5, **(release or {})}, "attributes": columns, **tables}
    return Specification.build(fields)


def find(specification, name, made=None):
    """Return what an attacker can do, as one text."""
    return " ".join(list_attackers(specification, 100, made)[name])


def made(**figures):
    given = {"smallest": 8, "classes": 10, "rows_out": 100, "findings": (ALIKE,), **figures}
    return ReleaseSummary("", 100, precision=1.0, sentences=(), kept=(), **given)


def test_a_neighbour_finds_k_rows():
    found = find(asked(), "neighbour")
    assert "By zip and age, at least 5 rows fit" in found
    assert "at most 1/5 (20 %)" in found
    assert "each person has one row" in found
    assert "Whoever also knows ill of the person may find the row" in found


def test_a_neighbour_finds_k_persons():
    source = {"path": "people.csv", "person": "no"}
    chosen = asked({"k": None, "highest_risk": 0.09}, source=source)
    found = find(chosen, "neighbour", made())
    assert "at least 12 persons fit every row" in found
    assert "dry run" not in found + find(chosen, "marketer", made())
    assert "1/12 (8.33 %)" in found
    assert "one row" not in found


def test_a_dry_run_adds_its_figures():
    assert "has 8 rows: at most 1/8 (12.5 %)" in find(asked(), "neighbour", made())
    assert "In the latest dry run 10 %: 10 classes of 100 rows" in find(asked(), "marketer", made())
    assert "2 of 9 share a value" in find(asked(), "value", made())
    assert "dry run" not in find(asked(), "neighbour")


def test_each_quasi_identifier_has_its_own_figure():
    groups = [
        {"name": "one", "attributes": ["zip"], "k": 3},
        {"name": "two", "attributes": ["age"], "k": 7},
    ]
    found = find(asked(quasi_identifiers=groups), "neighbour", made())
    assert "By zip, at least 3 rows fit" in found
    assert "By age, at least 7 rows fit" in found
    assert "dry run" not in found
    assert "1/3 (33.3 %)" in find(asked(quasi_identifiers=groups), "marketer")


def test_an_attribute_outside_the_combination_narrows_down():
    found = find(asked(attributes={"age": {"linking": 0.5}}), "neighbour")
    assert "By zip, at least 5 rows fit" in found
    assert "age may narrow that down" in found


def test_argus_without_repair_need_not_reach_k():
    release = {"method": "mu-argus", "generalize": []}
    assert "need not reach k" in find(asked(release), "neighbour")
    assert "need not reach k" not in find(asked(release | {"repair": True}), "neighbour")
    assert "is not measured" in find(asked(release), "insider")


def test_a_register_bounds_what_its_holder_finds():
    assert "May conclude that somebody is in the table" in find(asked(), "register")
    people = {"population": "people.csv"}
    found = find(
        asked({"k_map": {"k": 50, **people}, "presence": {"highest": 0.3, **people}}), "register"
    )
    assert "matches at least 50 people" in found
    assert "above 0.3" in found
    assert "May conclude" not in found


def test_the_average_is_that_of_the_settings():
    assert "at most 1/5 (20 %) of the matches" in find(asked(), "marketer")
    assert "at most 2 % of the matches" in find(asked({"average_risk": 0.02}), "marketer")


def test_values_are_protected_or_not():
    assert "ill: not protected" in find(asked(), "value")
    guarded = asked({"secrecy": "search"}, {"ill": {"protect": {"share": 0.5}}})
    found = find(guarded, "value")
    assert "no value of ill has more than 50 % of the rows" in found
    assert "not protected" not in found


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ({"method": "mingen"}, "one level, so that a class shows nothing but its values"),
        ({"method": "mingen-cells"}, "by up to 1/5 (20 %)"),
        (
            {"method": "mingen-cells", "decoys": 0.02},
            "a level was drawn at random, from the greatest",
        ),
        ({"method": "mingen-cells", "max_exposure": 0.1}, "rises by more than 0.1 is refused"),
    ],
)
def test_an_insider_learns_from_levels(release, expected):
    assert expected in find(asked(release), "insider")


@pytest.mark.parametrize(
    ("secrecy", "expected"),
    [
        ("search", "may conclude more"),
        ("blind", "as likely as its share"),
        ("lottery", "at random"),
    ],
)
def test_an_insider_learns_from_classes(secrecy, expected):
    release = {"secrecy": secrecy, "method": "mingen-cells"}
    guarded = asked(release, {"ill": {"protect": {"share": 0.5}}})
    assert expected in find(guarded, "insider")


def test_earlier_releases_are_checked_by_a_ledger():
    assert "are not checked" in find(asked(), "releases")
    source = {"path": "people.csv", "row_key": "no"}
    kept = asked({"ledger": "releases.db"}, source=source)
    assert "are considered, by the policy based-on" in find(kept, "releases")
