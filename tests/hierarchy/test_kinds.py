"""The `hierarchy` table of a specification."""

import tomllib
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from lookalike import hierarchy
from lookalike.hierarchy import (
    AnyHierarchy,
    Dates,
    File,
    Intervals,
    Mask,
    Rounding,
    Suppress,
    Taxonomy,
)

KINDS = TypeAdapter(AnyHierarchy)


def validate(text):
    return KINDS.validate_python(tomllib.loads(f"hierarchy = {text}")["hierarchy"])


@pytest.mark.parametrize(
    ("text", "built"),
    [
        ('{ kind = "mask" }', Mask()),
        (
            '{ kind = "mask", steps = 2, suppression_level = true }',
            Mask(2, suppression_level=True),
        ),
        ('{ kind = "dates" }', Dates()),
        (
            '{ kind = "dates", steps = ["year"], formats = ["%d.%m.%y"], century = 1900 }',
            Dates(["year"], ["%d.%m.%y"], 1900),
        ),
        ('{ kind = "intervals", widths = [5, 10], top = 90 }', Intervals([5, 10], top=90)),
        ('{ kind = "intervals", widths = [0.1], decimals = 1 }', Intervals([0.1], decimals=1)),
        (
            '{ kind = "intervals", ranges = [[[0, 17], [18, 120]]] }',
            Intervals(ranges=[[[0, 17], [18, 120]]]),
        ),
        ('{ kind = "rounding", bases = [10, 100] }', Rounding([10, 100])),
        (
            '{ kind = "taxonomy", tree = { person = ["asian", "black"] } }',
            Taxonomy({"person": ["asian", "black"]}),
        ),
        ('{ kind = "file", path = "race.csv" }', File(Path("race.csv"))),
        ('{ kind = "suppress", unknown = "suppress" }', Suppress(unknown="suppress")),
    ],
)
def test_a_table_of_a_specification_becomes_a_hierarchy(text, built):
    assert validate(text) == built


@pytest.mark.parametrize(
    "built",
    [Mask(), Dates(), Intervals([5]), Rounding([10]), Taxonomy({"a": []}), File("x"), Suppress()],
)
def test_a_hierarchy_that_is_already_built_is_taken_as_it_is(built):
    assert KINDS.validate_python(built) is built


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{ kind = "mask", colour = "red" }', "colour"),
        ('{ kind = "magic" }', "'magic'.*'mask', 'dates', 'intervals', 'rounding', 'taxonomy'"),
        ("{ steps = 2 }", "kind"),
        ('{ kind = "mask", unknown = "ignore" }', "unknown"),
        ('{ kind = "mask", steps = 0 }', "steps must be at least 1, not 0"),
        ('{ kind = "rounding" }', "bases"),
        ('{ kind = "dates", steps = "month" }', "steps"),
        ('{ kind = "intervals", ranges = [[[0, 17, 18]]] }', "ranges"),
    ],
)
def test_a_table_that_is_not_understood_is_refused(text, message):
    with pytest.raises(ValidationError, match=message):
        validate(text)


def test_the_exported_names_are_the_intended_ones():
    assert sorted(hierarchy.__all__) == [
        "AnyHierarchy",
        "BoundHierarchy",
        "Dates",
        "File",
        "Hierarchy",
        "Intervals",
        "Listed",
        "Mask",
        "Rounding",
        "SUPPRESSED",
        "Suppress",
        "Taxonomy",
        "write_hierarchy",
    ]
    assert all(hasattr(hierarchy, name) for name in hierarchy.__all__)
