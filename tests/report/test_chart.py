"""Charts are drawn without a browser, and data in them cannot become anything but text."""

from xml.etree import ElementTree

import pytest

from lookalike.errors import InternalError
from lookalike.report.chart import _refuse_active, draw_chart

HOSTILE = [
    "</text><script>alert(1)</script>",
    '" onload="alert(1)',
    "\x00\x1b[2J\u202e",
    "x" * 10_000,
]


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
