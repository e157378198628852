"""Draw a chart of ``charts/`` as an SVG drawing that can stand inside a page.

A chart is a Vega-Lite specification in JSON, beside the code and without data. It is drawn by
vl-convert in this process, without a browser and without a network.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree

from markupsafe import Markup, escape

from lookalike.errors import InternalError
from lookalike.shown_text import show_text

_TEXT = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
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


def draw_chart(
    name: str, rows: Sequence[Mapping[str, Any]], summary: str, **changes: Any
) -> Markup:
    """Draw a chart as SVG.

    Parameters
    ----------
    name
        The file in ``charts/``, without its suffix.
    rows
        Its data.
    summary
        What it shows, in one sentence, for those who cannot see it.
    **changes
        Fields of the specification to replace, such as ``height``.
    """
    import vl_convert  # loads a JavaScript engine

    chart = {**_specification(name), "config": _STYLE, **changes}
    chart["data"] = {"values": [_show_row(row) for row in rows]}
    drawn = vl_convert.vegalite_to_svg(chart)
    _refuse_active(drawn)
    return _label(_rename_ids(drawn, summary), summary)


@cache
def _specification(name: str) -> dict[str, Any]:
    """Read the specification of a chart."""
    path = files("lookalike.report").joinpath(f"charts/{name}.json")
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return read


def _show_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row whose texts can be shown."""
    return {name: show_text(one, 40) if isinstance(one, str) else one for name, one in row.items()}


def _refuse_active(drawn: str) -> None:
    """Refuse a drawing with an element or an attribute that could do anything but draw."""
    for element in ElementTree.fromstring(drawn).iter():
        known = element.tag.removeprefix(_SVG) in _ELEMENTS
        if not known or any(_ACTIVE.match(name) for name in element.attrib):
            raise InternalError(f"a chart has an element {element.tag} that does not only draw")


def _rename_ids(drawn: str, summary: str) -> str:
    """Give clip paths and gradients names that no other chart of a page has.

    Vega numbers them in the order in which a process draws them. The names here follow from the
    drawing and its summary alone, so that the same chart is the same text in every process.
    """
    names = re.findall(r'\bid="([^"]+)"', drawn)
    numbers = {name: str(number) for number, name in enumerate(names)}
    known = "|".join(map(re.escape, names)) or "(?!)"
    parts = re.split(rf'((?<=\bid=")(?:{known})(?=")|(?<=url\(#)(?:{known})(?=\)))', drawn)
    plain = "".join(numbers[one] if place % 2 else one for place, one in enumerate(parts))
    mark = hashlib.sha256(f"{summary} {plain}".encode()).hexdigest()[:12]
    return "".join(
        f"chart-{mark}-{numbers[one]}" if place % 2 else one for place, one in enumerate(parts)
    )


def _label(drawn: str, summary: str) -> Markup:
    """Describe a drawing to a screen reader, which then skips its marks."""
    opening = f'<svg class="chart" role="img" aria-label="{escape(summary)}" '
    return Markup(drawn.replace("<svg ", opening, 1).replace('class="marks" ', "", 1))
