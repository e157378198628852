"""Write texts, keys and values as TOML."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from lookalike.errors import InvalidInput

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


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
    return '"' + "".join(escape_character(one, _ESCAPES) for one in text) + '"'


def escape_character(one: str, named: Mapping[str, str]) -> str:
    """Return a character of a TOML text, escaped if it does not print."""
    if one in named:
        return named[one]
    if one.isprintable():
        return one
    return f"\\u{ord(one):04X}" if ord(one) < 0x10000 else f"\\U{ord(one):08X}"


def write_value_as_toml(value: Any) -> str:
    """Write a text, a truth value, a number or a list of them as TOML."""
    if isinstance(value, str):
        return quote_toml(value)
    if isinstance(value, Sequence):
        return f"[{', '.join(map(write_value_as_toml, value))}]"
    return f"{value:f}" if isinstance(value, Decimal) else str(value).lower()
