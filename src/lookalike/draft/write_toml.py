"""Write a drafted specification as commented TOML. The comments show no value of the table."""

import os
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lookalike.draft.proposed_column import ProposedColumn
from lookalike.draft.toml_text import escape_character, quote_key, quote_toml, write_value_as_toml
from lookalike.hierarchy import Dates
from lookalike.hierarchy.dates import DAY
from lookalike.search.lattice.constraints import QUANTITIES, Constraint
from lookalike.spec.columns import ColumnRules
from lookalike.spec.fields import Attribute
from lookalike.spec.model import DATE
from lookalike.spec.presets import AUDIENCES, describe_k

if TYPE_CHECKING:
    from lookalike.draft.draft import Draft

COMMENT_WIDTH = 100
DRAFTED_METHOD = "mingen-cells"
MAX_SUPPRESSED = "0.01"
HEAD_OF_DRAFT = (
    "Drafted by lookalike init. Review every role: the table shows what its columns look like, "
    "but only its holder knows what others know. Comments hold figures and no value of the table."
)
_DOSSIER = "a folder for the holder alone: a report with the risk before and after"
NOT_LINKABLE = (
    "No column is a quasi-identifier: give that role to each column that others know, such as "
    '"age" or "zip", before a release.'
)
_SEVERAL = (
    'To decide on several columns with role "?" at once, remove their tables and write one for a '
    'pattern, such as [attributes."q_*"], or [defaults] for all columns without a table.'
)
_PRESETS = "in place of k, " + ", ".join(
    f'preset = "{preset}" asks for what suits {audience}' for audience, preset in AUDIENCES.values()
)
ALIKE = (
    "dates are released as YYYY-MM-DD, or less precisely, however the table writes them; without "
    "a constraint, some rows would keep the form and the time of day of the table"
)
_STRICT = (
    "Sensitive columns below are protected as far as that costs little: every class shows two of "
    "their values. With "
    '"search", classes are chosen for that, so that somebody who knows the method and the '
    'quasi-identifier of everybody may conclude more than a class shows. "blind" rules that out, '
    "but refuses the whole release if one class fails (docs/secrecy.md)."
)


_KNOWS_ANSWERS = (
    "if an answer of a person may be known: values of answers that fewer than k_answers "
    "rows of a class show are left out there. Few are left out where classes are large, such as "
    "with k = 100"
)


def write_toml(draft: "Draft", folder: Path | None) -> Iterator[str]:
    """Yield the lines of a specification, as commented TOML."""
    columns = draft.columns
    yield from write_comment(HEAD_OF_DRAFT)
    yield from write_comment(f"The table has {draft.rows:,} rows and {len(columns):,} columns.")
    if not is_linkable(columns):
        yield from write_comment(NOT_LINKABLE)
    if len(draft.undecided) > 1:
        yield from write_comment(_SEVERAL)
    yield from ("", *write_source(draft, folder, "source"), *_write_release(draft))
    yield from write_roles(draft, "attributes")


def write_roles(draft: "Draft", table: str) -> Iterator[str]:
    """Yield the lines of the columns; ``table``: the TOML table that they are in."""
    for column in draft.columns:
        if column.block is None:
            yield from ("", *_write_column(column, table))
    yield from _write_answers(draft, table)


def _write_answers(draft: "Draft", table: str) -> Iterator[str]:
    """Yield the rules of answers: a pattern for a block if the names have one, or a line for each.

    A pattern stands for no other column, since all others are named.
    """
    inside = [(one, one.block) for one in draft.columns if one.block is not None]
    if not inside:
        return
    patterns = {block.pattern for _, block in inside if block.pattern}
    rules, listed = ColumnRules({one: Attribute(role="other") for one in patterns}), list[str]()
    groups, missing = defaultdict[str, list[str]](list), dict[str, str]()
    for column, block in inside:
        own = column.missing is None and rules.find_keys(column.name) == [block.pattern]
        groups[block.pattern if own else ""].append(column.name)
        if column.missing is not None:
            missing[column.name] = f", missing = {write_value_as_toml(column.missing)}"
    yield from ("", *write_comment(draft.answers))
    for pattern, names in groups.items():
        if pattern:
            yield from ("", *write_comment(f"{len(names):,} answers, {names[0]} … {names[-1]}"))
            yield from (f"[{table}.{quote_key(pattern)}]", 'role = "other"')
        else:
            listed = names
    if listed:
        yield from ("", *write_comment(f"{len(listed):,} answers"), f"[{table}]")
        for name in listed:
            yield f'{quote_key(name)} = {{ role = "other"{missing.get(name, "")} }}'


def is_linkable(columns: Sequence[ProposedColumn]) -> bool:
    """Return whether some column is a quasi-identifier, or is one if nobody decides."""
    return any(column.stricter == "quasi-identifier" for column in columns)


def write_source(draft: "Draft", folder: Path | None, table: str) -> Iterator[str]:
    """Yield the lines of ``[source]``, or of another table that says what is read."""
    source, remarks = draft.source, draft.remarks
    if not source and not remarks:
        return
    yield f"[{table}]"
    for name in dict.fromkeys((*source, *remarks)):
        yield from write_comment(remarks.get(name, ""))
        if name in source:
            value = source[name]
            if name == "path" and folder is not None:
                value = Path(os.path.relpath(value, folder)).as_posix()
            yield f"{name} = {write_value_as_toml(value)}"
    yield ""


def _write_release(draft: "Draft") -> Iterator[str]:
    """Yield the lines of ``[release]``."""
    yield "[release]"
    yield from write_comment(describe_k(draft.k) + ("" if draft.preset else f"; {_PRESETS}"))
    for name, value in draft.requirement.items():
        yield f"{name} = {write_value_as_toml(value)}"
    yield f"max_suppressed = {MAX_SUPPRESSED}"
    yield f'method = "{DRAFTED_METHOD}"'
    yield 'objective = "loss"'
    if bounds := bound_days(draft.columns):
        yield from write_comment(ALIKE)
        yield f"constraints = {write_value_as_toml(bounds)}"
    if any(column.role == "sensitive" and column.protect for column in draft.columns):
        yield from write_comment(_STRICT)
        yield 'secrecy = "search"'
    if any(column.block is not None for column in draft.columns):
        yield from write_comment(_KNOWS_ANSWERS)
        yield from write_comment("knows_answers = 1")
        yield from write_comment(f"k_answers = {draft.k}")
    table = draft.source.get("path") or draft.source.get("table", "").rpartition(".")[2]
    if table:
        yield from write_places(name_release(table), ", and a proof of the bound on precision")


def write_places(name: str, proof: str = "") -> Iterator[str]:
    """Yield the lines that say where the release goes, and where the documents of its holder."""
    yield f"out = {quote_toml(f'released/{DATE}/{name}.csv')}"
    yield from write_comment(_DOSSIER + proof)
    yield f"dossier = {quote_toml(f'private/{DATE}/{name}')}"


def bound_days(columns: Sequence[ProposedColumn]) -> list[str]:
    """Return the constraints that release the dates of each column in one form."""
    return [text for column in columns if (text := _bound_days(column))]


def _bound_days(column: ProposedColumn) -> str | None:
    """Return the constraint that releases the dates of a column in one form, if it needs one."""
    rule = None if column.hierarchy is None else column.hierarchy.hierarchy
    text = f"{column.name} >= 1"
    if not isinstance(rule, Dates) or rule.steps[0] != DAY:
        return None
    return text if Constraint.parse(text).quantity == column.name not in QUANTITIES else None


def name_release(path: str) -> str:
    """Return the name of a table without the suffixes of its file.

    Examples
    --------
    >>> name_release("data/visits.csv.gz"), name_release("data/visits-*.csv")
    ('visits', 'visits')
    """
    stem = Path(path).name.split(".")[0]
    return re.sub(r"[^\w -]+", "", stem).strip("-_ ") or "table"


def _write_column(column: ProposedColumn, table: str) -> Iterator[str]:
    """Yield the lines of a column."""
    if column.undecided:
        yield from write_comment(f"decide: {column.reason}; with --yes {column.stricter}")
    else:
        yield from write_comment(column.reason)
    figures = column.figures
    yield from write_comment(
        f"{figures.distinct:,} distinct values, {100 * figures.distinct_share:.1f} % of the rows "
        f"with a value; {100 * figures.missing_share:.1f} % missing"
    )
    yield f"[{table}.{quote_key(column.name)}]"
    yield f'role = "{column.role}"'
    if column.map is not None:
        yield from write_comment(
            f"{column.map.comment}; without this line, values stay as they are"
        )
        yield f"map = {column.map.table}"
    if column.missing is not None:
        yield from write_comment("the texts that stand for a missing value in this column")
        yield f"missing = {write_value_as_toml(column.missing)}"
    if column.zero_pad is not None:
        yield from write_comment(
            "restores leading zeros; without this line, codes are released as they are"
        )
        yield f"zero_pad = {column.zero_pad}"
    if column.weight > 1:
        yield f"weight = {column.weight}"
    if column.hierarchy is not None:
        yield from write_comment(column.hierarchy.reason)
        yield f"hierarchy = {column.hierarchy.table}"
    if column.role == "sensitive" and column.protect:
        yield from write_comment(
            f"best effort: two values in every class, of which one may have nearly all rows; "
            f"{100 * figures.largest_share:.1f} % of the rows with a value have the most "
            "frequent one, and share = 0.8 would bound its share in every class"
        )
        yield "protect = { distinct = 2 }"


def write_comment(text: str) -> list[str]:
    """Return a text as lines of a comment; unprintable characters are escaped."""
    shown = "".join(escape_character(one, {}) for one in text)
    return [f"# {line}" for line in textwrap.wrap(shown, COMMENT_WIDTH - 2)]
