"""What notebooks show: tables that escape everything and show no private value."""

from html.parser import HTMLParser

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.hierarchy.html_table import (
    MOST_LINES,
    ShareBar,
    write_html_notes,
    write_html_table,
)

HOSTILE = '<script>alert("1")</script>\x1b[2J\u202e&amp;'
TAGS = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "span"}


class Reader(HTMLParser):
    """Collects the elements and the text of HTML, and checks that all elements are closed."""

    def __init__(self):
        super().__init__()
        self.tags, self.open, self.text = set(), [], ""

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.open.append(tag)
        assert {name for name, _ in attributes} <= {"style", "aria-hidden"}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(html):
    """Read HTML; it has no element and no control character of the data."""
    reader = Reader()
    reader.feed(html)
    assert not reader.open
    assert reader.tags <= TAGS
    assert html.isprintable()
    return reader.text


def test_hostile_text_is_shown_as_text():
    shown = read(write_html_table(HOSTILE, [HOSTILE], [[HOSTILE]]) + write_html_notes(HOSTILE))
    assert shown.count('<script>alert("1")</script>\\x1b[2J\\u202e&amp;') == 4


def test_a_long_text_is_cut():
    assert len(read(write_html_table("", [""], [["x" * 10_000]]))) < 1000


def test_a_long_table_says_how_many_lines_are_left():
    shown = read(write_html_table("", ["n"], ([one] for one in range(MOST_LINES + 23))))
    assert "… and 23 more." in shown
    assert "100" not in shown


@pytest.mark.parametrize(
    ("cell", "shown"),
    [(1234, "1,234"), (0.5, "0.5000"), (None, "–"), (True, "yes"), (ShareBar(0.25), "25.0 %")],
)
def test_figures(cell, shown):
    assert read(write_html_table("", [""], [[cell]])) == shown


def test_no_colour_is_fixed():
    html = write_html_table("a", ["b"], [["c"], [ShareBar(0.5)]])
    assert "color:" not in html
    assert "#" not in html


@pytest.mark.parametrize(
    ("hierarchy", "example"),
    [
        (la.Mask(), ["02138", "0213*", "0****"]),
        (la.Dates(), ["1965-09-01", "1960-1969"]),
        (la.Dates(formats=["%d.%m.%y"], century=1900), ["01.09.65", "1960-1969"]),
        (la.Intervals([5, 20]), ["37", "35-39", "20-39"]),
        (la.Rounding([10]), ["37", "40"]),
        (la.Suppress(), ["any value", "*"]),
        (la.Taxonomy({"person": ["a1", "a2", "a3", "a4"]}), ["person", "a3"]),
        (la.Mask(length=3), ["mask hierarchy"]),
    ],
)
def test_a_hierarchy_shows_what_a_value_becomes(hierarchy, example):
    shown = read(hierarchy._repr_html_())
    assert all(label in shown for label in example)
    assert "a4" not in shown


def test_a_file_shows_a_few_of_its_values(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("".join(f"<script>{number}|top\n" for number in range(9)))
    shown = read(la.File(path, delimiter="|")._repr_html_())
    assert shown.count("<script>") == 3
    assert "top" in shown


def test_a_file_that_cannot_be_read_shows_why():
    assert "no such file.csv" in read(la.File("no such file.csv")._repr_html_())


def test_an_exploration_that_reached_nothing_says_so():
    people = pa.table({"zip": ["1", "1", "2", "2"]})
    zips = {"zip": {"role": "quasi-identifier", "hierarchy": la.Suppress()}}
    shown = read(la.explore(people, attributes=zips, k=2, time_limit=0.0)._repr_html_())
    assert "No release at k = 2, 0 % of the rows suppressed." in shown


def test_results_show_names_as_text(tmp_path):
    name = "<script>alert('1')</script>&amp;"
    table = pa.table({name: [f"{HOSTILE}{row % 3}" for row in range(12)], "ill": [*"ab"] * 6})
    roles = {
        name: {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
        "ill": {"role": "sensitive"},
    }
    made = la.release(table, attributes=roles, k=2)
    grid = la.Grid(ks=(2,), limits=(0,), methods=("mingen",))
    counted = la.count_column(table, name)
    certificate = made.publish(tmp_path / "out" / "rows.csv")
    results = [
        made,
        certificate,
        la.verify(tmp_path / "out"),
        la.explore(table, attributes=roles, k=2, grid=grid),
        la.risk(table, [name], sensitive=["ill"]),
        la.check(table, [name]),
        la.draft(table),
        la.utility(made),
        la.preview_hierarchy(counted, la.Suppress()),
        la.propose_hierarchy(counted),
        la.propose_hierarchy(counted).hierarchy,
        la.Suppress().bind(name, counted.values),
    ]
    named = {type(one).__name__ for one in results if name in read(one._repr_html_())}
    assert {"Release", "Certificate", "Exploration", "Risk", "Draft", "Utility"} <= named
    unnamed = {type(one).__name__ for one in results} - named
    assert unnamed <= {"Verification", "Checked", "ProposedHierarchy", "Listed", "Suppress"}


def test_a_release_of_linked_tables_shows_names_and_figures_and_no_value():
    hide = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    name, people = "<script>", pa.table({"no": [*range(6)], "zip": [HOSTILE] * 6})
    visits = pa.table({"no": [*range(6)], name: [f"{HOSTILE}{row % 2}" for row in range(6)]})
    asked = {"person": "no", "knows": 1, "attributes": {"no": {"role": "identifier"}, name: hide}}
    made = la.release_records(
        people,
        records={"visits": {"table": visits, **asked}},
        source={"person": "no"},
        attributes={"no": {"role": "identifier"}, "zip": hide},
        k=3,
        unit="family",
    )
    for one in (made, made.certificate):
        shown = read(one._repr_html_())
        assert all(one in shown for one in ("visits", name, "persons", "zip"))
        assert "alert" not in shown
    assert "0 of 6 families left out with all rows." in read(made._repr_html_())
