"""The recipient's report follows from the published folder alone, and is always the same."""

import json

import pytest

import lookalike as la
from lookalike.report.recipient.read_folder import read_recipient_facts
from lookalike.report.recipient.write_report import write_recipient_report
from lookalike.tables.connection import Connection

pytestmark = pytest.mark.reports


def make_again(folder):
    return write_recipient_report(read_recipient_facts(folder, Connection()))


def test_a_release_publishes_the_report_that_its_folder_gives(folder, type_in):
    assert type_in("release patients.toml")[0] == 0
    published = folder / "released"
    assert (published / "report.html").read_bytes() == make_again(published).encode()
    certificate = json.loads((published / "certificate.json").read_text())
    assert certificate["report"]["bytes"] == (published / "report.html").stat().st_size
    assert la.verify(published).holds
