"""The screen *Hierarchies*: previews, forms, and what each bad input gets."""

import html
import re
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from lookalike.draft.column import ColumnProfile
from lookalike.draft.preview_hierarchy import preview_hierarchy
from lookalike.hierarchy import File, Mask
from lookalike.studio.hierarchies.definition_fields import DEFINITION_FIELDS

from .folk import AGE, EVIL, GONE, ILL, JOB, SPECIFICATION, TOWN, ZIP


@pytest.fixture
def studio(folk):
    return folk


@pytest.fixture
def facts(folk):
    return folk.session.facts


def look(studio, **query):
    return studio.get(f"/hierarchies?{urlencode(query)}")


def act(studio, action, column, **given):
    return studio.post(f"/hierarchies/{action}?column={column}", {"column": column, **given})


def hierarchy(studio, name):
    return studio.project.attributes[name]["hierarchy"]


def test_the_overview_shows_every_quasi_identifier_with_its_counts(studio, facts):
    page = studio.get("/hierarchies").text
    for place in (ZIP, AGE, JOB, TOWN, GONE):
        assert f'href="/hierarchies?column={place}"' in page
    assert f"/hierarchies?column={ILL}" not in page
    figures = preview_hierarchy(facts.find("zip").profile, Mask(), 3).levels
    card = page[page.index('id="column-0"') : page.index('id="column-1"')]
    shown = re.findall(r'<td class="number[^"]*">([\d,]+)</td>', card)
    expected = [one.values for one in figures] + [one.smallest for one in figures]
    assert shown == [str(one) for one in expected + [one.rows_below_k for one in figures]]
    assert "no table with a column of this name was profiled" in page


def test_a_column_without_values_is_not_put_in_order(studio, facts):
    """Every kind has a page for a column in which all values are missing."""
    empty = ColumnProfile("zip", 120, (), (), 0, 120)
    columns = tuple(
        replace(one, profile=empty) if one.name == "zip" else one for one in facts.columns
    )
    studio.session.facts = replace(facts, columns=columns)
    for kind in DEFINITION_FIELDS:
        assert look(studio, column=ZIP, kind=kind).status_code == 200
    assert "for 1 to 2,000 known values" in look(studio, column=ZIP, kind="ordering").text
    assert act(studio, "apply", ZIP, kind="ordering", sizes="3").status_code == 422


def test_a_file_must_be_chosen_first(studio):
    page = look(studio, column=ZIP, kind="file").text
    assert "choose a file of this folder" in page
    assert "Is a directory" not in page


def test_a_problem_is_shown_beside_its_column_with_the_remedy(studio, tmp_path):
    (tmp_path / "towns.csv").unlink()
    assert "give the path of a file that can be read" in studio.get("/hierarchies").text
    (tmp_path / "towns.csv").write_text("Rome;*\nParis;*\n")
    page = html.unescape(studio.get("/hierarchies").text)
    assert "4 values that the hierarchy does not know" in page
    assert EVIL not in studio.get("/hierarchies").text
    assert "add a line for it to towns.csv" in look(studio, column=TOWN).text


@pytest.mark.parametrize("place", ["6", "-1", "x", "", "0.0", "²", "9" * 50, EVIL])
def test_a_column_that_does_not_exist_is_refused(studio, place):
    answer = look(studio, column=place)
    assert answer.status_code == 422
    assert EVIL not in answer.text
    assert act(studio, "apply", place, kind="mask").status_code == 422
    assert studio.get(f"/hierarchies/export?{urlencode({'column': place})}").status_code == 422
    assert studio.project.text == SPECIFICATION


def test_a_column_with_another_role_leads_to_the_roles(studio):
    answer = look(studio, column=ILL)
    assert answer.status_code == 200
    assert "is not a quasi-identifier" in answer.text
    assert act(studio, "apply", ILL, kind="mask").status_code == 422
    assert studio.project.text == SPECIFICATION


KINDS = ["mask", "dates", "intervals", "ranges", "rounding", "taxonomy", "file", "suppress"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [AGE, TOWN, GONE])
def test_every_column_has_a_form_of_every_kind(studio, place, kind):
    answer = look(studio, column=place, kind=kind)
    assert answer.status_code == 200
    page = answer.text
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert EVIL not in page
    assert re.findall(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:", page) == []
    assert studio.project.text == SPECIFICATION


APPLIED = [
    (ZIP, "mask", {"keep": "3, 1"}, {"kind": "mask", "keep": [3, 1]}),
    (ZIP, "mask", {"from_left": "yes"}, {"kind": "mask", "from_left": True}),
    (
        ZIP,
        "mask",
        {"steps": "2", "suppression_level": "yes"},
        {"kind": "mask", "steps": 2, "suppression_level": True},
    ),
    (AGE, "intervals", {"widths": "10 20", "top": "60"}, {"widths": [10, 20], "top": 60}),
    (
        AGE,
        "ranges",
        {"starts": "0, 18, 65\n0 65", "last": "120", "unknown": "yes"},
        {
            "ranges": [[[0, 17], [18, 64], [65, 120]], [[0, 64], [65, 120]]],
            "unknown": "suppress",
        },
    ),
    (AGE, "rounding", {"bases": "5; 10"}, {"kind": "rounding", "bases": [5, 10]}),
    (ZIP, "suppress", {}, {"kind": "suppress"}),
    (
        GONE,
        "dates",
        {"steps": "month, 5 years", "formats": "%d.%m.%Y\n%Y-%m-%d", "century": "1930"},
        {"steps": ["month", "5 years"], "formats": ["%d.%m.%Y", "%Y-%m-%d"], "century": 1930},
    ),
    (AGE, "file", {"path": "towns.csv"}, {"kind": "file", "path": "towns.csv"}),
]


@pytest.mark.parametrize(("place", "kind", "given", "expected"), APPLIED)
def test_a_form_is_previewed_then_applied_then_undone(studio, place, kind, given, expected):
    preview = look(studio, column=place, kind=kind, defined="1", **given)
    assert preview.status_code == 200
    assert "It is not applied yet" in preview.text
    assert studio.project.text == SPECIFICATION
    assert act(studio, "apply", place, kind=kind, **given).status_code == 303
    name = list(studio.project.attributes)[int(place)]
    assert hierarchy(studio, name) == {"kind": hierarchy(studio, name)["kind"], **expected}
    applied = studio.project.text
    assert "This is the hierarchy in the specification" in look(studio, column=place).text
    studio.post(f"/hierarchies/undo?column={place}")
    assert studio.project.text == SPECIFICATION
    studio.post(f"/hierarchies/redo?column={place}")
    assert studio.project.text == applied


def test_what_was_previewed_is_what_apply_sends(studio):
    page = look(studio, column=AGE, kind="intervals", defined="1", widths="10, 50", top="60").text
    form = page[page.index('action="/hierarchies/apply') : page.index('id="apply"')]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert (sent["widths"], sent["top"], sent["kind"]) == ("10, 50", "60", "intervals")


WRONG = [
    ("mask", {"steps": "x"}, "steps"),
    ("mask", {"steps": "0"}, "steps"),
    ("mask", {"length": "99999999999"}, "length"),
    ("mask", {"keep": "1, 3"}, "keep"),
    ("dates", {"steps": "hour"}, "steps"),
    ("dates", {"formats": "%Q"}, "formats"),
    ("dates", {"century": "19xx"}, "century"),
    ("dates", {"fixed_day": "31"}, "fixed_day"),
    ("intervals", {"widths": "ten"}, "widths"),
    ("intervals", {"widths": "5, 7"}, "widths"),
    ("intervals", {"widths": "-5"}, "widths"),
    ("intervals", {"widths": "1e9"}, "widths"),
    ("intervals", {"widths": "5", "bottom": "60", "top": "18"}, "bottom"),
    ("intervals", {"widths": "5", "decimals": "999999999"}, "decimals"),
    ("intervals", {"widths": "2.5"}, "widths"),
    ("ranges", {"starts": "", "last": "9"}, "starts"),
    ("ranges", {"starts": "0, 5", "last": ""}, "last"),
    ("ranges", {"starts": "0, 18, 18", "last": "90"}, "starts"),
    ("ranges", {"starts": "18, 0", "last": "90"}, "starts"),
    ("ranges", {"starts": "0, 18", "last": "17"}, "starts"),
    ("ranges", {"starts": "0, 18\n0, 20", "last": "90"}, "starts"),
    ("ranges", {"starts": EVIL, "last": "90"}, "starts"),
    ("rounding", {"bases": "10, 15"}, "bases"),
    ("rounding", {"bases": EVIL}, "bases"),
    ("file", {"path": ""}, "path"),
    ("file", {"path": "../secret.csv"}, "path"),
    ("file", {"path": "/etc/passwd"}, "path"),
    ("file", {"path": "towns.csv", "delimiter": "ab"}, "delimiter"),
    ("file", {"path": "towns.csv", "encoding": "none"}, "encoding"),
    ("suppress", {"suppression_level": "yes"}, "suppression_level"),
]


@pytest.mark.parametrize(("kind", "given", "field"), WRONG)
def test_a_wrong_field_is_refused_beside_it(studio, kind, given, field):
    preview = look(studio, column=AGE, kind=kind, defined="1", **given)
    applied = studio.post(
        f"/hierarchies/apply?column={AGE}&kind={kind}", {"column": AGE, "kind": kind, **given}
    )
    assert (preview.status_code, applied.status_code) == (200, 422)
    assert 'id="apply"' not in preview.text
    for page in (preview.text, applied.text):
        assert f'id="f-{field}-problem"' in page
        assert EVIL not in page
    assert studio.project.text == SPECIFICATION


@pytest.mark.parametrize("kind", ["", "Mask", "listed", EVIL])
def test_a_kind_that_does_not_exist_is_refused(studio, kind):
    assert look(studio, column=ZIP, kind=kind).status_code == 422
    assert act(studio, "apply", ZIP, kind=kind).status_code == 422
    assert studio.project.text == SPECIFICATION


def test_bounds_are_added_and_removed_on_the_histogram(studio):
    page = look(studio, column=AGE, kind="ranges").text
    links = re.findall(
        r'<a href="(/hierarchies\?[^"]+)"[^>]*aria-label="(\w+)[^"]*bound at (\d+)', page
    )
    added = {int(at): html.unescape(link) for link, what, at in links if what == "Add"}
    removed = {int(at): html.unescape(link) for link, what, at in links if what == "Remove"}
    assert 20 in removed
    assert 18 in added
    starts = re.search(r">\n([^<]*)</textarea>\n<p class=\"hint\" id=\"f-starts", page)[1]
    after = studio.get(removed[20]).text
    assert starts.splitlines()[0].split(", ")[1] == "20"
    assert "\n10, 25, 30" in after
    assert "18, 20, 25" in studio.get(added[18]).text
    assert studio.project.text == SPECIFICATION


RANGES = {"kind": "ranges", "defined": "1", "starts": "17, 30, 60\n17, 60", "last": "90"}


def test_bounds_are_moved_removed_and_added_by_number(studio):
    fields = RANGES | {"column": AGE, "level": "2", "move-60": "55", "add": "70"}
    page = look(studio, **fields).text
    assert "\n17, 30, 55, 70\n17, 55, 70</textarea>" in page
    page = look(studio, **RANGES, column=AGE, **{"move-60": "", "move-30": "30"}).text
    assert "\n17, 30\n17</textarea>" in page
    assert studio.project.text == SPECIFICATION


@pytest.mark.parametrize(
    "moves",
    [{"move-60": "x"}, {"move-60": "17"}, {"move-30": "91"}, {"add": "-4"}, {"add": EVIL}],
)
def test_a_bound_that_cannot_be_there_is_refused(studio, moves):
    page = look(studio, **RANGES, column=AGE, **moves).text
    assert re.search(r'class="problem">The bound \d* must be', page)
    assert "\n17, 30, 60\n17, 60</textarea>" in page
    assert 'id="apply"' not in page
    assert EVIL not in page


@pytest.mark.parametrize("fields", [{"starts": ""}, {"starts": "x"}, {"last": ""}, {"last": "²"}])
def test_bounds_are_not_moved_while_the_form_is_wrong(studio, fields):
    asked = RANGES | {"column": AGE, "move-60": "50"} | fields
    assert look(studio, **asked, level="9" * 5000).status_code == 200


def test_the_level_of_the_bounds_is_chosen(studio):
    page = look(studio, column=AGE, level="2").text
    assert "Bounds of level 2: 20, 30, 40, 50, 60, 70" in page
    for level in ("0", "99", "x", EVIL):
        assert look(studio, column=AGE, level=level).status_code == 200


def test_the_proposal_can_be_taken_back(studio, facts):
    act(studio, "apply", AGE, kind="suppress")
    assert act(studio, "propose", AGE).status_code == 303
    assert facts.find("age").hierarchy in studio.project.text
    assert act(studio, "propose", GONE).status_code == 422
    studio.post("/hierarchies/undo")
    assert hierarchy(studio, "age") == {"kind": "suppress"}


def test_the_labels_of_a_level_are_bounded_and_the_rest_is_counted(studio):
    page = look(studio, column=AGE).text
    level = page[page.index('id="labels-0"') : page.index('id="labels-1"')]
    assert level.count("<li>") == 12
    assert "and 48 more in 96 rows" in level


def test_a_specification_without_a_profile_is_shown_and_edited(studio):
    studio.session.facts = None
    for place in (ZIP, AGE, JOB, TOWN, GONE):
        for kind in KINDS:
            assert look(studio, column=place, kind=kind).status_code == 200
    assert act(studio, "apply", AGE, kind="intervals", widths="20").status_code == 303
    assert "there are no counts" in look(studio, column=AGE).text


def test_an_export_is_read_back(studio, tmp_path, facts):
    answer = studio.get(f"/hierarchies/export?column={TOWN}")
    assert answer.headers["content-disposition"].endswith("town-hierarchy.csv")
    (tmp_path / "back.csv").write_bytes(answer.content)
    before, after = File(tmp_path / "towns.csv"), File(tmp_path / "back.csv")
    assert before.listing == after.listing
    assert studio.get(f"/hierarchies/export?column={GONE}").status_code == 422
    masked = studio.get(f"/hierarchies/export?column={ZIP}").text.splitlines()
    assert len(masked) == facts.find("zip").profile.distinct


def test_roles_link_to_the_hierarchies(studio):
    page = studio.get("/roles").text
    assert 'href="/hierarchies?column=2"' in page
    assert 'id="next" href="/hierarchies"' in page
    assert 'id="next" href="/protection"' in studio.get("/hierarchies").text
    assert "lookalike hierarchy check folk.toml" in studio.get("/hierarchies").text
