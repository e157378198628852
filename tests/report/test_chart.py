"""Charts are drawn without a browser, and data in them cannot become anything but text."""

from xml.etree import ElementTree

import pytest

from lookalike.errors import InternalError
from lookalike.report.chart import _refuse_active, draw_chart

HOSTILE = [
    "</text><script>alert(1)</script>",
    '" onload="alert(1)',
    "url(#x)",
    "\x00\x1b[2J\u202e",
    "x" * 10_000,
]

BARS = {axis: {"field": name} for axis, name in (("x", "size"), ("y", "rows"))}


def named(drawn):
    """Return the names that a drawing gives to its parts, all of which it uses."""
    names = {one.get("id") for one in ElementTree.fromstring(drawn).iter() if one.get("id")}
    assert all(f"url(#{name})" in drawn for name in names)
    return names


def test_a_chart_is_one_drawing_with_a_label():
    drawn = draw_chart("class_sizes", [{"size": "2–4", "rows": 12}], "Rows by class size")
    root = ElementTree.fromstring(drawn)
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Rows by class size"
    assert "2–4" in drawn


@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_data_stays_text(text):
    drawn = draw_chart("class_sizes", [{"size": text, "rows": 1}], text.replace("\x00", ""))
    assert "<script" not in drawn
    assert "x" * 100 not in drawn.replace(text, "")


def test_a_drawing_that_could_act_is_refused():
    with pytest.raises(InternalError, match="does not only draw"):
        _refuse_active('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')


def test_the_same_chart_is_the_same_text_and_shares_no_name_with_others():
    bars = {"layer": [{"mark": {"type": "bar", "clip": True}, "encoding": BARS}]}
    first, second, other = (
        draw_chart("class_sizes", [{"size": "2–4", "rows": 12}], summary, encoding={}, **bars)
        for summary in ("one", "one", "two")
    )
    assert first == second
    assert named(first)
    assert not named(first) & named(other)
