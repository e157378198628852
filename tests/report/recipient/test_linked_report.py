"""The recipient's report of linked tables: what it shows, and what it does not."""

import json
import shutil

import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.publish.digest import describe_file

from ..hostile_table import ALARM, CLOSING, SCRIPT

KEY = {"role": "identifier"}
DROP = {"role": "drop"}
HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
PEOPLE = pa.table({"no": [*range(12)], "sex": ["f", "m"] * 6})
VISITS = pa.table(
    {
        "no": [n for n in range(12) for _ in range(n % 3)],
        "month": ["May"] * 12,
        SCRIPT: [CLOSING, "cough"] * 6,
    }
)


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A release of 12 people, of whom four have no visit, four one, and four two."""
    folder = tmp_path_factory.mktemp("linked") / "released"
    columns = {"no": KEY, "month": HIDE, SCRIPT: {"role": "sensitive"}}
    visits = {"table": VISITS, "person": "no", "knows": 1, "attributes": columns}
    made = la.release_records(
        PEOPLE,
        records={"visits": visits},
        source={"person": "no"},
        attributes={"no": KEY, "sex": HIDE},
        k=2,
    )
    made.publish(folder / "people.csv")
    return folder


def test_the_report_states_the_promise_and_counts_what_is_in_the_files(published):
    page = la.report(published).html
    assert "An attacker who knows somebody&#39;s sex and any one of their visits is left" in page
    for records, persons in ((0, 4), (1, 4), (2, 4)):
        row = f'<td class="number">{records}</td><td class="number">{persons}</td>'
        assert row in page
    assert '<span class="value" dir="auto">cough</span></td><td class="number">6</td>' in page
    assert page == la.report(published).html


def test_the_report_shows_no_pseudonym_and_executes_nothing(published):
    page = la.report(published).html
    drawn = pyarrow.csv.read_csv(published / "people.csv")["no"].to_pylist()
    assert len(drawn) == 12
    assert not [one for one in drawn if one in page]
    assert "<script" not in page
    assert ALARM in page


def test_a_folder_that_was_changed_gives_no_report(published, tmp_path):
    shutil.copytree(published, tmp_path / "copy")
    visits = tmp_path / "copy" / "visits.csv"
    visits.write_text(visits.read_text().replace("month", "moon", 1))
    with pytest.raises(InvalidInput, match="other columns than the certificate names"):
        la.report(tmp_path / "copy")


def copy(published, folder):
    """Copy a release, to change it."""
    return shutil.copytree(published, folder / "copy")


def release_numbers(**changes):
    """Release who has how many visits, and nothing of these."""
    visits = {"table": VISITS, "person": "no", "knows": 0, "attributes": {"no": KEY, "*": DROP}}
    asked = {"records": {"visits": visits}, "source": {"person": "no"}, "k": 2, **changes}
    return la.release_records(PEOPLE, **asked, attributes={"no": KEY, "sex": HIDE})


def find_failed(folder):
    return [one.claim for one in la.verify(folder).findings if not one.holds]


def test_the_folder_holds_the_report_that_it_gives(published):
    remade = la.report(published)
    assert remade.same
    assert (published / "report.html").read_bytes() == remade.html.encode()
    stated = json.loads((published / "certificate.json").read_text())["report"]
    assert stated["sha256"] == describe_file(published / "report.html").sha256
    assert la.verify(published).holds


def test_a_report_that_was_changed_added_or_lost_is_found(published, tmp_path):
    folder = copy(published, tmp_path)
    page = (folder / "report.html").read_text()
    (folder / "report.html").write_text(page.replace("cough", "cold", 1))
    assert find_failed(folder) == ["report.html has the digest of the certificate"]
    assert "was changed after publication" in la.report(folder).differences[0]
    (folder / "report.html").unlink()
    holds = "the folder holds the files of the certificate and nothing else"
    assert find_failed(folder) == [holds]
    assert "is missing or a link" in la.report(folder).differences[0]
    (folder / "report.html").write_text(page)
    fields = json.loads((folder / "certificate.json").read_text())
    (folder / "certificate.json").write_text(json.dumps({**fields, "report": None}))
    assert find_failed(folder) == [holds]
    assert "was added after publication" in la.report(folder).differences[0]


def test_a_certificate_that_was_changed_gives_another_report(published, tmp_path):
    folder = copy(published, tmp_path)
    text = (folder / "certificate.json").read_text()
    (folder / "certificate.json").write_text(
        text.replace('"method": "mingen"', '"method": "samarati"')
    )
    assert "or the certificate was changed" in la.report(folder).differences[0]


def test_a_release_without_a_report_is_complete(tmp_path):
    certificate = release_numbers(report=False).publish(tmp_path / "released/people.csv")
    assert certificate.report is None
    assert not (tmp_path / "released/report.html").exists()
    assert la.verify(tmp_path / "released").holds
    remade = la.report(tmp_path / "released")
    assert (remade.published, remade.same, remade.differences) == (False, False, ())


def test_a_certificate_of_before_names_no_report(published, tmp_path):
    folder = copy(published, tmp_path)
    fields = json.loads((folder / "certificate.json").read_text())
    del fields["report"]
    (folder / "certificate.json").write_text(json.dumps(fields))
    (folder / "report.html").unlink()
    assert la.verify(folder).holds


def test_a_release_with_a_report_is_replaced(published, tmp_path):
    folder = copy(published, tmp_path)
    release_numbers().publish(folder / "people.csv", replace=True)
    assert len(la.report(folder).html) < len(la.report(published).html)
    assert la.report(folder).same


def test_the_certificate_states_of_an_attribute_what_is_true_of_linked_tables(published):
    """No figure of cells that were suppressed, and no field that linked tables do not take."""
    stated = json.loads((published / "certificate.json").read_text())["tables"]
    [sex] = stated[0]["generalized"].values()
    assert sex == {"hierarchy": "suppress", "height": 1, "level": sex["level"], "weight": "1"}
