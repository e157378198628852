"""How names, text and bytes are written in SQL."""


def quote_name(name: str) -> str:
    """Write a column name.

    Examples
    --------
    >>> quote_name('a "b" c')
    '"a ""b"" c"'
    """
    return '"' + name.replace('"', '""') + '"'


def quote_text(text: str) -> str:
    """Write text.

    Examples
    --------
    >>> quote_text("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def quote_bytes(content: bytes) -> str:
    r"""Write bytes.

    Examples
    --------
    >>> print(quote_bytes(b"\x00A"))
    '\x00\x41'::BLOB
    """
    return "'" + "".join(f"\\x{byte:02X}" for byte in content) + "'::BLOB"
