"""The problems of a specification: raised together, and described with their places."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from lookalike.errors import suggest
from lookalike.hierarchy import HierarchyKind


def raise_problems(problems: Iterable[str]) -> None:
    """Raise several problems of one table, which pydantic reports beside those of others."""
    found = [
        InitErrorDetails(
            type=PydanticCustomError("problem", "{problem}", {"problem": problem}), input=None
        )
        for problem in problems
    ]
    if found:
        raise ValidationError.from_exception_data("specification", found)


def describe_problem(problem: Mapping[str, Any], known: Sequence[str]) -> str:
    """Return one field that is wrong and what it should be.

    Parameters
    ----------
    problem
        The problem, as pydantic reports it.
    known
        The names of all fields, from which a misspelled one is suggested.
    """
    place, reason = _place(problem["loc"]), str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        reason = "not a field" + _after(suggest(str(problem["loc"][-1]), known))
    elif problem["type"] == "missing":
        reason = "is required"
    elif problem["type"] in ("union_tag_invalid", "union_tag_not_found", "model_attributes_type"):
        kinds = ", ".join(kind.__name__.lower() for kind in get_args(HierarchyKind))
        reason = f'needs a kind, such as {{ kind = "mask" }}; the kinds are {kinds}'
    elif problem["type"] in ("model_type", "dataclass_type", "dict_type"):
        reason = f"must be a table: write [{place}], and its fields in the lines below"
    elif problem["type"] == "literal_error":
        names = re.findall("'([^']*)'", problem["ctx"]["expected"])
        reason += _after(suggest(str(problem["input"]), names))
    return f"{place}: {reason}" if place else reason


def _after(suggestion: str) -> str:
    """Return a suggestion as the end of a sentence."""
    return f"; {suggestion}" if suggestion else ""


def _place(location: Sequence[str | int]) -> str:
    """Return the dotted name of a field, without the kind of a hierarchy."""
    parts = [str(part) for part in location]
    if parts[2:3] == ["hierarchy"]:
        del parts[3:4]
    return ".".join(parts)
