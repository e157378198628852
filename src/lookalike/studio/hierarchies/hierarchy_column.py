"""HierarchyColumn: a column whose hierarchy is shown and edited; ColumnRule: its hierarchy."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lookalike.draft.column import ColumnProfile
from lookalike.draft.preview_hierarchy import USUAL_K
from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.search.methods import TAKES
from lookalike.spec.specification import Specification
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.editing.project import Project
from lookalike.studio.hierarchies.definition_fields import find_form_kind
from lookalike.studio.session import Refused, Session
from lookalike.studio.table_facts import ColumnFacts

_COLUMN = "x"
_PLACE = f"attributes.{_COLUMN}.hierarchy"
_FIELD_NAMES = re.compile(
    r"\b(steps|length|keep|formats|century|fixed_day|widths|ranges|origin|bottom|top|decimals"
    r"|bases|delimiter|encoding|suppression_level|tree)\b"
)


@dataclass(frozen=True)
class ColumnRule(Discreet):
    """The hierarchy of one column, with a specification of this column alone to judge it by."""

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


@dataclass(frozen=True)
class HierarchyColumn(Discreet):
    """A column of the specification, which addresses name by its place.

    ``definition``: its ``hierarchy`` table, empty if it has none. ``facts``: `None` if its values
    were not read.
    """

    place: int
    name: str
    role: str
    definition: dict[str, Any]
    facts: ColumnFacts | None

    @property
    def kind(self) -> str:
        """The kind of its hierarchy in the form."""
        return find_form_kind(self.definition)

    @property
    def proposal(self) -> dict[str, Any] | None:
        """The hierarchy that was proposed for it, if there is one."""
        if self.facts is None or not self.facts.hierarchy:
            return None
        table: dict[str, Any] = parse_toml(f"hierarchy = {self.facts.hierarchy}")["hierarchy"]
        return table

    @property
    def profile(self) -> ColumnProfile | None:
        """Its values, if they are known."""
        return None if self.facts is None else self.facts.profile


def list_columns(session: Session) -> list[HierarchyColumn]:
    """List the columns of the specification."""
    return [
        HierarchyColumn(
            place=place,
            name=name,
            role=str(column["role"]),
            definition=found if isinstance(found := column.get("hierarchy"), dict) else {},
            facts=session.find_facts(name),
        )
        for place, (name, column) in enumerate(session.project.attributes.items())
    ]


def find_column(session: Session, place: str) -> HierarchyColumn:
    """Return the column that an address or a form names by its place."""
    columns = list_columns(session)
    if not place.isdecimal() or len(place) > 6 or int(place) >= len(columns):
        raise InvalidInput("there is no such column; choose one in the list")
    return columns[int(place)]


def find_linkable(session: Session, place: str) -> HierarchyColumn:
    """Return a quasi-identifier by its place."""
    found = find_column(session, place)
    if found.role != "quasi-identifier":
        raise InvalidInput(
            f"column {found.name!r} is not a quasi-identifier, so it has no hierarchy; change its "
            "role first"
        )
    return found


def find_rule(session: Session, column: HierarchyColumn) -> Hierarchy | None:
    """Return the present hierarchy of a column; nothing if it is not valid."""
    try:
        return build_rule(session.project, column.definition).rule
    except InvalidInput:
        return None


def define_hierarchy(
    session: Session, column: HierarchyColumn, definition: dict[str, Any], what: str
) -> None:
    """Change the hierarchy of a column in the specification."""
    text = set_field(session.project.text, ("attributes", column.name), "hierarchy", definition)
    session.change(text, f"{what} of {column.name}")
