"""Text from data as it is shown to people: without control characters, and not too long.

Column names, values and labels come from other people. They may contain characters that a terminal
would execute, that turn the direction of the text around, or that no XML document can contain.
"""

LONGEST_SHOWN = 80
"""The most characters of a value that a page shows."""


def escape_controls(text: str) -> str:
    r"""Replace unprintable characters, except line ends, by escape sequences.

    Examples
    --------
    >>> print(escape_controls("zip\x1b[2J\x9b1m \u202e code"))
    zip\x1b[2J\x9b1m \u202e code
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode()
        for one in text
    )


def show_text(text: str, longest: int = LONGEST_SHOWN) -> str:
    r"""Return a text on one line, without control characters, and cut if it is long.

    Examples
    --------
    >>> show_text("native-country", 8)
    'native-…'
    >>> print(show_text("a\nb"))
    a\nb
    """
    shown = escape_controls(text[: longest + 1]).replace("\n", "\\n")
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def count_rows(number: int | None) -> str:
    """Write a number of rows.

    Examples
    --------
    >>> count_rows(1), count_rows(1200)
    ('1 row', '1,200 rows')
    """
    return "1 row" if number == 1 else f"{number or 0:,} rows"
