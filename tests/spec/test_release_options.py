"""The keyword arguments of the library are the fields of a specification."""

import types
from collections.abc import Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from inspect import signature
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import pytest

import lookalike as la
from lookalike.shell.cli import COMMANDS, load_command
from lookalike.spec.model import SpecificationModel
from lookalike.spec.release_fields import ReleaseFields
from lookalike.spec.release_options import Number, ReleaseOptions, SpecificationOptions
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import find_defaults, list_shown
from lookalike.tables.source import ReadingOptions, Source, SourceOptions

GROUPS = ("hierarchy", "ledger")
"""The commands that have commands of their own."""
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
    assert tables == set(Specification.model_fields) - {"release", "source", "records"}


def test_the_options_of_a_source_are_its_fields():
    hints = get_type_hints(Source, include_extras=True)
    expected = {f.name: plain(hints[f.name]) for f in fields(Source) if f.name not in PLACES}
    given = get_type_hints(SourceOptions)
    assert set(given) == set(expected)
    assert {name for name in given if not same(given[name], expected[name])} == set()


@pytest.mark.parametrize("model", [ReleaseFields, Source])
def test_every_field_is_declared_with_its_help(model):
    shown = {name: (one, option) for name, _, one, option in list_shown(model)}
    assert [*shown] == [*find_defaults(model)]
    assert {name for name, (one, _) in shown.items() if not one.help.endswith(".")} == set()
    assert {word for _, one in shown.values() for word in one.commands.split()} <= {*COMMANDS}


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in GROUPS])
def test_a_command_has_the_options_of_the_fields_that_name_it(command):
    options = {one.name for one in load_command(command).params}
    fields = [*list_shown(ReleaseFields), *list_shown(Source)]
    assert {name for name, _, _, one in fields if command in one.commands.split()} <= options


@pytest.mark.parametrize("name", ["release", "compare", "explore", "check", "risk", "draft"])
def test_the_signatures_show_the_defaults_of_the_fields(name):
    shown = {one.name: one.default for one in signature(getattr(la, name)).parameters.values()}
    defaults = find_defaults(ReleaseFields) | find_defaults(Source)
    named = {*OPTIONS} if "method" in shown else {*get_type_hints(ReadingOptions)}
    assert named <= {*shown}
    assert {option for option in named if shown[option] != defaults[option]} == set()
    assert ... not in shown.values()
