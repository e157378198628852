"""Change one field of a TOML text and leave everything else as it is, comments included."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any

from lookalike.draft.toml_text import quote_key, write_value_as_toml
from lookalike.errors import InvalidInput

Path = tuple[str, ...]
"""The names of a table, from the outermost: ``("attributes", "zip")``."""
_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|"(?:\\.|[^"\\])*"'
    r"|'{3}.*?'{3,5}|'[^']*'"
    r"""|\#[^\n]*|[][{},=]|\s+|[^][{},=\s"'#]+""",
    re.DOTALL,
)
"""The parts of a statement that is valid TOML; a text or a comment is one part."""


@dataclass
class _Element:
    """An element of an array or inline table as it is written, with the comments about it."""

    text: str = ""
    above: list[str] = field(default_factory=list)
    behind: str = ""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text, for the caller to change; its fractions are decimals."""
    return deepcopy(_parse(text))


@lru_cache(maxsize=8)  # one page reads the same text many times
def _parse(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text, for nobody to change."""
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"this is not TOML: {error}") from None


def find_fields(text: str, *table: str) -> Mapping[str, Any]:
    """Return a table of a TOML text; empty if there is none, or something else in its place."""
    return find_place(parse_toml(text), table)


def set_field(text: str, table: Path, key: str, value: Any) -> str:
    r"""Return a TOML text in which a field has another value; `None` removes the field.

    Comments behind the field stay, and those about elements of an array that stay. A comment that
    stands behind or directly above a removed field or element goes with it.

    Raises
    ------
    InvalidInput
        If the text writes the field in a way that cannot be changed alone.

    Examples
    --------
    >>> print(set_field("[release]\nk = 2  # few\n", ("release",), "k", 5), end="")
    [release]
    k = 5  # few
    """
    before = parse_toml(text)
    known = find_place(before, table).get(key)
    if known == value and type(known) is type(value):  # 1 is one row, and 1.0 all of them
        return text
    changed = _write(text, table, key, value)
    if parse_toml(changed) != _replaced(before, table, key, value):
        raise InvalidInput(
            f"{'.'.join((*table, key))} is written in a way that the studio cannot change; "
            "change it in the text of the specification"
        )
    return changed


def _write(text: str, table: Path, key: str, value: Any) -> str:
    """Replace, insert or remove the lines of a field."""
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    split = [*_split(lines)]
    if any((*one[0], one[1]) == table and _is_inline(lines[one[2]]) for one in split):
        inline = {**find_fields(text, *table), key: value}
        kept = {name: one for name, one in inline.items() if one is not None}
        return _write(text, table[:-1], table[-1], kept)
    statements = [one[1:] for one in split if one[0] == table]
    found = next(((first, end) for name, first, end in statements if name == key), None)
    line = [] if value is None else [f"{quote_key(key)} = {write_inline(value)}"]
    if found is not None:
        first, end = found
        if line:
            written = "\n".join(lines[first:end])
            line = [f"{quote_key(key)} = {_replace(written, value)}"]
        while not line and first and lines[first - 1].lstrip().startswith("#"):
            first -= 1  # the comment directly above goes with the field
        lines[first:end] = line
    elif statements:
        fields = [end for name, _, end in statements if name is not None]
        end = max(fields, default=statements[0][2])
        lines[end:end] = line
    elif line:
        lines += ["", f"[{'.'.join(map(quote_key, table))}]", *line]
    return "\n".join(lines) + "\n"


def _is_inline(statement: str) -> bool:
    """Return whether a statement begins an inline table."""
    return _take_value(statement).startswith("{")


def _replace(statement: str, value: Any) -> str:
    """Return what stands behind the ``=`` of a field after its value was replaced."""
    tokens = _TOKEN.findall(_take_value(statement))
    comment = tokens.pop() if tokens[-1].startswith("#") else ""
    space = tokens[-1] if comment and tokens[-1].isspace() else ""
    return f"{_rewrite(''.join(tokens).rstrip(), value)}{space}{comment}"


def _take_value(statement: str) -> str:
    """Return what is written behind the ``=`` of a field."""
    tokens = _TOKEN.findall(statement)
    return "".join(tokens[tokens.index("=") + 1 :]).lstrip()


def _has_comment(written: str) -> bool:
    """Return whether there is a comment inside of a value."""
    return any(token.startswith("#") for token in _TOKEN.findall(written))


def _rewrite(written: str, value: Any) -> str:
    """Write a value in the place of another one, with the comments about what stays of that."""
    if isinstance(value, list) and written.startswith("[") and _has_comment(written):
        return _rewrite_list(written, value)
    if isinstance(value, Mapping) and written.startswith("{") and _has_comment(written):
        known = {
            next(iter(tomllib.loads(one.text))): _take_value(one.text)
            for one in _list_elements(written)
        }
        fields = (
            f"{quote_key(name)} = {_rewrite(known.get(name, ''), one)}"
            for name, one in value.items()
        )
        return f"{{ {', '.join(fields)} }}"
    return write_inline(value)


def _rewrite_list(written: str, value: list[Any]) -> str:
    """Write a list in the place of another one, an element on each line if one has a comment."""
    *known, last = _list_elements(written)
    if last.text:
        known, last = [*known, last], _Element()
    left = {repr(parse_toml(f"x = {one.text}")): one for one in reversed(known)}
    listed = list[_Element]()
    for one in value:
        key = repr({"x": one})
        listed.append(left.pop(key) if key in left else _Element(write_inline(one)))
    if not any(one.above or one.behind or _has_comment(one.text) for one in (*listed, last)):
        return write_inline(value)
    lines = list[str]()
    for one in listed:
        lines += [*one.above, f"{one.text},{one.behind and f'  {one.behind}'}"]
    return "\n  ".join(("[", *lines, *last.above)) + "\n]"


def _list_elements(written: str) -> list[_Element]:
    """List the elements of an array or inline table; behind a last comma, there is one more.

    A comment on the line of an element is about that element, any other one about the next.
    """
    elements, depth = [_Element()], 0
    of_line: _Element | None = None
    for token in _TOKEN.findall(written[1:-1]):
        here = elements[-1]
        if depth == 0 and token == ",":
            elements.append(_Element())
        elif depth == 0 and token.startswith("#"):
            if of_line is None:
                here.above.append(token)
            else:
                of_line.behind = token
        elif depth == 0 and token.isspace():
            here.text += token if here.text else ""
            of_line = None if "\n" in token else of_line
        else:
            here.text += token
            of_line = here
            depth += (token in "[{") - (token in "]}")
    for one in elements:
        one.text = one.text.rstrip()
    return elements


def _split(lines: Sequence[str]) -> Iterator[tuple[Path, str | None, int, int]]:
    """Yield the headers and fields of a text that is valid TOML.

    Each has its table, its key (of a header, none), its first line, and the line after it. A
    statement is the fewest lines that are valid TOML.
    """
    table: Path = ()
    first = 0
    for end in range(1, len(lines) + 1):
        try:
            read = tomllib.loads("\n".join(lines[first:end]))
        except tomllib.TOMLDecodeError:
            continue
        if lines[first].lstrip().startswith("["):
            table = _read_path(read)
            yield table, None, first, end
        elif read:
            yield table, next(iter(read)), first, end
        first = end


def _read_path(header: Mapping[str, Any]) -> Path:
    """Return the names of a header."""
    names: list[str] = []
    inner: Any = header
    while inner and isinstance(inner, Mapping):
        [(name, inner)] = inner.items()
        names.append(name)
    return tuple(names)


def find_place(fields: Mapping[str, Any], table: Path) -> Mapping[str, Any]:
    """Return a table of a specification, empty if there is none."""
    for name in table:
        inner = fields.get(name, {})
        fields = inner if isinstance(inner, Mapping) else {}
    return fields


def _replaced(fields: Mapping[str, Any], table: Path, key: str, value: Any) -> dict[str, Any]:
    """Return the tables of a specification with another value of a field."""
    if table:
        inner = find_place(fields, table[:1])
        return {**fields, table[0]: _replaced(inner, table[1:], key, value)}
    rest = {name: one for name, one in fields.items() if name != key}
    return rest if value is None else {**rest, key: value}


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
