"""HTML that notebooks show for results: tables, bars and sentences, without colours of their own.

Names and values come from other people, so every text is escaped. Text and lines have the colour of
the page around them, which suits light and dark themes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice

from lookalike.shown_text import show_text

MOST_LINES = 100
"""The most lines of a table that are shown."""
LONGEST_CELL, LONGEST_SENTENCE = 300, 2000
_APART = "margin:.5em 0 1em"
_PADDED = "padding:.15em .6em"
_CAPTION = f"caption-side:top;text-align:left;font-weight:bold;white-space:nowrap;{_PADDED}"
_LEFT, _RIGHT = f"text-align:left;{_PADDED}", f"text-align:right;{_PADDED}"
_FRAME = "display:inline-block;width:6em;height:.7em;border:1px solid;vertical-align:middle"
_PERCENT = "display:inline-block;min-width:5em"
_FILL = "display:block;height:100%;background:currentColor;opacity:.6"


@dataclass(frozen=True)
class ShareBar:
    """A share from 0 to 1 that a table shows as a bar with its percentage."""

    share: float


HtmlCell = str | int | float | ShareBar | None
"""What a table can show; None is a figure that there is not."""


def write_html_table(
    caption: str, headings: Sequence[str], lines: Iterable[Sequence[HtmlCell]]
) -> str:
    """Write a table; beyond :data:`MOST_LINES` lines it says that there are more.

    Examples
    --------
    >>> print(write_html_table("Rows", ["name"], [["<b>"]]).partition("<tbody>")[2])
    <tr><td style="text-align:left;padding:.15em .6em">&lt;b&gt;</td></tr></tbody></table>
    """
    rest = iter(lines)
    shown = [*islice(rest, MOST_LINES)]
    texts = [any(isinstance(line[place], str) for line in shown) for place in range(len(headings))]
    heads = "".join(
        f'<th style="{_LEFT if is_text else _RIGHT}">{_escape(text)}</th>'
        for is_text, text in zip(texts, headings, strict=True)
    )
    body = "".join(f"<tr>{''.join(map(_write_cell, line))}</tr>" for line in shown)
    left = sum(1 for _ in rest)
    return (
        f'<table style="{_APART}"><caption style="{_CAPTION}">{_escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        f"{write_html_notes(f'… and {left:,} more.') if left else ''}"
    )


def write_html_notes(*sentences: str) -> str:
    """Write sentences, each as a paragraph.

    Examples
    --------
    >>> write_html_notes("a < b")
    '<p>a &lt; b</p>'
    """
    return "".join(f"<p>{_escape(one, LONGEST_SENTENCE)}</p>" for one in sentences)


def _write_cell(cell: HtmlCell) -> str:
    """Write a cell: text to the left, numbers to the right."""
    match cell:
        case str():
            return f'<td style="{_LEFT}">{_escape(cell)}</td>'
        case ShareBar(share):
            filled = f'<span style="{_FILL};width:{100 * min(max(share, 0), 1):.1f}%"></span>'
            frame = f'<span style="{_FRAME}" aria-hidden="true">{filled}</span>'
            inner = f'{frame}<span style="{_PERCENT}">{100 * share:.1f} %</span>'
        case bool():
            inner = "yes" if cell else "no"
        case int():
            inner = f"{cell:,}"
        case float():
            inner = f"{cell:.4f}"
        case None:
            inner = "–"
    return f'<td style="{_RIGHT};white-space:nowrap">{inner}</td>'


def _escape(text: str, longest: int = LONGEST_CELL) -> str:
    """Return text without markup, control characters and great length."""
    return escape(show_text(text, longest))
