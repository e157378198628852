"""ProposedHierarchy: a hierarchy for a column, with its reason and what to write down."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields

from lookalike.draft.column import ColumnProfile
from lookalike.draft.toml_text import quote_toml, write_value_as_toml
from lookalike.hierarchy import SUPPRESSED, Hierarchy, Listed, Suppress
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.html_table import write_html_notes

FileLine = tuple[str, ...]
"""A line of a hierarchy file: the value, then its label at each level."""
_LONGEST_NAME = 60


@dataclass(frozen=True)
class ProposedHierarchy(Discreet):
    """A hierarchy that is proposed for a column; its holder decides.

    Parameters
    ----------
    hierarchy
        The hierarchy; it knows, or suppresses, every value of the column.
    reason
        Why it is proposed, in one sentence without a value of the column.
    table
        The hierarchy as an inline table of a specification.
    lines
        For ``kind = "file"``, the lines of the file, to be written and edited.
    path
        For ``kind = "file"``, the path of the file in `table`.
    """

    hierarchy: Hierarchy
    reason: str
    table: str
    lines: tuple[FileLine, ...] = ()
    path: str = ""

    def _repr_html_(self) -> str:
        levels = f"{self.kind} hierarchy with {self.hierarchy.height:,} levels above the values."
        return write_html_notes(levels, self.reason)

    @property
    def kind(self) -> str:
        """The kind of hierarchy in `table`."""
        return "file" if self.lines else self.hierarchy.name

    @property
    def file_text(self) -> str:
        """The text of the file, every field in quotes."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerows(self.lines)
        return text.getvalue()


def propose_rule(hierarchy: Hierarchy, reason: str) -> ProposedHierarchy:
    """Propose a hierarchy that is a rule.

    Examples
    --------
    >>> propose_rule(Suppress(), "It has few values.").table
    '{ kind = "suppress" }'
    """
    return ProposedHierarchy(hierarchy, reason, write_inline_table(hierarchy))


def propose_file(
    column: ColumnProfile, lines: Sequence[FileLine], reason: str
) -> ProposedHierarchy:
    """Propose a hierarchy that is a file to edit, without levels that merge nothing.

    Examples
    --------
    >>> jobs = ColumnProfile("Job title", 3, ("cook", "waiter", "pilot"), (1, 1, 1), 3)
    >>> lines = [("cook", "service", "*"), ("waiter", "service", "*"), ("pilot", "pilot", "*")]
    >>> found = propose_file(jobs, lines, "Jobs.")
    >>> found.table, found.file_text.splitlines()[0]
    ('{ kind = "file", path = "Job-title-hierarchy.csv" }', '"cook";"service";"*"')
    """
    useful = find_useful_levels(lines)
    if not useful or len(lines) < column.distinct:
        return propose_rule(Suppress(), "No groups of its values are known.")
    kept = _distinguish([tuple(line[level] for level in (0, *useful, -1)) for line in lines])
    path = name_hierarchy_file(column.name)
    return ProposedHierarchy(
        hierarchy=Listed({line[0]: line for line in kept}),
        reason=reason,
        table=f'{{ kind = "file", path = {quote_toml(path)} }}',
        lines=tuple(kept),
        path=path,
    )


def _distinguish(lines: Sequence[FileLine]) -> list[FileLine]:
    """Rename groups that have the name of a value but contain others, too.

    Examples
    --------
    >>> _distinguish([("a", "a", "*"), ("b", "a", "*")])
    [('a', 'a (group)', '*'), ('b', 'a (group)', '*')]
    """
    values = {line[0] for line in lines}
    wider = {label for line in lines for label in line[1:] if label in values and label != line[0]}
    wider -= {SUPPRESSED}
    while wider & values:
        renamed = {label: f"{label} (group)" for label in wider}
        lines = [(one[0], *(renamed.get(label, label) for label in one[1:])) for one in lines]
        wider = set(renamed.values())
    return list(lines)


def note_lost(values: int, problem: str) -> str:
    """State how many values do not fit a proposal, if there are any.

    Examples
    --------
    >>> note_lost(1200, "cannot be read"), note_lost(0, "cannot be read")
    ('; 1,200 values cannot be read', '')
    """
    return f"; {number_of_values(values)} {problem}" if values else ""


def number_of_values(number: int) -> str:
    """Write a number of values.

    Examples
    --------
    >>> number_of_values(1), number_of_values(1200)
    ('1 value', '1,200 values')
    """
    return "1 value" if number == 1 else f"{number:,} values"


def name_hierarchy_file(column: str, what: str = "hierarchy") -> str:
    """Return a file name for the hierarchy or the map of a column, safe on every system."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", column).strip("-")[:_LONGEST_NAME]
    return f"{plain}-{what}.csv" if plain else f"{what}.csv"


def find_useful_levels(paths: Sequence[Sequence[str]]) -> list[int]:
    """Return the levels below the top that merge values and leave more than one.

    ``paths``: the labels of each value at every level, the value first and the top last.

    Examples
    --------
    >>> find_useful_levels([("a", "A", "A", "x", "*"), ("b", "A", "A", "x", "*"), ("c",) * 5])
    [1]
    """
    useful: list[int] = []
    finest = len(paths)
    for level in range(1, len(paths[0]) - 1 if paths else 0):
        labels = len({path[level] for path in paths})
        if 1 < labels < finest:
            useful.append(level)
            finest = labels
    return useful


_PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|, |[^",]|,')
"""A quoted text, a comma with its space, or another character."""
_COMMON = ("unknown", "suppression_level")
"""The fields of every kind, which are written last."""


def write_inline_table(hierarchy: Hierarchy) -> str:
    """Return a hierarchy as an inline table, without the fields that have their default.

    Examples
    --------
    >>> from lookalike.hierarchy import Dates, Intervals
    >>> print(write_inline_table(Dates(formats=["%d.%m.%Y"])))
    { kind = "dates", formats = ["%d.%m.%Y"] }
    >>> print(write_inline_table(Intervals([5, 10], top=90, unknown="suppress")))
    { kind = "intervals", widths = [5, 10], top = 90, unknown = "suppress" }
    """
    given = {
        field.name: getattr(hierarchy, field.name)
        for field in fields(hierarchy)
        if getattr(hierarchy, field.name) != field.default
    }
    given = {"kind": hierarchy.name, **given}
    ordered = sorted(given, key=lambda name: name in _COMMON)
    listed = ", ".join(f"{name} = {write_value_as_toml(given[name])}" for name in ordered)
    return f"{{ {listed} }}"


def fold_inline_table(table: str, width: int) -> str:
    """Break an inline table into lines, which TOML allows inside of lists only.

    Examples
    --------
    >>> print(fold_inline_table('{ kind = "dates", formats = ["%d, %m %Y", "%Y-%m-%d"] }', 42))
    { kind = "dates", formats = ["%d, %m %Y",
      "%Y-%m-%d"] }
    """
    lines, depth = [""], 0
    for part in _PARTS.findall(table):
        depth += {"[": 1, "]": -1}.get(part, 0)
        lines[-1] += part
        if part == ", " and depth:
            lines.append("")
    folded = [lines[0]]
    for line in lines[1:]:
        if len(folded[-1]) + len(line) <= width:
            folded[-1] += line
        else:
            folded.append(f"  {line}")
    return "\n".join(line.rstrip() for line in folded)
