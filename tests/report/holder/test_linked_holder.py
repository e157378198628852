"""The holder's report of linked tables: the verdict first, and figures without single rows."""

import re

import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la

from ..hostile_table import ALARM, CLOSING, SCRIPT
from .test_write_report import Reading

KEY = {"role": "identifier"}
HIDE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
PERSONS = 120


def make(**changes):
    """Release persons with visits, of whom one is alone with three visits."""
    people = pa.table({"key": [f"P-{n:05}" for n in range(PERSONS)], "sex": ["f", "m"] * 60})
    of = [f"P-{n:05}" for n in range(PERSONS) for _ in range(3 if n == 7 else n % 2)]
    asked = {
        "table": pa.table(
            {
                "key": of,
                "month": ["May"] * len(of),
                SCRIPT: [CLOSING if n % 2 else "cough" for n in range(len(of))],
                "bed": [f"{n:03}" for n in range(len(of))],
            }
        ),
        "person": "key",
        "knows": 1,
        "attributes": {
            "key": KEY,
            "month": HIDE,
            SCRIPT: {"role": "sensitive"},
            "bed": {"role": "other", "unique": True},
        },
    }
    return la.release_records(
        people,
        records={"visits": asked},
        source={"person": "key"},
        attributes={"key": KEY, "sex": HIDE},
        k=3,
        **changes,
    )


def test_the_page_is_about_what_the_holder_calls_a_person(tmp_path):
    made = make(accept=["as-is-unique"], unit="household")
    made.publish(tmp_path / "released" / "people.csv", dossier=tmp_path / "private")
    page = (tmp_path / "private" / "report.html").read_text(encoding="utf-8")
    for said in ("households released", "Records of a household", "Households left out"):
        assert said in page
    ours = page.partition("<h2>Risk")[2].partition('id="certificate"')[0]
    assert not re.search(r"\b(a|each|one|the) person\b", ours)


@pytest.fixture(scope="module")
def dossier(tmp_path_factory):
    """The dossier of a release whose error was accepted, beside its folder."""
    folder = tmp_path_factory.mktemp("holder")
    made = make(accept=["as-is-unique"])
    made.publish(folder / "released" / "people.csv", dossier=folder / "private")
    return folder / "private"


@pytest.fixture(scope="module")
def page(dossier):
    return (dossier / "report.html").read_text(encoding="utf-8")


def test_what_needs_a_decision_comes_first(page):
    read = Reading(page)
    sections = [one for one in read.ids if one in read.texts]
    assert sections == [
        "clearance",
        "findings",
        "risk",
        "attributes",
        "as-they-are",
        "records",
        "suppressed",
        "certificate",
    ]
    assert {f"#{one}" for one in sections} <= {to for name, to in read.attributes if name == "href"}
    assert len(read.ids) == len({*read.ids})


def test_the_verdict_names_the_accepted_error_and_the_conditions(page):
    words = " ".join(Reading(page).texts["clearance"].split())
    assert "Only under the conditions below" in words
    assert "1 error that would have stopped it (as-is-unique), accepted by the speci" in words
    assert "knows of a person no more than sex." in words
    assert "knows of somebody's visits only month, and no more than any one of them." in words
    assert "visits.bed" in words
    assert "earlier releases were not checked" in words


def test_no_smaller_risk_stands_above_that_of_a_finding(page):
    tiles = re.findall(r"<div><dt>(.*?)</dt><dd>(.*?)</dd>", page)
    assert tiles[0] == (
        "persons with a row whose columns released as they are nobody else has",
        "50.0 %",
    )
    assert tiles[1] == ("highest risk by what may be known", "1.7 %")


def test_the_risk_is_that_of_each_number_of_known_records(page):
    rows = re.findall(r'<th scope="row">([^<]+)</th>(.*?)</tr>', page.replace("\n", ""))
    shown = {name: re.findall(r'number">([0-9,]+) <', cells) for name, cells in rows}
    assert shown["sex and 1 of their visits"] == ["0", "0", "0", "0"]
    assert shown["sex and 2 of their visits"] == ["1", "1", "1", "1"]  # the one with three visits
    assert shown["what the specification says may be known"] == ["0", "0", "0", "0"]


def test_it_shows_no_key_no_pseudonym_and_executes_nothing(page, dossier):
    drawn = pyarrow.csv.read_csv(dossier.parent / "released" / "people.csv")["key"].to_pylist()
    assert len(drawn) == PERSONS
    assert not [one for one in drawn if one in page]
    assert "P-000" not in page
    read = Reading(page)
    assert not {"script", "link", "iframe", "object", "form"} & {*read.elements}
    assert ALARM in page
    assert "default-src 'none'" in page


def test_findings_about_persons_state_their_share():
    shares = {one.name: one.share for one in make().preflight}
    assert shares["as-is-unique"] == 0.5
    assert shares["record-numbers"] == 1 / PERSONS


def test_records_that_released_persons_lose_are_counted_apart(tmp_path):
    """One of six came twice: with one visit left, more persons than before have one."""
    months = [*((n, "May") for n in range(6)), (0, "June")]
    numbers, month = map(list, zip(*months, strict=True))
    visits = {
        "table": pa.table({"key": numbers, "month": month}),
        "person": "key",
        "knows": 1,
        "attributes": {"key": KEY, "month": HIDE},
    }
    made = la.release_records(
        pa.table({"key": [*range(6)], "sex": ["f"] * 6}),
        records={"visits": visits},
        source={"person": "key"},
        attributes={"key": KEY, "sex": HIDE},
        k=2,
        max_suppressed=1,
        constraints=["visits.month = 0"],
        suppressed_records="drop",
        accept=["record-numbers", "as-is-unique"],
    )
    made.publish(tmp_path / "released" / "people.csv", dossier=tmp_path / "private")
    read = Reading((tmp_path / "private" / "report.html").read_text(encoding="utf-8"))
    assert "Of visits, 1 row of released persons was left out" in read.texts["suppressed"]
    assert "left out" not in read.texts["records"]
