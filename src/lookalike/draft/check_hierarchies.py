"""Check the hierarchies of a specification against the values of its table."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lookalike.draft.column import ColumnProfile, count_specified
from lookalike.draft.preview_hierarchy import bind_column
from lookalike.draft.proposed_hierarchy import number_of_values
from lookalike.errors import InvalidInput, leave_out, name_some, suggest
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.risk.finding import Severity
from lookalike.search.cells.ambiguous_labels import list_ambiguous
from lookalike.search.methods import TAKES
from lookalike.spec.choose_method import names_method
from lookalike.spec.specification import Specification


@dataclass(frozen=True)
class HierarchyFinding(Discreet, JsonResult):
    """What was found about the hierarchy of a column.

    ``severity``: with an error, the table cannot be released; a warning should be read.
    ``message``: what was found, and the remedy; it may name up to five values of the column.
    ``named``: the part of the message that names them.
    """

    json_names = "severity message=discreet"

    severity: Severity
    message: str
    named: str = ""

    @property
    def discreet(self) -> str:
        """The message without the values that it names."""
        return leave_out(self.message, self.named)


@dataclass(frozen=True)
class HierarchyCheck(Discreet, JsonResult):
    """The hierarchy of a column, checked against the values of the column."""

    json_names = "column kind values holds findings"

    column: str
    kind: str
    values: int
    findings: tuple[HierarchyFinding, ...]

    @property
    def holds(self) -> bool:
        """Whether no error was found."""
        return all(one.severity != "error" for one in self.findings)


def find_hierarchy(specification: Specification, column: str) -> Hierarchy:
    """Return the hierarchy of a column, whatever its role; refuse a column without one."""
    if column not in specification.attributes:
        near = suggest(column, specification.attributes)
        raise InvalidInput(
            f"the specification has no column {column!r}; "
            f"{near or 'its columns are ' + ', '.join(map(repr, specification.attributes))}"
        )
    hierarchy = specification.attributes[column].hierarchy
    if hierarchy is None:
        raise InvalidInput(
            f"column {column!r} has no hierarchy; see lookalike hierarchy propose for one"
        )
    return hierarchy


def check_hierarchies(
    specification: Specification, column: str | None = None
) -> tuple[HierarchyCheck, ...]:
    """Bind each hierarchy of a specification to the values of its column, also of records."""
    given = specification.attributes
    named = [name for name, one in given.items() if one.hierarchy is not None]
    columns = named if column is None else [column]
    rules = [find_hierarchy(specification, name) for name in columns]
    profiles = count_specified(specification, columns)
    checks = []
    for rule, profile in zip(rules, profiles, strict=True):
        findings = tuple(_find(specification, profile, rule))
        checks.append(HierarchyCheck(profile.name, rule.name, profile.distinct, findings))
    for name, table in specification.records.items() if column is None else ():
        own = {"source": table.reading, "attributes": table.attributes, "records": {}}
        found = check_hierarchies(specification.model_copy(update=own))
        checks += [replace(one, column=f"{name}.{one.column}") for one in found]
    return tuple(checks)


def _find(
    specification: Specification, column: ColumnProfile, rule: Hierarchy
) -> Iterator[HierarchyFinding]:
    """Yield what is wrong with a hierarchy, or may be."""
    try:
        bound = bind_column(column, rule, specification.release.suppressed_label)
    except InvalidInput as problem:
        yield HierarchyFinding("error", str(problem), problem.named)
        return
    yield from judge_bound(specification, column, rule, bound)


def judge_bound(
    specification: Specification, column: ColumnProfile, rule: Hierarchy, bound: BoundHierarchy
) -> Iterator[HierarchyFinding]:
    """Yield what may be wrong with a hierarchy that was bound to the values of its column."""
    yield from _find_unknown(column, bound)
    yield from _find_collisions(specification, bound)
    idle = [
        level for level in range(1, bound.height + 1) if bound.size(level) == bound.size(level - 1)
    ]
    if idle:
        named = ", ".join(map(str, idle))
        levels = f"level {named} merges" if len(idle) == 1 else f"levels {named} merge"
        yield HierarchyFinding(
            "note",
            f"{levels} no values of this table; leave out what is not needed, because more levels "
            "make the other steps count less",
        )
    unused = len(set(rule.domain()) - set(column.values))
    if unused:
        yield HierarchyFinding(
            "note", f"listed in the hierarchy, but not in this table: {number_of_values(unused)}"
        )


def _find_unknown(column: ColumnProfile, bound: BoundHierarchy) -> Iterator[HierarchyFinding]:
    """Find values that the hierarchy suppresses because it does not know them."""
    places = [place for place, code in enumerate(bound.ground) if code == bound.unknown]
    if places:
        rows = sum(column.counts[place] for place in places)
        named = name_some(sorted(column.values[place] for place in places))
        yield HierarchyFinding(
            "warning",
            f"{number_of_values(len(places))} that the hierarchy does not know, in {rows:,} of "
            f"{column.rows:,} rows, would be suppressed at every level: {named}; add them to the "
            "hierarchy, or correct them in the table",
            named,
        )


def _find_collisions(
    specification: Specification, bound: BoundHierarchy
) -> Iterator[HierarchyFinding]:
    """Find labels with different meanings at different levels."""
    labels = list_ambiguous(bound, range(bound.height + 1))
    if labels:
        method, named = specification.release.method, name_some(labels)
        refuses = names_method(specification) and TAKES[method].cells
        yield HierarchyFinding(
            "error" if refuses else "warning",
            f"labels have different meanings at different levels: {named}; write "
            "them differently, because "
            f"{f'method {method}' if refuses else 'a method that works by cells'} refuses them",
            named,
        )
