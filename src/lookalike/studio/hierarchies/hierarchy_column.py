"""HierarchyColumn: a quasi-identifier whose hierarchy is shown and edited."""

from dataclasses import dataclass
from typing import Any

from lookalike.draft.column import ColumnProfile
from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.hierarchies.column_rule import build_rule
from lookalike.studio.hierarchies.definition_fields import find_form_kind
from lookalike.studio.session import Session
from lookalike.studio.table_facts import ColumnFacts


@dataclass(frozen=True)
class HierarchyColumn(Discreet):
    """A column of the specification.

    Parameters
    ----------
    place
        Its place among the columns of the specification, by which addresses name it.
    name
        Its name.
    role
        Its role.
    definition
        Its ``hierarchy`` table; empty if it has none.
    facts
        What is known of its values; `None` if they were not read.
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
            definition=_find_table(column.get("hierarchy")),
            facts=session.find_facts(name),
        )
        for place, (name, column) in enumerate(session.project.attributes.items())
    ]


def _find_table(hierarchy: Any) -> dict[str, Any]:
    """Return a hierarchy if it is a table."""
    return hierarchy if isinstance(hierarchy, dict) else {}


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
