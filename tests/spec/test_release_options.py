"""The keyword arguments of the library are the fields of a specification."""

import types
from collections.abc import Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import pytest

from lookalike.spec.model import SpecificationModel
from lookalike.spec.release_fields import ReleaseFields
from lookalike.spec.release_options import Number, ReleaseOptions, SpecificationOptions
from lookalike.spec.specification import Specification
from lookalike.tables.source import Source, SourceOptions

PLACES = {"path", "tables", "query", "database", "table"}
"""The fields of a source that say where its rows are; a call gives the table instead."""


def plain(kind):
    """Return the type that a call may give for the type of a field."""
    origin = get_origin(kind)
    if origin is Annotated:
        return plain(get_args(kind)[0])
    if origin in (Union, types.UnionType):
        return Union[*(plain(one) for one in get_args(kind))]
    if origin is tuple:
        return Sequence[plain(get_args(kind)[0])]
    if origin is dict:
        return Mapping[str, Any]
    if isinstance(kind, type) and issubclass(kind, SpecificationModel):
        return Mapping[str, Any]
    return Number if kind is Decimal else kind


def same(one, other):
    """Compare types; the order of a union does not count."""
    return set(get_args(one) or [one]) == set(get_args(other) or [other])


FIELDS = get_type_hints(ReleaseFields, include_extras=True)
OPTIONS = get_type_hints(ReleaseOptions)


def test_the_options_are_the_fields_of_release():
    assert [*OPTIONS] == [*ReleaseFields.model_fields]


@pytest.mark.parametrize("name", ReleaseFields.model_fields)
def test_the_type_of_an_option_is_that_of_its_field(name):
    assert same(OPTIONS[name], plain(FIELDS[name]))


def test_the_other_options_are_the_tables_of_a_specification():
    tables = set(get_type_hints(SpecificationOptions)) - set(OPTIONS)
    assert tables == set(Specification.model_fields) - {"release", "source"}


def test_the_options_of_a_source_are_its_fields():
    hints = get_type_hints(Source, include_extras=True)
    expected = {f.name: plain(hints[f.name]) for f in fields(Source) if f.name not in PLACES}
    given = get_type_hints(SourceOptions)
    assert set(given) == set(expected)
    assert {name for name in given if not same(given[name], expected[name])} == set()
