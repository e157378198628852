"""A release of households in which every check finds something, and what each page calls them."""

import datetime
import re

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest

import lookalike as la
from lookalike.publish.certified import state_accepted

HOMES = 120
HOUSEHOLDS = pa.table(
    {
        "home": range(HOMES),
        "region": ["north", "south", "west"] * 40,
        "county": ["n1", "s1", "w1"] * 40,
        "land": ["here"] * HOMES,
        "tenure": ["own", "own", "rent"] * 40,
        "note": [f"The house at number {n} was built in {1900 + n} or so." for n in range(HOMES)],
    }
)
OWNERS = [n for n in range(HOMES) for _ in range(1 + n % 3 + 9 * (n == 5))]
DAYS = [datetime.date(2000, 1, 1) + datetime.timedelta(days=n % 40) for n in range(len(OWNERS))]
MEMBERS = pa.table(
    {
        "home": OWNERS,
        "age": [n * 7 % 60 for n in range(len(OWNERS))],
        "moved": [str(day) for day in DAYS],
        "job": [f"job {n}" if n < 30 else "other" for n in range(len(OWNERS))],
    }
)
FOUND = {
    "record-numbers",
    "one-sensitive-value",
    "as-is-unique",
    "derived-column",
    "free-text",
    "one-value",
    "dates-as-they-are",
}
SPEC = f"""
[source]
path = "households.csv"
person = "home"
[release]
k = 3
unit = "household"
max_suppressed = 10
constraints = ["region = 1"]
out = "released/households.csv"
dossier = "private"
accept = {sorted(FOUND - {"one-value", "dates-as-they-are"})}
[attributes]
home = {{ role = "identifier" }}
region = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
land = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
county = {{ role = "other" }}
tenure = {{ role = "sensitive" }}
note = {{ role = "other", unique = true }}
[records.members]
path = "members.csv"
person = "home"
knows = 1
[records.members.attributes]
home = {{ role = "identifier" }}
age = {{ role = "quasi-identifier", hierarchy = {{ kind = "intervals", widths = [10, 20] }} }}
moved = {{ role = "other" }}
job = {{ role = "sensitive" }}
"""
PERSON = r"\b(person|people|somebody's)\b|\bpersons( (who|whose|of|with|are|were|is|that|\()|\. )"
"""What is said of persons; tables and fields have the name, too."""


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    """Return a folder with a published release of households."""
    folder = tmp_path_factory.mktemp("survey")
    arrow_csv.write_csv(HOUSEHOLDS, folder / "households.csv")
    arrow_csv.write_csv(MEMBERS, folder / "members.csv")
    (folder / "survey.toml").write_text(SPEC)
    la.release_records(spec=folder / "survey.toml").publish()
    return folder


def list_persons(text):
    """List where a text speaks of persons, but for free text, which may name people."""
    plain = re.sub(r"<[^>]*>|&#?\w+;", " ", re.sub(r"<style.*?</style>", "", text, flags=re.S))
    said = " ".join(plain.split()).replace("which may name people", "")
    return [said[max(0, one.start() - 60) : one.end() + 30] for one in re.finditer(PERSON, said)]


def test_every_finding_calls_them_households(survey):
    made = la.release_records(spec=survey / "survey.toml")
    assert {one.name for one in made.preflight} == FOUND
    for one in made.preflight:
        assert list_persons(f"{one.sentence} {one.remedy}") == []
    assert "of 120 households" in repr(made)
    assert "of 120 households" in made._repr_html_()


def test_every_accepted_error_calls_them_households(survey):
    accepted = state_accepted(sorted(FOUND), "household", "households")
    assert [list_persons(one) for one in accepted] == [[]] * len(FOUND)
    assert "how many records a household has may find that household" in " ".join(accepted)
    assert "of a household finds the row of that household" in " ".join(accepted)
    assert not [
        one for one in state_accepted(sorted(FOUND), "person", "persons") if "household" in one
    ]
    assert not [one for one in state_accepted(sorted(FOUND), "person", "persons") if "{" in one]


@pytest.mark.parametrize("page", ["released/report.html", "private/report.html"])
def test_both_reports_call_them_households(survey, page):
    text = (survey / page).read_text()
    assert "household" in text
    assert list_persons(text) == []
    assert "any one of its members" in text


def test_the_page_of_a_reviewer_calls_them_households(survey):
    page = la.review(survey / "survey.toml").html
    assert "<dt>Households</dt>" in page
    assert list_persons(page) == []


@pytest.mark.parametrize(
    "command",
    [
        "release survey.toml --dry-run",
        "release survey.toml --explain",
        "check --spec survey.toml",
        "compare survey.toml",
        "explore survey.toml",
        "verify released",
        "verify released --spec survey.toml",
    ],
)
def test_every_command_calls_them_households(survey, monkeypatch, type_in, command):
    monkeypatch.chdir(survey)
    _, shown, errors = type_in(command)
    assert errors == ""
    assert "household" in shown
    assert list_persons(shown) == []
