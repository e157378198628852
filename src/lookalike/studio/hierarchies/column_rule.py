"""ColumnRule: the hierarchy of one column, as it is defined or as a form defines it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lookalike.draft.preview_hierarchy import USUAL_K
from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.search.methods import TAKES
from lookalike.spec.specification import Specification
from lookalike.studio.editing.project import Project
from lookalike.studio.session import Refused

_COLUMN = "x"
_PLACE = f"attributes.{_COLUMN}.hierarchy"
_FIELD_NAMES = re.compile(
    r"\b(steps|length|keep|formats|century|fixed_day|widths|ranges|origin|bottom|top|decimals"
    r"|bases|delimiter|encoding|suppression_level|tree)\b"
)


@dataclass(frozen=True)
class ColumnRule(Discreet):
    """The hierarchy of one column.

    Parameters
    ----------
    rule
        The hierarchy.
    specification
        A specification of this column alone, by which the hierarchy is judged.
    """

    rule: Hierarchy
    specification: Specification

    @property
    def k(self) -> int:
        """The k that groups are compared with."""
        return self.specification.release.k or USUAL_K

    @property
    def suppressed(self) -> str:
        """The label of the suppressed value."""
        return self.specification.release.suppressed_label


def build_rule(project: Project, definition: Mapping[str, Any]) -> ColumnRule:
    """Return the hierarchy that a table of a specification defines.

    ``project``: gives k, the label of suppressed values, the method and the folder of files.
    """
    attribute = {"role": "quasi-identifier", "hierarchy": dict(definition)}
    fields = {"release": _find_release(project), "attributes": {_COLUMN: attribute}}
    problems = Specification.gather_problems(fields)
    if problems:
        raise Refused(dict(map(_place_problem, problems)))
    built = Specification.build(fields).located(project.folder)
    rule = built.attributes[_COLUMN].hierarchy
    if rule is None:
        raise InvalidInput("the column has no hierarchy")
    return ColumnRule(rule, built)


def _find_release(project: Project) -> dict[str, Any]:
    """Return what a hierarchy is judged by, as far as the specification gives it."""
    asked = project.table("release")
    k, label, method = asked.get("k"), asked.get("suppressed_label"), asked.get("method")
    return {
        "k": k if type(k) is int and k > 1 else USUAL_K,
        "suppressed_label": label if isinstance(label, str) and label else SUPPRESSED,
        **({"method": method} if isinstance(method, str) and method in TAKES else {}),
    }


def _place_problem(problem: str) -> tuple[str, str]:
    """Return the field that a problem is about, and why."""
    place, _, why = problem.partition(": ")
    if place.startswith(f"{_PLACE}."):
        return place.removeprefix(f"{_PLACE}.").partition(".")[0], why
    named = _FIELD_NAMES.search(why.partition(";")[0])
    field = named[1] if named else "hierarchy"
    return ("starts" if field == "ranges" else field), why
