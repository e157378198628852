"""The screen Protection: every field is one undoable change, or an error beside it."""

import html
import re
from itertools import pairwise

import pytest

from lookalike.search.lattice.objectives import OBJECTIVES
from lookalike.search.methods import TAKES
from lookalike.spec.presets import PRESETS
from lookalike.spec.protect import model_protect
from lookalike.studio.editing.form_fields import find_form_field
from lookalike.studio.screens.protection import list_protection_fields

from .conftest import SPECIFICATION
from .folk import SPECIFICATION as FOLK

HOSTILE = '<script>alert("x")</script>'
DEFAULTS = '[defaults]\nrole = "other"\n'
SENSITIVE = "# what it is about\nprotect = { share = 0.8, closeness = { t = 0.2 } }  # agreed\n"


def post(studio, given):
    return studio.post("/protection/ask", given)


def release_of(studio):
    return studio.project.fields["release"]


def list_form(page):
    """Return the fields of the form as a browser would send them."""
    form = re.search(r'<form method="post" action="/protection/ask".*?</form>', page, re.S)[0]
    given = dict(re.findall(r'<input id="[^"]+" name="([^"]+)" value="([^"]*)"', form))
    selects = re.findall(r'<select id="[^"]+" name="([^"]+)".*?>(.*?)</select>', form, re.S)
    for name, options in selects:
        found = re.search(r'value="([^"]*)" selected', options)
        given[name] = found[1] if found else ""
    given |= dict(re.findall(r'name="([^"]+)" id="[^"]+" value="([^"]*)" checked', form))
    return given


def test_every_choice_has_its_line():
    assert all(one.result and one.meaning for one in TAKES.values())
    assert find_form_field("release.objective").choices.keys() == {*OBJECTIVES}
    fields = list_protection_fields()
    assert {one.protection.name for one in fields} == {*model_protect().model_fields}
    assert len({one.name for one in fields}) == len(fields)
    [distance] = [one for one in fields if one.name == "distance"]
    assert [*distance.parameter.choices] == ["equal", "ordered", "hierarchy"]


@pytest.mark.parametrize("more", ["", SENSITIVE, "protect = { likeness = { beta = 2 } }\n"])
def test_the_form_as_it_is_shown_changes_nothing(studio, more):
    studio.session.change(SPECIFICATION + more, "protect")
    given = list_form(studio.get("/protection").text)
    assert {
        "release.k",
        "release.method",
        "source.person",
        "entropy-2",
        "distance-2",
    } <= given.keys()
    assert post(studio, given).status_code == 303
    assert studio.project.text == SPECIFICATION + more
    assert [step.what for step in studio.project.past] == (["protect"] if more else [])


def test_every_change_of_a_form_is_one_step(studio):
    given = list_form(studio.get("/protection").text)
    post(studio, given | {"release.k": "3", "release.decoys": "0.02", "distinct-2": "2"})
    assert [one.what for one in studio.project.past] == ["k, decoys, secrecy, protection of ill"]
    studio.post("/protection/undo")
    assert studio.project.text == SPECIFICATION


def test_all_protections_are_written_and_removed(studio):
    given = {
        "distinct-2": "2", "share-2": "0.9", "entropy-2": "1.5", "closeness-2": "0.4",
        "distance-2": "ordered", "recursive-c-2": "3", "recursive-l-2": "2", "likeness-2": "2.5",
        "enhanced-2": "false", "disclosure-2": "1.5",
    }  # fmt: skip
    assert post(studio, given).status_code == 303
    asked = studio.project.attributes["ill"]["protect"]
    assert {name: _plain(one) for name, one in asked.items()} == {
        "distinct": 2,
        "share": 0.9,
        "closeness": {"t": 0.4, "distance": "ordered"},
        "entropy": 1.5,
        "recursive": {"c": 3, "l": 2},
        "likeness": {"beta": 2.5, "enhanced": False},
        "disclosure": {"delta": 1.5},
    }
    page = studio.get("/protection").text
    assert "ill is at least as uncertain as 1.5 equally frequent values" in page
    assert '<option value="false" selected>' in page
    post(studio, dict.fromkeys(given, "") | {"distance-2": "ordered", "enhanced-2": "false"})
    assert studio.project.text == SPECIFICATION


def _plain(value):
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return value if isinstance(value, str | bool) else float(value)


def test_one_protection_changes_and_others_stay_as_they_are_written(studio):
    studio.session.change(SPECIFICATION + SENSITIVE, "protect")
    given = list_form(studio.get("/protection").text)
    post(studio, given | {"closeness-2": "0.3"})
    assert "protect = { share = 0.8, closeness = { t = 0.3 } }" in studio.project.text
    assert "# what it is about" in studio.project.text


BAD = [
    ("release.k", "1", "k"),
    ("release.k", "", "k"),
    ("release.k", "-5", "k"),
    ("release.highest_risk", "0.5", "highest-risk"),
    ("release.highest_risk", "2", "highest-risk"),
    ("release.average_risk", "0", "average-risk"),
    ("release.average_risk", "half", "average-risk"),
    ("release.decoys", "0.9", "decoys"),
    ("release.max_exposure", "7", "max-exposure"),
    ("release.lottery_rate", "0", "lottery-rate"),
    ("release.method", "magic", "method"),
    ("release.method", HOSTILE, "method"),
    ("release.objective", "beauty", "objective"),
    ("release.suppressed_rows", "burn", "suppressed-rows"),
    ("release.secrecy", "none", "secrecy"),
    ("release.preset", "hipaa", "preset"),
    ("source.person", "zip", "person"),
    ("distinct-2", "0", "distinct-2"),
    ("distinct-2", "2.5", "distinct-2"),
    ("share-2", "1.5", "share-2"),
    ("entropy-2", "0.5", "entropy-2"),
    ("closeness-2", "-1", "closeness-2"),
    ("recursive-c-2", "3", "recursive-l-2"),
    ("recursive-l-2", "2", "recursive-c-2"),
    ("likeness-2", "0", "likeness-2"),
    ("disclosure-2", "0", "disclosure-2"),
    ("disclosure-2", HOSTILE, "disclosure-2"),
]


@pytest.mark.parametrize(("field", "value", "place"), BAD)
def test_what_is_wrong_is_said_beside_its_field(studio, field, value, place):
    studio.session.change(SPECIFICATION + SENSITIVE, "protect")
    answer = post(studio, {field: value})
    assert answer.status_code == 422
    assert f'id="{place}-problem"' in answer.text
    assert "<script>alert" not in answer.text
    assert studio.project.text == SPECIFICATION + SENSITIVE


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"recursive-c-2": "3", "recursive-l-2": "1"}, "recursive-l-2"),
        ({"recursive-c-2": "0", "recursive-l-2": "2"}, "recursive-c-2"),
        ({"closeness-2": "0.2", "distance-2": "far"}, "distance-2"),
        ({"closeness-2": "0.2", "distance-2": "hierarchy"}, "distance-2"),
    ],
)
def test_of_several_numbers_the_wrong_one_is_named(studio, given, place):
    answer = post(studio, given)
    assert answer.status_code == 422
    assert f'id="{place}-problem"' in answer.text
    assert studio.project.text == SPECIFICATION


def test_the_first_protection_shows_the_choice_of_secrecy(studio):
    assert "secrecy-search" not in studio.get("/protection").text
    post(studio, {"share-2": "0.8"})
    assert release_of(studio)["secrecy"] == "search"
    page = studio.get("/protection").text
    assert 'id="secrecy-search" value="search" checked' in page
    assert "may conclude more than a class shows, up to certainty" in page
    post(studio, {"release.secrecy": "lottery", "release.lottery_rate": "0.3"})
    assert release_of(studio)["secrecy"] == "lottery"
    post(studio, {"release.secrecy": "", "release.lottery_rate": ""})
    assert "secrecy" not in release_of(studio)
    post(studio, {"distinct-2": "2", "release.secrecy": ""})
    assert "secrecy" not in release_of(studio)


def test_a_lottery_goes_with_the_last_protection(studio):
    post(studio, {"share-2": "0.8"})
    post(studio, {"release.secrecy": "lottery", "release.lottery_rate": "0.3"})
    post(studio, {"share-2": ""})
    assert studio.project.text == SPECIFICATION


def test_what_would_be_refused_is_said_before(studio):
    post(studio, {"share-2": "0.8", "release.method": "datafly"})
    post(studio, {"release.secrecy": "lottery"})
    assert "secrecy: method datafly does not take a lottery" in studio.get("/protection").text
    post(studio, {"distinct-2": "2", "release.method": ""})
    assert "a lottery is for largest shares alone" in studio.get("/protection").text
    post(studio, {"release.secrecy": "blind"})
    assert "This would be refused" not in studio.get("/protection").text


def test_a_preset_sets_k_in_one_change_and_is_left_without_losing_it(studio):
    post(studio, {"release.preset": "ema", "release.k": "2"})
    assert release_of(studio) == {"preset": "ema", "out": "released/people.csv"}
    assert len(studio.project.past) == 1
    page = studio.get("/protection").text
    assert "The preset sets highest_risk = 0.09 (k = 12)" in page
    assert "occurs at least 12 times" in page
    assert "External guidance on the implementation of Policy 0070" in page
    post(studio, {"release.preset": "", "release.k": ""})
    assert str(release_of(studio)["highest_risk"]) == "0.09"
    assert "preset" not in release_of(studio)


def test_a_stricter_k_counts_beside_a_preset_and_a_weaker_one_is_refused(studio):
    post(studio, {"release.k": "20"})
    post(studio, {"release.preset": "cms", "release.k": "20"})
    assert release_of(studio)["k"] == 20
    assert "The specification itself sets k = 20" in studio.get("/protection").text
    answer = post(studio, {"release.k": "5"})
    assert answer.status_code == 422
    assert 'id="k-problem"' in answer.text
    assert "is weaker than preset" in answer.text


def test_each_preset_is_a_choice_with_its_rule_and_source(studio):
    page = studio.get("/protection").text
    for name, preset in PRESETS.items():
        assert f'value="{name}"' in page
        assert preset.asks in page
    assert page.count("not assured") == len(PRESETS)


def test_several_quasi_identifiers_are_shown(studio):
    groups = '\n[[quasi_identifiers]]\nname = "patient"\nattributes = ["zip"]\nk = 7\n'
    studio.session.change(SPECIFICATION + groups, "text")
    page = studio.get("/protection").text
    assert '<th scope="row">patient</th>' in page
    assert 'data-label="k">7<' in page


def test_registers_are_shown(studio):
    register = 'k = 2\nk_map = { k = 4, population = "people.csv" }'
    studio.session.change(SPECIFICATION.replace("k = 2", register), "text")
    page = studio.get("/protection").text
    assert "population = <code>people.csv</code>" in page
    assert "matches at least 4 people of a register" in page


def test_columns_of_patterns_and_defaults_are_part_of_what_is_promised(folk):
    """Columns that no line names are released as they are, and a pattern may be linkable."""
    lines = ['[attributes."z*"]', 'role = "quasi-identifier"', 'hierarchy = { kind = "mask" }']
    given = FOLK[: FOLK.index("[attributes.zip]")] + "\n".join([*lines, "", DEFAULTS])
    folk.session.change(given, "patterns")
    page = html.unescape(folk.get("/protection").text)
    assert "Every combination of zip in the release occurs at least 3 times" in page
    assert "Outside the promise: age, job, town, ill." in page
    assert "Whoever also knows age, job, town and ill of the person may find the row." in page
    assert "are not known here" not in page
    folk.session.facts = None
    page = html.unescape(folk.get("/protection").text)
    assert "Patterns and [defaults] stand for columns that are not known here" in page
    assert "Nothing is promised" not in page


def test_the_method_is_chosen_for_the_user_with_its_reason(studio):
    assert "<code>mingen-cells</code>" in studio.get("/protection").text
    post(studio, {"release.average_risk": "0.4"})
    page = studio.get("/protection").text
    assert "How the release is made: <code>mingen</code>" in page
    assert "mingen-cells does not take a greatest average risk" in page
    post(studio, {"release.method": "samarati", "release.objective": "precision"})
    assert release_of(studio)["method"] == "samarati"
    assert "objective" not in release_of(studio)


def test_every_change_can_be_undone_to_the_beginning(studio):
    for given in (
        {"release.k": "3"},
        {"share-2": "0.7"},
        {"release.preset": "cms", "release.k": "3"},
    ):
        post(studio, given)
    texts = [one.text for one in studio.project.past]
    assert all(before != after for before, after in pairwise(texts))
    for text in reversed(texts):
        studio.post("/protection/undo")
        assert studio.project.text == text
