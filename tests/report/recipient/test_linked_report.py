"""The recipient's report of linked tables: what it shows, and what it does not."""

import shutil

import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la
from lookalike.errors import InvalidInput

from ..hostile_table import ALARM, CLOSING, SCRIPT

KEY = {"role": "identifier"}
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
