"""Describe the problems that pydantic finds in a specification."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import ValidationError

from lookalike.errors import suggest
from lookalike.hierarchy import HierarchyKind


def describe_problems(error: ValidationError, known: Sequence[str]) -> str:
    """Return every field that is wrong and what it should be.

    Parameters
    ----------
    error
        The error of pydantic.
    known
        The names of all fields, from which a misspelled one is suggested.
    """
    return "; ".join(_describe(problem, known) for problem in error.errors(include_url=False))


def _describe(problem: Mapping[str, Any], known: Sequence[str]) -> str:
    """Return one field that is wrong and what it should be."""
    place, reason = _place(problem["loc"]), str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        suggestion = suggest(str(problem["loc"][-1]), known)
        reason = "not a field" + (f"; {suggestion}" if suggestion else "")
    elif problem["type"] == "missing":
        reason = "is required"
    elif problem["type"] in ("union_tag_invalid", "union_tag_not_found", "model_attributes_type"):
        kinds = ", ".join(kind.__name__.lower() for kind in get_args(HierarchyKind))
        reason = f'needs a kind, such as {{ kind = "mask" }}; the kinds are {kinds}'
    elif problem["type"] in ("model_type", "dataclass_type", "dict_type"):
        reason = f"must be a table: write [{place}], and its fields in the lines below"
    return f"{place}: {reason}" if place else reason


def _place(location: Sequence[str | int]) -> str:
    """Return the dotted name of a field, without the kind of a hierarchy."""
    parts = [str(part) for part in location]
    if parts[2:3] == ["hierarchy"]:
        del parts[3:4]
    return ".".join(parts)
