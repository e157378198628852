"""The holder's report in a real browser: accessible, readable, and nothing but text."""

import pytest

import lookalike as la

from ...browser import check_page, needs_browser, open_page
from ...demo_files import copy_demo
from ..hostile_table import ALARM, hostile_roles, hostile_table

pytestmark = [pytest.mark.slow, pytest.mark.reports, needs_browser]

LARGEST = 3_000_000


@pytest.mark.parametrize(
    ("name", "charts"),
    [("adult", 4), ("records", 0), pytest.param("patients", 4, marks=pytest.mark.exhaustive)],
)
def test_the_report_of_a_demo_table(name, charts, tmp_path, type_in, monkeypatch):
    copy_demo(tmp_path, name)
    monkeypatch.chdir(tmp_path)
    assert type_in(f"release {name}.toml --dossier private")[0] == 0
    report = tmp_path / "private" / "report.html"
    assert report.stat().st_size < LARGEST
    check_page(report, charts=charts)


@pytest.mark.exhaustive
@pytest.mark.parametrize("method", ["datafly", "mingen-cells"])
def test_hostile_names_and_values_stay_text(method, tmp_path):
    accept = ["as-is-unique", "one-sensitive-value"]
    made = la.release(
        hostile_table(), attributes=hostile_roles(), k=3, method=method, accept=accept
    )
    made.publish(tmp_path / "released" / "table.parquet", dossier=tmp_path / "private")
    report = tmp_path / "private" / "report.html"
    assert report.stat().st_size < LARGEST
    check_page(report, charts=3)
    with open_page(report, 1280) as opened:
        assert opened.page.locator("script, img, iframe, link, form, [onerror]").count() == 0
        text = opened.page.inner_text("body")
    assert ALARM in text
    assert "\u202e" not in text
    assert "x" * 2_500 not in text
