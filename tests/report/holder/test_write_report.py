"""The holder's report shows the facts of a release, and private text stays text."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lookalike as la
from lookalike.publish.review import Decision, Review, Subject
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
        "clearance",
        "findings",
        "open",
        "sensitive",
        "rules",
        "risk",
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
    assert f"{facts.described.exposure.cells:,} generalized cells" in read.texts["open"]
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
    assert "It is not defined for this release" in texts["open"]
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
    said = Reading(page_of(facts, singled_out=found)).texts["clearance"]
    by_class, by_columns = "highest risk over the quasi-identifier", "released as they are single"
    assert f"{100 * facts.described.classes[0].after.risk.highest:.1f} %" in said
    assert ("not counted" if share is None else f"{100 * share:.1f} %") in said
    assert (said.index(by_columns) < said.index(by_class)) == (share != 0.01)


def finding(name, severity="error", share=None, *, accepted=True, sentence="Found."):
    given = {"name": name, "severity": severity, "sentence": sentence, "remedy": "none"}
    return {**given, "accepted": accepted, "share": share}


def with_findings(facts, *findings, **changes):
    return replace(facts, preflight=replace(facts.preflight, findings=findings, **changes))


def shown_shares(page):
    """Return the shares of the tiles, in their order."""
    tiles = page[page.index('<dl class="cards">') : page.index("rows released")]
    return [float(one) for one in re.findall(r"<dd>([0-9.]+) %</dd>", tiles)]


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["as-is-unique-in-class", "derived-column", "one-sensitive-value"]),
            st.sampled_from(["error", "warning"]),
            st.integers(0, 1000),
        ),
        max_size=4,
    )
)
def test_no_tile_shows_a_smaller_risk_above_that_of_a_finding(facts, found):
    listed = [finding(name, severity, thousandth / 1000) for name, severity, thousandth in found]
    shares = shown_shares(page_of(with_findings(facts, *listed)))
    assert shares == sorted(shares, reverse=True)
    assert shares[0] >= max((one["share"] for one in listed), default=0) * 100 - 0.05


def test_a_note_has_no_tile(facts):
    note = finding("derived-column", "note", 0.99, accepted=False)
    assert 99.0 not in shown_shares(page_of(with_findings(facts, note)))


@pytest.mark.parametrize(
    ("findings", "answer"),
    [
        ((), "Yes, under the conditions below"),
        ((finding("little-kept", "note"),), "Yes, under the conditions below"),
        ((finding("little-kept", "warning"),), "Only under the conditions below"),
        ((finding("as-is-unique"),), "Only under the conditions below"),
    ],
)
def test_the_answer_depends_on_what_was_found(facts, findings, answer):
    said = Reading(page_of(with_findings(facts, *findings))).texts["clearance"]
    assert answer in said
    stopping = any(one["severity"] == "error" for one in findings)
    assert ("accepted by the specification" in said) == stopping


def test_a_release_that_is_not_k_anonymous_must_not_go_out(facts):
    [promised] = facts.certificate.quasi_identifiers
    failing = replace(facts.certificate, quasi_identifiers=(replace(promised, rows_below_k=3),))
    said = Reading(page_of(replace(facts, certificate=failing))).texts["clearance"]
    assert "\nNo\n" in said
    assert "3 rows are in classes that are too small" in said


def test_conditions_name_the_quasi_identifier_and_the_page_does_so_once(facts):
    page = page_of(facts)
    [promised] = facts.certificate.quasi_identifiers
    names = ", ".join(promised.attributes)
    beyond = page[: page.index('<section id="certificate">')]
    assert re.sub(r"<[^>]*>", "", beyond).count(names) == 1
    said = Reading(page).texts["clearance"]
    assert f"knows of a person no more than the quasi-identifier: {names}." in said
    assert "Each person has one row" in said


def test_rules_that_are_not_met_come_first(facts):
    verdicts = re.findall(
        r'<span class="(met|not-met|not-for-software-to-decide)">', page_of(facts)
    )
    order = ["not-met", "not-for-software-to-decide", "met"]
    assert len(set(verdicts)) == 3
    assert verdicts == sorted(verdicts, key=order.index)


def test_suppressed_values_are_collapsed_at_first(facts):
    page = page_of(facts)
    section = page[
        page.index('<section id="suppressed">') : page.index('<section id="alternatives">')
    ]
    assert "<details>" in section
    assert "<details open" not in section


def test_who_reviewed_the_release_for_whom_and_for_what(facts):
    error = finding("as-is-unique")
    decided = Decision("as-is-unique", "Found.", "accept", "a contract")
    review = Review(
        Subject("0" * 64, "1" * 64), "accept", "for a year", "Ann <b>", "2026-11-18", (decided,)
    )
    known = {"recipient": "ministry", "purpose": "planning beds", "source_sha256": "1" * 64}
    texts = Reading(page_of(with_findings(facts, error, review=review, **known))).texts
    for said in (
        "ministry, and nobody else. Purpose: planning beds.",
        "Ann <b>, on 2026-11-18: for a year",
        "1" * 64,
    ):
        assert said in texts["clearance"]
    assert "accepted by Ann <b> on 2026-11-18" in texts["findings"]
    assert "Reason: a contract" in texts["findings"]
    other = with_findings(facts, finding("as-is-unique", sentence="Other."), review=review)
    assert "accepted in the specification" in Reading(page_of(other)).texts["findings"]
    assert (
        "Nobody: the release was published without a review."
        in Reading(page_of(facts)).texts["clearance"]
    )
