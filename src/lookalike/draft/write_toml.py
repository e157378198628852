"""Write a drafted specification as commented TOML. The comments show no value of the table."""

import os
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lookalike.draft.proposed_column import ProposedColumn
from lookalike.errors import InvalidInput

COMMENT_WIDTH = 100
DRAFTED_METHOD = "mingen-cells"
MAX_SUPPRESSED = "0.01"
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_HEAD = (
    "Drafted by lookalike init. Review every role: the table shows what its columns look like, "
    "but only its holder knows what others know. Comments hold figures and no value of the table."
)
_DOSSIER = (
    "a folder for the holder alone: a report with the risk before and after, and a proof of the "
    "bound on precision"
)
NOT_LINKABLE = (
    "No column is a quasi-identifier: give that role to each column that others know, such as "
    '"age" or "zip", before a release.'
)
_SEVERAL = (
    'To decide on several columns with role "?" at once, remove their tables and write one for a '
    'pattern, such as [attributes."q_*"], or [defaults] for all columns without a table.'
)
_STRICT = (
    "Sensitive columns below are protected as far as that costs little: every class shows two of "
    "their values. With "
    '"search", classes are chosen for that, so that somebody who knows the method and the '
    'quasi-identifier of everybody may conclude more than a class shows. "blind" rules that out, '
    "but refuses the whole release if one class fails (docs/secrecy.md)."
)


def write_toml(
    columns: Sequence[ProposedColumn],
    source: Mapping[str, Any],
    remarks: Mapping[str, str],
    requirement: Mapping[str, int | str],
    folder: Path | None,
) -> str:
    """Return a specification as commented TOML."""
    rows = columns[0].profile.rows if columns else 0
    lines = [
        *_comment(_HEAD),
        *_comment(f"The table has {rows:,} rows and {len(columns):,} columns."),
        *([] if is_linkable(columns) else _comment(NOT_LINKABLE)),
        *(_comment(_SEVERAL) if sum(column.undecided for column in columns) > 1 else []),
        "",
        *_write_source(source, remarks, folder),
        *_write_release(columns, source, requirement),
    ]
    for column in columns:
        lines += ["", *_write_column(column)]
    return "\n".join(lines) + "\n"


def is_linkable(columns: Sequence[ProposedColumn]) -> bool:
    """Return whether some column is a quasi-identifier, or is one if nobody decides."""
    return any(column.stricter == "quasi-identifier" for column in columns)


def _write_source(
    source: Mapping[str, Any], remarks: Mapping[str, str], folder: Path | None
) -> Iterator[str]:
    """Yield the lines of ``[source]``."""
    if not source and not remarks:
        return
    yield "[source]"
    for name in dict.fromkeys((*source, *remarks)):
        yield from _comment(remarks.get(name, ""))
        if name in source:
            value = source[name]
            if name == "path" and folder is not None:
                value = relative_path(value, folder)
            yield f"{name} = {write_value_as_toml(value)}"
    yield ""


def relative_path(path: str, folder: Path) -> str:
    """Return a path as seen from a folder."""
    return Path(os.path.relpath(path, folder)).as_posix()


def _write_release(
    columns: Sequence[ProposedColumn],
    source: Mapping[str, Any],
    requirement: Mapping[str, int | str],
) -> Iterator[str]:
    """Yield the lines of ``[release]``."""
    yield "[release]"
    for name, value in requirement.items():
        yield f"{name} = {write_value_as_toml(value)}"
    yield f"max_suppressed = {MAX_SUPPRESSED}"
    yield f'method = "{DRAFTED_METHOD}"'
    if any(column.role == "sensitive" and column.protect for column in columns):
        yield from _comment(_STRICT)
        yield 'secrecy = "search"'
    if "path" in source:
        name = name_release(source["path"])
        yield f"out = {quote_toml(f'released/{name}.csv')}"
        yield from _comment(_DOSSIER)
        yield f"dossier = {quote_toml(f'private/{name}')}"


def name_release(path: str) -> str:
    """Return the name of a table without the suffixes of its file.

    Examples
    --------
    >>> name_release("data/visits.csv.gz"), name_release("data/visits-*.csv")
    ('visits', 'visits')
    """
    stem = Path(path).name.split(".")[0]
    return re.sub(r"[^\w -]+", "", stem).strip("-_ ") or "table"


def _write_column(column: ProposedColumn) -> Iterator[str]:
    """Yield the lines of a column."""
    if column.undecided:
        yield from _comment(f"decide: {column.reason}; with --yes {column.stricter}")
    else:
        yield from _comment(column.reason)
    yield from _comment(describe_figures(column))
    yield f"[attributes.{quote_key(column.name)}]"
    yield f'role = "{column.role}"'
    if column.missing is not None:
        yield from _comment("the texts that stand for a missing value in this column")
        yield f"missing = {write_value_as_toml(column.missing)}"
    if column.zero_pad is not None:
        yield from _comment(
            "restores leading zeros; without this line, codes are released as they are"
        )
        yield f"zero_pad = {column.zero_pad}"
    if column.hierarchy is not None:
        yield from _comment(column.hierarchy.reason)
        yield f"hierarchy = {column.hierarchy.table}"
    if column.role == "sensitive" and column.protect:
        yield from _comment(
            f"best effort: two values in every class, of which one may have nearly all rows; "
            f"{100 * column.figures.largest_share:.1f} % of the rows with a value have the most "
            "frequent one, and share = 0.8 would bound its share in every class"
        )
        yield "protect = { distinct = 2 }"


def describe_figures(column: ProposedColumn) -> str:
    """Write how many distinct values a column has, and how many rows have none."""
    figures = column.figures
    return (
        f"{figures.distinct:,} distinct values, {100 * figures.distinct_share:.1f} % of the rows "
        f"with a value; {100 * figures.missing_share:.1f} % missing"
    )


def _comment(text: str) -> list[str]:
    """Return a text as lines of a comment; unprintable characters are escaped."""
    shown = "".join(_escape(one, _UNPRINTABLE_ONLY) for one in text)
    return [f"# {line}" for line in textwrap.wrap(shown, COMMENT_WIDTH - 2)]


_UNPRINTABLE_ONLY: Mapping[str, str] = {}


def quote_key(name: str) -> str:
    r"""Write a column's name as a TOML key.

    Examples
    --------
    >>> print(quote_key("zip"), quote_key('a "b"\n'))
    zip "a \"b\"\n"
    """
    return name if _BARE.fullmatch(name) else quote_toml(name)


def quote_toml(text: str) -> str:
    """Write a text as a TOML string; characters that do not print are escaped."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(
            "a column name has characters that no file can hold; rename the column"
        ) from None
    return '"' + "".join(_escape(one, _ESCAPES) for one in text) + '"'


def _escape(one: str, named: Mapping[str, str]) -> str:
    """Return a character of a TOML text, escaped if it does not print."""
    if one in named:
        return named[one]
    if one.isprintable():
        return one
    return f"\\u{ord(one):04X}" if ord(one) < 0x10000 else f"\\U{ord(one):08X}"


def write_value_as_toml(value: Any) -> str:
    """Write a text, a truth value, a number or a list of texts as TOML."""
    if isinstance(value, str):
        return quote_toml(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return f"[{', '.join(write_value_as_toml(one) for one in value)}]"
