"""The recipient's report in a real browser: accessible, readable, and nothing but text."""

import pytest

import lookalike as la

from ..browser import check_page, needs_browser, open_page
from ..demo_files import copy_demo
from .hostile_table import ALARM, hostile_roles, hostile_table

pytestmark = [pytest.mark.slow, pytest.mark.reports, needs_browser]

LARGEST = 3_000_000


@pytest.mark.exhaustive
def test_the_report_of_the_census(tmp_path, type_in, monkeypatch):
    copy_demo(tmp_path, "adult")
    monkeypatch.chdir(tmp_path)
    assert type_in("release adult.toml")[0] == 0
    report = tmp_path / "released" / "report.html"
    assert report.stat().st_size < LARGEST
    check_page(report, charts=1)


def test_the_report_of_the_patients(folder, type_in):
    assert type_in("release patients.toml")[0] == 0
    check_page(folder / "released" / "report.html", charts=1)


@pytest.mark.parametrize(
    ("method", "k"),
    [pytest.param("datafly", 3, marks=pytest.mark.exhaustive), ("mingen-cells", 5)],
)
def test_hostile_names_and_values_stay_text(method, k, tmp_path):
    fields = {"k": k, "method": method, "accept": ["as-is-unique"]}
    made = la.release(hostile_table(), attributes=hostile_roles(), **fields)
    made.publish(tmp_path / "released" / "table.parquet")
    report = tmp_path / "released" / "report.html"
    assert report.stat().st_size < LARGEST
    check_page(report, charts=1)
    with open_page(report, 1280) as opened:
        assert opened.page.locator("script, img, iframe, link, form, [onerror]").count() == 0
        assert opened.page.title() == "table.parquet"
        text = opened.page.inner_text("body")
    assert ALARM in text
    assert "{{ 7 * 191 }}" in text
    assert "\\u202e" in text
    assert "\u202e" not in text
    assert "x" * 200 not in text


FAULTS = {
    "a script": ("<script>console.error('x')</script>", "messages"),
    "a request": ("<p style='background: url(missing.png)'>x</p>", "requests"),
    "a wide line": ("<p style='width: 3000px'>x</p>", "wider than the window"),
    "an image without words": ("<svg role='img' aria-label='x'></svg><img>", "image-alt"),
    "faint text": ("<p style='color: #eee'>faint words</p>", "color-contrast"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_checks_of_a_page_can_fail(fault, tmp_path):
    body, found = FAULTS[fault]
    page = tmp_path / "page.html"
    head = "<!doctype html><html lang='en'><title>x</title><style>body { background: #fff }</style>"
    page.write_text(f"{head}<main><h1>x</h1>{body}</main></html>")
    with pytest.raises(AssertionError, match=found):
        check_page(page, charts=0)
