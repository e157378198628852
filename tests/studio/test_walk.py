"""Somebody who has never seen the studio drops a CSV, and publishes a release that is signed."""

import pytest

from ..browser import needs_chromium
from .steps import enter
from .test_browser import HOSPITAL
from .walk import Walk, walk_to_release

pytestmark = [pytest.mark.slow, needs_chromium]
MOST_CLICKS, MOST_KEYS = 25, 40


def test_from_a_dropped_table_to_a_signed_release(context, served, people, tmp_path_factory):
    for file in ("people.csv", "people.toml"):
        (people / file).unlink()
    walk = Walk(enter(context, served))
    walk_to_release(walk, HOSPITAL, tmp_path_factory.mktemp("reviewer"))
    assert walk.page.locator("#published h2").bounding_box()["y"] < 200
    assert (walk.clicks, walk.keys) <= (MOST_CLICKS, MOST_KEYS)
    assert context.noted["complaints"] == []
    [report] = people.glob("private/*/hospital/report.html")
    assert "A. Officer" in report.read_text()
    [certificate] = people.glob("released/*/certificate.json")
    assert certificate.with_name("hospital.csv").is_file()
