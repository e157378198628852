"""Change one field of a TOML text and leave everything else as it is, comments included."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from lookalike.draft.write_toml import quote_key, write_value_as_toml
from lookalike.errors import InvalidInput

Path = tuple[str, ...]
"""The names of a table, from the outermost: ``("attributes", "zip")``."""


@dataclass(frozen=True)
class _Statement:
    """A statement of a TOML text: a header, a field with its value, or a comment or blank line."""

    first: int
    end: int
    table: Path
    key: str | None = None

    @property
    def is_field(self) -> bool:
        """Whether it is a field."""
        return self.key is not None


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; its fractions are exact decimals."""
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"this is not TOML: {error}") from None


def find_fields(text: str, *table: str) -> Mapping[str, Any]:
    """Return a table of a TOML text; empty if there is none, or something else in its place."""
    return _find(parse_toml(text), table)


def set_field(text: str, table: Path, field: str, value: Any) -> str:
    r"""Return a TOML text in which a field has another value; `None` removes the field.

    A comment that stands directly above a removed field goes with it.

    Raises
    ------
    InvalidInput
        If the text writes the field in a way that cannot be changed alone.

    Examples
    --------
    >>> print(set_field("[release]\nk = 2  # few\n", ("release",), "k", 5), end="")
    [release]
    k = 5
    """
    before = parse_toml(text)
    known = _find(before, table).get(field)
    if known == value and type(known) is type(value):  # 1 is one row, and 1.0 all of them
        return text
    changed = _write(text, table, field, value)
    if parse_toml(changed) != _replaced(before, table, field, value):
        raise InvalidInput(
            f"{'.'.join((*table, field))} is written in a way that the studio cannot change; "
            "change it in the text of the specification"
        )
    return changed


def _write(text: str, table: Path, field: str, value: Any) -> str:
    """Replace, insert or remove the lines of a field."""
    lines = text.splitlines()
    statements = [one for one in _split(lines) if one.table == table]
    found = next((one for one in statements if one.key == field), None)
    line = [] if value is None else [f"{quote_key(field)} = {write_inline(value)}"]
    if found is not None:
        first = found.first if line else _skip_comments(lines, found.first)
        lines[first : found.end] = line
    elif statements:
        lines[_find_end(statements) : _find_end(statements)] = line
    elif line:
        lines += ["", f"[{'.'.join(map(quote_key, table))}]", *line]
    return "\n".join(lines) + "\n"


def _find_end(statements: Sequence[_Statement]) -> int:
    """Return the line after the last field of a table, or after its header."""
    fields = [one.end for one in statements if one.is_field]
    return max(fields, default=statements[0].end)


def _skip_comments(lines: Sequence[str], first: int) -> int:
    """Return the line at which the comment directly above a line begins."""
    while first and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return first


def _split(lines: Sequence[str]) -> Iterator[_Statement]:
    """Yield the headers and fields of a text that is valid TOML, each with its table."""
    table: Path = ()
    first = 0
    while first < len(lines):
        end = _find_statement_end(lines, first)
        read = tomllib.loads("\n".join(lines[first:end]))
        if lines[first].lstrip().startswith("["):
            table = _read_path(read)
            yield _Statement(first, end, table)
        elif read:
            yield _Statement(first, end, table, next(iter(read)))
        first = end


def _find_statement_end(lines: Sequence[str], first: int) -> int:
    """Return the line after a statement: the fewest lines that are valid TOML."""
    for end in range(first + 1, len(lines) + 1):
        try:
            tomllib.loads("\n".join(lines[first:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return len(lines)


def _read_path(header: Mapping[str, Any]) -> Path:
    """Return the names of a header."""
    names: list[str] = []
    inner: Any = header
    while inner and isinstance(inner, Mapping):
        [(name, inner)] = inner.items()
        names.append(name)
    return tuple(names)


def _find(fields: Mapping[str, Any], table: Path) -> Mapping[str, Any]:
    """Return a table of a specification, empty if there is none."""
    for name in table:
        inner = fields.get(name, {})
        fields = inner if isinstance(inner, Mapping) else {}
    return fields


def _replaced(fields: Mapping[str, Any], table: Path, field: str, value: Any) -> dict[str, Any]:
    """Return the tables of a specification with another value of a field."""
    if table:
        inner = _find(fields, table[:1])
        return {**fields, table[0]: _replaced(inner, table[1:], field, value)}
    rest = {name: one for name, one in fields.items() if name != field}
    return rest if value is None else {**rest, field: value}


def write_inline(value: Any) -> str:
    """Write a value on one line of TOML: also a table, and an exact decimal.

    Examples
    --------
    >>> write_inline({"distinct": 2, "share": Decimal("0.5")})
    '{ distinct = 2, share = 0.5 }'
    """
    if isinstance(value, Mapping):
        fields = (f"{quote_key(name)} = {write_inline(one)}" for name, one in value.items())
        return f"{{ {', '.join(fields)} }}"
    if isinstance(value, Decimal):
        return f"{value:f}" if "." in f"{value:f}" else f"{value:f}.0"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(write_inline, value))}]"
    return write_value_as_toml(value)
