"""Charts are drawn without a browser, and data in them cannot become anything but text."""

import sys
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


def bar(value):
    """Return a bar of a distribution."""
    return {"value": value, "rows": 12, "when": "private", "order": 0}


def named(drawn):
    """Return the names that a drawing gives to its parts, all of which it uses."""
    names = {one.get("id") for one in ElementTree.fromstring(drawn).iter() if one.get("id")}
    assert all(f"url(#{name})" in drawn for name in names)
    return names


def test_a_chart_is_one_drawing_with_a_label():
    drawn = draw_chart("distribution", [bar("2–4")], "Rows by class size")
    root = ElementTree.fromstring(drawn)
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Rows by class size"
    assert "2–4" in drawn


def test_without_its_extra_a_chart_is_its_summary(monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    drawn = draw_chart("distribution", [bar("2–4")], "Rows <by> class size")
    assert drawn.startswith('<p class="note">Rows &lt;by&gt; class size')
    assert "pip install 'lookalike[charts]'" in drawn


@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_data_stays_text(text):
    drawn = draw_chart("distribution", [bar(text)], text.replace("\x00", ""))
    assert "<script" not in drawn
    assert "x" * 100 not in drawn.replace(text, "")


def test_a_drawing_that_could_act_is_refused():
    with pytest.raises(InternalError, match="does not only draw"):
        _refuse_active('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')


def draw_linked(href, label="k = 5", links=True):
    """Draw two points of which one may lead elsewhere."""
    rows = [
        {"x": place, "kept": 0.5, "method": "m", "safe": True, "href": one, "label": label}
        for place, one in enumerate(("?point=1", href))
    ]
    across = {"x": {"field": "x", "type": "quantitative"}}
    return draw_chart("explored_points", rows, "Points", links=links, encoding=across)


def test_marks_are_links_with_names_if_that_is_asked_for():
    root = ElementTree.fromstring(draw_linked(f"?point=2&across={'x' * 60}", f"{'n' * 60} <b>&"))
    assert root.get("role") == "group"
    links = [one.attrib for one in root.iter() if one.tag.endswith("}a")]
    assert [one["href"] for one in links] == ["?point=1", f"?point=2&across={'x' * 60}"]
    assert {one["aria-label"] for one in links} == {f"{'n' * 60} <b>&"}
    titles = [one.text for one in root.iter() if one.tag.endswith("}title")]
    assert titles == [one["aria-label"] for one in links]
    assert [one["id"] for one in links] == ["explored_points-0", "explored_points-1"]


def test_links_are_refused_unless_they_are_asked_for():
    with pytest.raises(InternalError, match="does not only draw"):
        draw_linked("?point=2", links=False)
    drawn = draw_linked("?point=2")
    _refuse_active(drawn, links=True)
    with pytest.raises(InternalError, match="does not only draw"):
        _refuse_active(drawn)


ELSEWHERE = ["javascript:alert(1)", "https://example.org/?", "//example.org", "/data", "#x", ""]


@pytest.mark.parametrize("href", [*ELSEWHERE, "?a b", "?\x00", "?\u202e"])
def test_links_lead_to_the_same_page_only(href):
    with pytest.raises(InternalError, match="does not lead to a view of its page"):
        draw_linked(href)


@pytest.mark.parametrize("link", ['href="/data"', 'href="?a" onclick="x"', 'xlink:href="?a"'])
def test_a_drawn_link_that_leads_elsewhere_is_refused(link):
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    drawn = f'<svg {spaces}><a id="a" aria-label="b" {link}><path/></a></svg>'
    with pytest.raises(InternalError, match="does not only draw"):
        _refuse_active(drawn, links=True)


@pytest.mark.parametrize("text", HOSTILE)
def test_the_name_and_the_address_of_a_link_stay_text(text):
    drawn = draw_linked('?"><script>alert(1)</script>"onload="x', text)
    assert "<script" not in drawn
    assert "x" * 300 not in drawn.split("aria-label=", 2)[2].partition('"')[0]
    for one in ElementTree.fromstring(drawn).iter():
        assert not any(name.startswith("on") for name in one.attrib)


def test_the_same_chart_is_the_same_text_and_shares_no_name_with_others():
    bars = {"layer": [{"mark": {"type": "bar", "clip": True}, "encoding": BARS}]}
    first, second, other = (
        draw_chart("heights", [{"size": "2–4", "rows": 12}], summary, encoding={}, **bars)
        for summary in ("one", "one", "two")
    )
    assert first == second
    assert named(first)
    assert not named(first) & named(other)
