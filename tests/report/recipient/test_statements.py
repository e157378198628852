"""The recipient's report states what holds for each kind of release, and nothing else."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import product

import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.publish.certified import state_accepted
from lookalike.report.recipient.write_report import draw_recipient_report, write_recipient_report
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation

from ...roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

ROWS = 24
PEOPLE = pa.table(
    {
        "id": [str(number // 2) for number in range(ROWS)],
        "zip": ["02138", "02139", "02141", "02142"] * 6,
        "sex": ["f", "m"] * 12,
        "job": ["nurse", "cook", "cook"] * 8,
        "pay": [str(1200 + 100 * (number % 5)) for number in range(ROWS)],
        "ill": ["flu", "ache", "rash"] * 8,
    }
)
ROLES = {
    "id": IDENTIFIER,
    "zip": MASKED,
    "sex": LINKABLE,
    "job": LINKABLE,
    "pay": {"role": "other", "round": 1000},
    "ill": SENSITIVE,
}


class Words(HTMLParser):
    """Collects the text of a page, without its head."""

    def __init__(self):
        super().__init__()
        self.said, self.inside = [], False

    def handle_starttag(self, tag, attrs):
        self.inside = self.inside or tag == "body"

    def handle_data(self, data):
        self.said += [data] if self.inside else []


def words_of(html):
    """Return the text of a page with single blanks."""
    reader = Words()
    reader.feed(html)
    return re.sub(r"\s+", " ", "".join(reader.said)).replace(" ,", ",")


def report_on(table=PEOPLE, **fields):
    """Return the words of the report on a release."""
    asked = {"attributes": ROLES, "k": 3, "method": "mingen"} | fields
    return words_of(la.release(table, **asked).report())


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_table_in_memory_has_a_report_without_files(kind):
    said = report_on(kind(PEOPLE.to_pydict()))
    assert "This report is about a table in memory" in said
    assert "SHA-256" not in said


def test_what_a_plain_release_rests_on():
    said = report_on()
    assert "k = 3. Whoever knows zip, sex and job of a person finds at least" in said
    assert "One row per person. Rows were counted." in said
    assert "Earlier releases were not checked." in said
    assert "pay and ill are not part of the combination that occurs at least k times." in said
    assert "The numbers of pay were made less precise." in said
    assert "Numbers are rounded to multiples of 1,000." in said
    assert "persons" not in said.split("What is promised")[2].split("On what")[0]


def test_persons_are_counted_where_the_release_counts_them():
    said = report_on(source={"person": "id"})
    assert "k = 3 persons. Whoever knows zip, sex and job of a person finds rows of" in said
    assert "One row per person" not in said
    assert "the number of persons in a class" in said


def test_suppressed_rows_that_are_left_out_or_hidden():
    rare = pa.concat_tables([PEOPLE, PEOPLE.slice(0, 1).set_column(1, "zip", pa.array(["99999"]))])
    fields = {"max_suppressed": 1, "k": 2, "constraints": ["zip <= 1"]}
    left_out = report_on(rare, **fields)
    assert "1 row was left out, because too few others resemble it." in left_out
    blank = report_on(rare, **fields | {"suppressed_rows": "blank", "max_suppressed": 3})
    assert "every protected value there was replaced by *" in blank
    assert "*The value is hidden." in blank


def test_levels_that_differ_from_row_to_row():
    said = report_on(method="mingen-cells", k=5)
    assert "Values that contain each other" in said
    assert "generalized cell by cell" in said
    assert "Values that contain each other" not in report_on()


def test_protections_of_sensitive_values():
    ill = SENSITIVE | {"protect": {"distinct": 2}}
    said = report_on(attributes=ROLES | {"ill": ill}, secrecy="search")
    assert "itself, in every class over zip, sex, job, ill has at least 2 distinct values." in said
    assert "For ill see what is promised about classes." in said
    assert "does not cover them; another promise is about them." in said
    assert "what is promised about ill is how the values are spread over a class." in said
    assert "another promise is about them" not in report_on()
    assert "The release does not exclude that." in report_on()


def test_an_attribute_outside_of_the_combination():
    said = report_on(attributes=ROLES | {"job": LINKABLE | {"linking": 0}})
    assert "Columns protected only by themselves. job is not protected in combination" in said
    assert "over all of them together, the smallest class has" in said


def test_several_quasi_identifiers_have_a_chart_each():
    asked = [
        {"name": "patients", "attributes": ["zip", "sex"], "k": 3},
        {"name": "staff", "attributes": ["job"], "k": 4},
    ]
    html = la.release(
        PEOPLE, attributes=ROLES, k=3, method="mingen", quasi_identifiers=asked
    ).report()
    assert html.count('<svg class="chart"') == 2
    names = re.findall(r'\bid="([^"]+)"', html)
    assert len(names) == len(set(names))
    assert "k = 4. Whoever knows job of a person" in words_of(html)


def test_a_release_that_is_not_k_anonymous_says_so():
    every = [*product("ab", repeat=3)]
    people = pa.table({name: [one[at] for one in every] for at, name in enumerate("xyz")})
    roles = dict.fromkeys("xyz", LINKABLE)
    asked = {"k": 2, "method": "mu-argus", "dimension": 2, "generalize": []}
    made = la.release(people, attributes=roles, allow_unsafe=True, **asked)
    assert not made.safe
    said = words_of(made.report())
    assert "This release does not keep the promise of k-anonymity" in said
    assert "k-anonymity does not hold." in said
    assert "so that nobody can be singled out" not in said


@pytest.mark.reports
def test_the_order_of_rows_changes_nothing_but_the_digest(tmp_path):
    reports = []
    for name in "ab":
        made = la.release(PEOPLE, attributes=ROLES, k=3, method="mingen")
        made.publish(tmp_path / name / "people.csv")
        text = (tmp_path / name / "report.html").read_text(encoding="utf-8")
        reports.append(re.sub("[0-9a-f]{64}", "digest", text))
    files = [(tmp_path / name / "people.csv").read_bytes() for name in "ab"]
    assert files[0] != files[1]
    assert reports[0] == reports[1]


def test_the_first_sentence_states_its_condition():
    said = report_on()
    assert "nobody can be singled out" not in said
    assert "for readers who know of a person no more than zip, sex and job: for them" in said
    assert "Whoever knows more of a person may find the row of that person" in said


def report_with(made, **changes):
    """Return the words of a report whose certificate was changed."""
    certificate = replace(made.certificate, **changes)
    rows = as_relation(nw.from_native(made.table), Connection())
    return words_of(write_recipient_report(draw_recipient_report(certificate, rows), certificate))


def test_accepted_errors_are_named_without_a_figure():
    made = la.release(PEOPLE, attributes=ROLES, k=3, method="mingen")
    said = report_with(made, accepted=("as-is-unique", "derived-column"))
    for sentence in state_accepted(["as-is-unique", "derived-column"]):
        assert said.count(sentence) == 2  # under "not promised", and in the certificate's sentences
        assert not re.search(r"\d", sentence)
    assert "accepted by the data holder" not in report_with(made)


def test_how_many_finer_values_follow_is_the_choice_of_the_holder():
    asked = {"attributes": ROLES, "k": 5, "method": "mingen-cells"}
    stated, silent = (
        la.release(PEOPLE, **asked, state_exposure=choice) for choice in (True, False)
    )
    assert stated.certificate.certain_share is not None
    assert silent.certificate.certain_share is None
    said = report_with(stated, certain_share=0.25)
    assert "In 25.0 % of the generalized cells" in said
    assert "did not state in how many cells" not in said
    said = words_of(silent.report())
    assert "The data holder did not state in how many cells." in said
    assert "of the generalized cells" not in said
    assert "in how many cells" not in report_on()


@pytest.mark.reports
def test_a_published_certificate_names_the_errors_that_were_found_and_accepted(tmp_path):
    numbers = {"bed": (1, 12), "day": (12, 10), "bill": (1, 7)}
    columns = {"zip": ["02138", "02139"] * 60} | {
        name: [str(one // step % size) for one in range(120)]
        for name, (step, size) in numbers.items()
    }
    roles = {"zip": MASKED} | {name: {"role": "other"} for name in numbers}
    accept = ["as-is-unique", "free-text", "repeated-persons"]
    made = la.release(pa.table(columns), attributes=roles, k=3, accept=accept)
    found = {one.name for one in made.preflight if one.severity == "error"}
    assert "as-is-unique" in found < {*accept}
    assert set(made.publish(tmp_path / "out" / "t.csv").accepted) == found
