"""A column whose hierarchy is edited: its rule, its tree, and what its form begins with."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from lookalike.draft.column import ColumnProfile
from lookalike.draft.numbers import read_column_numbers
from lookalike.draft.preview_hierarchy import USUAL_K
from lookalike.draft.propose_dates import propose_dates
from lookalike.draft.propose_intervals import propose_intervals
from lookalike.draft.propose_mask import propose_mask
from lookalike.draft.proposed_hierarchy import ProposedHierarchy
from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import SUPPRESSED, File, Hierarchy, Intervals
from lookalike.hierarchy.discreet import Discreet
from lookalike.search.methods import TAKES
from lookalike.spec.specification import Specification
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.editing.project import ColumnPath, Project, name_column
from lookalike.studio.hierarchies import edit_tree
from lookalike.studio.hierarchies.definition_fields import find_form_kind, read_definition
from lookalike.studio.hierarchies.edit_tree import TreeNodes
from lookalike.studio.hierarchies.interval_bounds import cut_alike, find_starts, write_starts
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
    path: ColumnPath
    role: str
    definition: dict[str, Any]
    facts: ColumnFacts | None

    @property
    def name(self) -> str:
        """Its name; of a table with records, behind the name of the table."""
        return name_column(self.path)

    @property
    def kind(self) -> str:
        """The kind of its hierarchy in the form."""
        return find_form_kind(self.definition)

    @property
    def proposal(self) -> dict[str, Any]:
        """The hierarchy that was proposed for it; empty if there is none."""
        return {} if self.facts is None else self.facts.definition

    @property
    def profile(self) -> ColumnProfile | None:
        """Its values, if they are known."""
        return None if self.facts is None else self.facts.profile


def list_columns(session: Session) -> list[HierarchyColumn]:
    """List the columns of the specification."""
    return [
        HierarchyColumn(
            place=place,
            path=path,
            role=str(column["role"]),
            definition=found if isinstance(found := column.get("hierarchy"), dict) else {},
            facts=session.find_facts(path),
        )
        for place, (path, column) in enumerate(session.project.columns.items())
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
    text = set_field(session.project.text, column.path, "hierarchy", definition)
    session.change(text, f"{what} of {column.name}")


MOST_LEAVES = 2_000
"""The most values of a tree that is edited here and kept in the specification."""
MOST_DEPTH = 100
"""The most levels of such a tree; from about 250 on, a page cannot nest them."""
MOST_PROPOSED = 10_000
"""How many values of a column a proposal looks at, the most frequent ones."""
_PROPOSALS: Mapping[str, Callable[[ColumnProfile], ProposedHierarchy | None]] = {
    "mask": propose_mask,
    "dates": propose_dates,
    "intervals": propose_intervals,
}


def start_definition(session: Session, column: HierarchyColumn, kind: str) -> dict[str, Any]:
    """Return the definition with which a form of a kind begins.

    A tree and bounds are taken from the present hierarchy, if it is valid.
    """
    profile, rule = column.profile, find_rule(session, column)
    if kind == "file":
        raise Refused({"path": "choose a file of this folder"})
    if kind == "taxonomy":
        return {"kind": "taxonomy", "tree": edit_tree.write_tree(plant_hierarchy(profile, rule))}
    if profile is None or not profile.values:
        return _USUAL[kind]
    if kind == "ranges":
        return _start_ranges(profile, rule)
    few = replace(
        profile, values=profile.values[:MOST_PROPOSED], counts=profile.counts[:MOST_PROPOSED]
    )
    return _propose(kind, few) or _USUAL[kind]


_USUAL: Mapping[str, dict[str, Any]] = {
    "mask": {"kind": "mask"},
    "dates": {"kind": "dates"},
    "intervals": {"kind": "intervals", "widths": [10, 100]},
    "ranges": {"kind": "intervals", "ranges": [[[0, 49], [50, 99]]]},
    "rounding": {"kind": "rounding", "bases": [10, 100]},
    "suppress": {"kind": "suppress"},
}


def _propose(kind: str, profile: ColumnProfile) -> dict[str, Any] | None:
    """Return the definition that is proposed for the values, if it is of this kind."""
    try:
        found = _PROPOSALS[kind](profile) if kind in _PROPOSALS else None
    except InvalidInput:
        return None
    if found is None or found.kind != kind:
        return None
    definition: dict[str, Any] = parse_toml(f"hierarchy = {found.table}")["hierarchy"]
    return None if "ranges" in definition else definition


def _start_ranges(profile: ColumnProfile, rule: Hierarchy | None) -> dict[str, Any]:
    """Return listed ranges with the bounds of the present intervals, or at the quarters."""
    numbers = read_column_numbers(profile)
    if not numbers.units:
        return _USUAL["ranges"]
    places, last = numbers.decimals, numbers.units[-1]
    starts: tuple[tuple[int, ...], ...] = ()
    if isinstance(rule, Intervals):
        places = max(rule.decimals, numbers.decimals)
        last *= 10 ** (places - numbers.decimals)
        starts = tuple(level for level in find_starts(rule, numbers, places) if level)
    if not starts:
        quarters = [numbers.quantile(share) for share in (0.25, 0.5, 0.75)]
        lowest = numbers.units[0]
        starts = (tuple(sorted({lowest, *quarters})), tuple(sorted({lowest, quarters[1]})))
    given = {"starts": write_starts(cut_alike(starts), places), "decimals": str(places)}
    return read_definition("ranges", {**given, "last": write_starts([[last]], places)})


def plant_hierarchy(profile: ColumnProfile | None, rule: Hierarchy | None) -> TreeNodes:
    """Return the tree of a hierarchy over the values that it lists and those of the column.

    Without a hierarchy, all values stand under the suppressed value. Values that the hierarchy
    does not know are left out.
    """
    values = () if profile is None else sorted(profile.values)
    listed = [*dict.fromkeys((*(rule.domain() if rule is not None else ()), *values))]
    if not listed:
        raise InvalidInput("the values of this column are not known; profile the table under Data")
    if len(listed) > MOST_LEAVES:
        raise InvalidInput(
            f"a tree is edited here for up to {MOST_LEAVES:,} values, and this column has "
            f"{len(listed):,}; export the hierarchy, edit the file elsewhere, and import it"
        )
    if rule is None:
        return edit_tree.plant_tree([(value, SUPPRESSED) for value in listed])
    fitted, paths = rule.fit(values), []
    _require_low(fitted.height)
    for value in listed:
        with suppress(UnknownValue):
            paths.append(fitted.ancestors(value))
    return edit_tree.plant_tree(paths or [(value, SUPPRESSED) for value in listed])


def find_tree(session: Session, column: HierarchyColumn) -> TreeNodes:
    """Return the tree of a taxonomy, or the one that another hierarchy becomes when edited."""
    rule = find_rule(session, column)
    if column.definition.get("kind") != "taxonomy":
        try:
            rule = None if isinstance(rule, File) and not rule.listing else rule
        except InvalidInput:  # a file that cannot be read
            rule = None
        return plant_hierarchy(column.profile, rule)
    nodes = edit_tree.read_tree(column.definition.get("tree"))
    _require_low(max((len(spot) for spot, _ in edit_tree.walk_nodes(nodes)), default=1) - 1)
    if len(edit_tree.list_leaves(nodes)) > MOST_LEAVES:
        raise InvalidInput(
            f"a tree with more than {MOST_LEAVES:,} values is not edited here; export the "
            "hierarchy, edit the file elsewhere, and import it"
        )
    return nodes


def _require_low(height: int) -> None:
    """Raise if a tree has too many levels to be edited."""
    if height > MOST_DEPTH:
        raise InvalidInput(
            f"a tree is edited here for up to {MOST_DEPTH:,} levels, and this one has {height:,}; "
            "give the hierarchy fewer levels first"
        )


def define_tree(column: HierarchyColumn, nodes: TreeNodes) -> dict[str, Any]:
    """Return the definition of a taxonomy; of another kind it keeps what is done with unknowns."""
    kept = ("unknown", "suppression_level") if column.kind == "taxonomy" else ("unknown",)
    own = {name: column.definition[name] for name in kept if name in column.definition}
    return {"kind": "taxonomy", "tree": edit_tree.write_tree(nodes), **own}
