"""The holder's report shows the facts of a release, and private text stays text."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

import lookalike as la
from lookalike.risk.table.as_is import AsIs, SingledOut

from ...describe.invented_people import release
from ..hostile_table import ALARM, LONG, TURNED, hostile_roles, hostile_table
from .published_facts import SHA256, facts_of, page_of


class Reading(HTMLParser):
    """Reads a page: its elements, their attributes, and its text by section."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.attributes, self.ids = [], [], []
        self.section, self.texts = "head", {}
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes += attrs
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "section":
            self.section = given["id"]

    def handle_data(self, data):
        self.texts[self.section] = self.texts.get(self.section, "") + data


@pytest.fixture(scope="module")
def facts():
    return facts_of(release(method="mingen-cells", k=4))


@pytest.fixture(scope="module")
def read(facts):
    return Reading(page_of(facts))


def test_what_needs_a_decision_comes_first(read):
    sections = [one for one in read.ids if one in read.texts]
    assert sections == [
        "findings",
        "rules",
        "risk",
        "sensitive",
        "attributes",
        "suppressed",
        "alternatives",
        "earlier",
        "certificate",
    ]
    links = {value for name, value in read.attributes if name == "href"}
    assert links >= {f"#{one}" for one in sections}


def test_it_names_its_release_and_loads_nothing(facts):
    page = page_of(facts)
    assert f'<meta name="release-sha256" content="{SHA256}">' in page
    assert "default-src 'none'" in page
    read = Reading(page)
    assert not {"script", "link", "iframe", "object", "form"} & set(read.elements)
    assert not [name for name, _ in read.attributes if name.startswith("on") or name == "src"]
    assert len(read.ids) == len(set(read.ids))


def test_findings_are_shown_with_remedy_and_whether_they_were_accepted(facts):
    found = Reading(page_of(facts)).texts["findings"]
    for one in facts.preflight.findings:
        assert one["sentence"] in found
        assert one["remedy"] in found
    assert "accepted" not in found.replace("accepts", "")
    accepted = tuple({**one, "accepted": True} for one in facts.preflight.findings)
    again = replace(facts, preflight=replace(facts.preflight, findings=accepted))
    shown = Reading(page_of(again)).texts["findings"]
    assert shown.count("accepted in the specification") == len(accepted)


def test_figures_are_those_of_the_facts(facts, read):
    (classes,) = facts.described.classes
    assert f"{100 * classes.after.risk.highest:.1f}" in read.texts["risk"]
    assert f"{classes.before.uniqueness.unique_rows:,}" in read.texts["risk"]
    assert f"{facts.described.exposure.cells:,} generalized cells" in read.texts["risk"]
    assert f"{facts.described.sensitive[0].figures.entropy_l:.2f}" in read.texts["sensitive"]
    for one in facts.described.attributes:
        assert f"{100 * one.figures.kept:.1f}" in read.texts["attributes"]
    assert all(one.rule in read.texts["rules"] for one in facts.rules)
    assert f"There are {facts.described.lattice.size:,} vectors" in read.texts["alternatives"]
    assert read.elements.count("svg") == 4


def test_missing_values_and_suppressed_rows_are_shown(facts, read):
    assert "(missing)" in read.texts["attributes"]
    gone = facts.certificate.rows_suppressed
    assert gone
    assert f"{gone:,} of 120 rows" in read.texts["suppressed"]


def test_what_is_not_there_is_said_in_words(facts):
    page = page_of(
        replace(facts, earlier=()),
        exposure=None,
        frontier=None,
        sensitive=(),
        unmeasured=("notes",),
        lattice=replace(facts.described.lattice, nodes=(), heights=(), minimal=()),
    )
    texts = Reading(page).texts
    assert "It is not defined for this release" in texts["risk"]
    assert "Not measured, because there are too many values to compare: notes" in texts["sensitive"]
    assert "Not computed" in texts["alternatives"]
    assert "They were not evaluated" in texts["alternatives"]
    assert "This is the first release" in texts["earlier"]


def test_earlier_releases_are_listed(facts):
    stated = {"number": 1, "certificate": facts.certificate}
    forgotten = {"published": "2026-03-01T10:00:00+00:00", "forgotten": "2026-04-01"}
    earlier = (
        SimpleNamespace(**stated, **forgotten, recipient=None, policy="check-only"),
        SimpleNamespace(
            **stated, published=None, forgotten=None, recipient="ministry", policy="based-on"
        ),
    )
    found = Reading(page_of(replace(facts, earlier=earlier))).texts["earlier"]
    assert "check-only (forgotten)" in found
    assert "2026-03-01T10:00:00+00:00" in found
    assert "ministry" in found


def test_a_lattice_that_is_too_large_to_draw_is_counted_by_height(facts):
    lattice = replace(facts.described.lattice, nodes=())
    page = page_of(facts, lattice=lattice)
    assert "Vectors satisfy the requirement from height" in page


def test_hostile_names_and_values_stay_text():
    made = la.release(
        hostile_table(),
        k=2,
        method="mingen",
        attributes=hostile_roles(),
        accept=["as-is-unique", "as-is-unique-in-class", "free-text"],
    )
    page = page_of(facts_of(made))
    read = Reading(page)
    assert not {"script", "img", "link", "iframe"} & set(read.elements)
    assert not [name for name, _ in read.attributes if name.startswith("on") or name == "src"]
    assert ALARM in "".join(read.texts.values())
    assert LONG not in page
    assert TURNED not in page
    assert "1337" not in page
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", page)
    assert page.rstrip().endswith("</html>")


def test_it_does_not_count_minimal_vectors_that_nobody_decided(facts):
    known = facts.described.lattice
    heights = tuple(replace(one, satisfying=0, undecided=5) for one in known.heights)
    open_ones = replace(known, heights=heights, minimal=(), is_complete=False, nodes=())
    said = Reading(page_of(facts, lattice=open_ones)).texts["alternatives"]
    assert "it is not known how many are minimal" in said
    assert "0 are minimal" not in said


def test_cells_that_the_top_level_hides_are_counted_there(facts):
    sex = next(one for one in facts.described.attributes if one.figures.attribute == "sex")
    hidden = sex.levels[-1].hidden
    assert hidden
    said = Reading(page_of(facts)).texts["attributes"]
    assert re.search(rf"{hidden} \([0-9.]+.%; hidden\)", said.replace("\n", ""))


@pytest.mark.parametrize("share", [0.98, 0.01, None])
def test_the_headline_shows_both_risks_and_the_worse_one_first(facts, share):
    rows = None if share is None else round(1000 * share)
    found = None if rows is None else AsIs(1000, SingledOut(("ill", "day"), rows), ())
    said = Reading(page_of(facts, singled_out=found)).texts["head"]
    by_class, by_columns = "highest risk over the quasi-identifier", "released as they are single"
    assert f"{100 * facts.described.classes[0].after.risk.highest:.1f} %" in said
    assert ("not counted" if share is None else f"{100 * share:.1f} %") in said
    assert (said.index(by_columns) < said.index(by_class)) == (share != 0.01)
