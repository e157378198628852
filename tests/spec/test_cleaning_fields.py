"""The fields of a specification that say how values are read."""

import pytest

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.ledger.policies.policy import widen
from lookalike.tables.cleaning import Cleaning, ColumnCleaning

from ..roles import IDENTIFIER, MASKED, SENSITIVE


def specify(source=None, attributes=None, **parts):
    fields = {
        "source": {"path": "people.csv", "person": "patient", **(source or {})},
        "release": {"k": 2},
        "attributes": {
            "patient": IDENTIFIER | {"missing": ["0"]},
            "zip": MASKED | {"zero_pad": 5},
            "ill": SENSITIVE | {"missing": []},
            **(attributes or {}),
        },
        **parts,
    }
    return la.Specification.build(fields)


COLUMNS = {
    "patient": ColumnCleaning(("0",)),
    "zip": ColumnCleaning(zero_pad=5),
    "ill": ColumnCleaning(()),
}


def test_columns_are_read_in_their_own_way_or_as_the_source_says():
    asked = specify({"missing": ["NA", "?"], "trim": True})
    assert asked.cleaning == Cleaning(("NA", "?"), True, COLUMNS)


def test_a_specification_without_a_source_cleans_its_columns():
    attributes = {"zip": MASKED | {"missing": ["NA"]}}
    asked = la.Specification.build({"release": {"k": 2}, "attributes": attributes})
    assert asked.cleaning == Cleaning(columns={"zip": ColumnCleaning(("NA",))})


def test_a_column_that_a_recipient_does_not_get_is_read_the_same_way():
    recipients = {"lab": {"columns": ["zip"]}}
    asked = specify(recipients=recipients, release={"k": 2, "recipient": "lab"})
    assert asked.cleaning.columns == COLUMNS


def test_a_column_that_joins_the_quasi_identifier_is_read_the_same_way():
    assert widen(specify(), ["ill"]).cleaning.columns == COLUMNS


@pytest.mark.parametrize(
    ("source", "attributes", "place"),
    [
        ({"missing": "NA"}, {}, "source.missing: missing must be a list of texts"),
        ({"missing": [-9]}, {}, "source.missing: missing must be a list of texts"),
        ({"trim": "yes"}, {}, "source.trim: Input should be a valid boolean"),
        ({}, {"x": SENSITIVE | {"missing": "NA"}}, "attributes.x.missing: missing must be a list"),
        ({}, {"x": SENSITIVE | {"zero_pad": 0}}, "attributes.x.zero_pad: .* greater than or equal"),
        ({}, {"x": SENSITIVE | {"zero_pad": 65}}, "attributes.x.zero_pad: .* less than or equal"),
        ({}, {"x": SENSITIVE | {"zero_pad": "5"}}, "attributes.x.zero_pad: .* valid integer"),
    ],
)
def test_what_cannot_be_read_is_refused(source, attributes, place):
    with pytest.raises(InvalidInput, match=place):
        specify(source, attributes)


def test_a_map_is_a_table_or_a_file_beside_the_specification(tmp_path):
    (tmp_path / "ill.csv").write_text("value,meaning,cells\nFLU,flu,3\n\nGrippe,flu,1\n")
    (tmp_path / "people.toml").write_text(
        '[source]\npath = "people.csv"\n[release]\nk = 2\n'
        '[attributes.zip]\nrole = "quasi-identifier"\nhierarchy = { kind = "mask" }\n'
        'map = { Boston = "02138" }\n'
        '[attributes.ill]\nrole = "sensitive"\nmap = "ill.csv"\n'
    )
    asked = la.Specification.load(tmp_path / "people.toml")
    assert asked.cleaning.columns == {
        "zip": ColumnCleaning(map={"Boston": "02138"}),
        "ill": ColumnCleaning(map={"FLU": "flu", "Grippe": "flu"}),
    }


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("FLU,flu\nFLU,gout\n", "line 2: the value has another meaning above"),
        ("FLU\n", "line 1: write the value and its meaning"),
        (None, "does not exist; write a file with lines value,meaning"),
    ],
)
def test_a_file_of_a_map_that_says_nothing_clear_is_refused(tmp_path, lines, problem):
    if lines is not None:
        (tmp_path / "ill.csv").write_text(lines)
    asked = specify(attributes={"ill": SENSITIVE | {"map": str(tmp_path / "ill.csv")}})
    with pytest.raises(InvalidInput, match=problem):
        _ = asked.cleaning


@pytest.mark.parametrize("wrong", [{"1": 2}, ["male"], 3])
def test_a_map_must_have_texts(wrong):
    with pytest.raises(InvalidInput, match="write texts, such as map"):
        specify(attributes={"ill": SENSITIVE | {"map": wrong}})
