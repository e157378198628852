"""Pages are filled from templates of the package."""

import pytest

import lookalike as la
from lookalike.report.page import fill_page
from lookalike.report.recipient import write_report

from ..publish.nine_people import make


def test_a_missing_template_is_a_fault_of_ours():
    with pytest.raises(la.InternalError, match=r"template nothing\.html is missing"):
        fill_page("nothing")


@pytest.mark.reports
def test_a_missing_template_is_not_taken_for_a_full_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(
        write_report, "write_recipient_report", lambda *_drawn: fill_page("nothing")
    )
    with pytest.raises(la.InternalError, match=r"nothing\.html is missing"):
        make().publish(tmp_path / "released" / "table.csv")
    assert list(tmp_path.iterdir()) == []
