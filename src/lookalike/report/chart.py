"""Draw a chart of ``charts/`` as an SVG drawing that can stand inside a page.

A chart is a Vega-Lite specification in JSON, beside the code and without data. It is drawn by
vl-convert in this process, without a browser and without a network. Its marks can be links to other
views of the same page, if that is asked for; a report has none. Without vl-convert, which is an
extra, the summary of a chart stands in its place.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup, escape

from lookalike.errors import InternalError
from lookalike.shown_text import show_text

_STYLE = {
    "background": None,
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 0,
    },
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"},
    "range": {"category": ["#2a78b5", "#d9822b", "#4f9d69", "#8d6cab", "#b5533c", "#6b7280"]},
}
"""What all charts share. The colours of text and lines are those of the page's style sheet."""

_ELEMENTS = {"svg", "g", "path", "text", "tspan", "rect", "line", "circle", "title", "desc"}
_ELEMENTS |= {"defs", "clipPath", "linearGradient", "stop"}
_SVG = "{http://www.w3.org/2000/svg}"
_ACTIVE = re.compile(r"^(on|href$|\{.*\}href$|src$|style$)")
_ELSEWHERE = "https://link.invalid/"
"""Vega completes addresses that name no host. This one stands for the page and is removed again."""
_LINK = re.compile(
    rf'<a xlink:href="{re.escape(_ELSEWHERE)}([^"]*)"><path aria-label="([^"]*)" '
    r'role="[^"]*" aria-roledescription="[^"]*" '
)
_VIEW = re.compile(r"\?[!-~]*")
"""The address of another view of the same page."""
_WORDS = Markup(
    '<p class="note">{} '
    "<i>To draw this chart: <code>pip install 'lookalike[charts]'</code></i></p>"
)
LONGEST_LABEL = 200
"""The most characters of the name of a link."""


def draw_chart(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    summary: str,
    *,
    links: bool = False,
    **changes: Any,
) -> Markup:
    """Draw a chart as SVG; without vl-convert, return its summary as a paragraph.

    ``links``: whether marks are links. The field ``href`` of a row is then its address, which
    begins with ``?``, and the field ``label`` names it; the specification encodes both, as ``href``
    and ``description``. A link gets the name of the chart and its place as its id.
    """
    try:
        import vl_convert  # loads a JavaScript engine
    except ModuleNotFoundError:
        return _WORDS.format(summary)
    chart = {**_specification(name), "config": _STYLE, **changes}
    chart["data"] = {"values": [_show_row(row, links=links) for row in rows]}
    drawn = vl_convert.vegalite_to_svg(chart)
    if links:
        drawn = _complete_links(drawn, name)
    _refuse_active(drawn, links=links)
    role = "group" if links else "img"  # a screen reader skips the marks of an image
    opening = f'<svg class="chart" role="{role}" aria-label="{escape(summary)}" '
    named = _rename_ids(drawn, summary).replace("<svg ", opening, 1)
    return Markup(named.replace('class="marks" ', "", 1))


@cache
def _specification(name: str) -> dict[str, Any]:
    """Read the specification of a chart."""
    path = files("lookalike.report").joinpath(f"charts/{name}.json")
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


def _show_row(row: Mapping[str, Any], *, links: bool) -> dict[str, Any]:
    """Return a row whose texts can be shown; the address of a link is kept whole."""
    shown = {name: show_text(one, 40) if isinstance(one, str) else one for name, one in row.items()}
    if links and "href" in row:
        if not _VIEW.fullmatch(row["href"]):
            raise InternalError("a chart has a link that does not lead to a view of its page")
        shown["href"] = f"{_ELSEWHERE}{row['href']}"
        shown["label"] = show_text(row["label"], LONGEST_LABEL)
    return shown


def _complete_links(drawn: str, name: str) -> str:
    """Let each link lead to its view of the page, and give it a name, a tooltip and an id."""
    places = count()
    return _LINK.sub(
        lambda found: (
            f'<a href="{found[1]}" id="{name}-{next(places)}" aria-label="{found[2]}">'
            f'<title>{found[2]}</title><path aria-hidden="true" '
        ),
        drawn,
    )


def _refuse_active(drawn: str, *, links: bool = False) -> None:
    """Refuse a drawing with an element or an attribute that could do anything but draw.

    If links are asked for, those to other views of the page may be there, too.
    """
    for element in ElementTree.fromstring(drawn).iter():
        known = element.tag.removeprefix(_SVG) in _ELEMENTS
        active = not known or any(_ACTIVE.match(name) for name in element.attrib)
        if active and not (links and _is_view(element)):
            raise InternalError(f"a chart has an element {element.tag} that does not only draw")


def _is_view(element: ElementTree.Element) -> bool:
    """Return whether an element is a link with a name to another view of the page."""
    return (
        element.tag == f"{_SVG}a"
        and {*element.attrib} == {"href", "id", "aria-label"}
        and _VIEW.fullmatch(element.attrib["href"]) is not None
    )


def _rename_ids(drawn: str, summary: str) -> str:
    """Give clip paths and gradients names that no other chart of a page has.

    Vega numbers them in the order in which a process draws them. The names here follow from the
    drawing and its summary alone, so that the same chart is the same text in every process.
    """
    names = re.findall(r'<(?!a )[^>]*\bid="([^"]+)"', drawn)
    numbers = {name: str(number) for number, name in enumerate(names)}
    known = "|".join(map(re.escape, names)) or "(?!)"
    parts = re.split(rf'((?<=\bid=")(?:{known})(?=")|(?<=url\(#)(?:{known})(?=\)))', drawn)
    plain = "".join(numbers[one] if place % 2 else one for place, one in enumerate(parts))
    mark = hashlib.sha256(f"{summary} {plain}".encode()).hexdigest()[:12]
    return "".join(
        f"chart-{mark}-{numbers[one]}" if place % 2 else one for place, one in enumerate(parts)
    )
