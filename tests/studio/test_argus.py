"""The part µ-Argus: every decision is one change, and undo takes back exactly one."""

import pytest

from lookalike.studio.counted_list import count_list
from lookalike.studio.screens import argus as screen
from lookalike.studio.session import Session

from .conftest import SPECIFICATION

TABLE = "no,zip,sex,ill\n" + "".join(
    f"{place},{zip_code},{sex},{ill}\n"
    for place, (zip_code, sex, ill) in enumerate(
        [
            *[("02138", "f", "flu")] * 2,
            *[("02138", "m", "flu")],
            *[("02139", "f", "cold")],
            *[("02139", "m", "cold")] * 2,
            *[("02141", "f", "cough")] * 2,
            *[("02141", "m", "cough")] * 2,
        ]
    )
)
SEX = '\n[attributes.sex]\nrole = "quasi-identifier"\nhierarchy = { kind = "suppress" }\n'


@pytest.fixture
def argus(studio, people):
    """A studio whose table was counted: two of its ten rows have rare values."""
    (people / "people.csv").write_text(TABLE)
    studio.session.change(SPECIFICATION + SEX, "sex")
    studio.session.keep_result(count_list(lambda _: None, studio.project))
    return studio


def release_of(studio):
    return studio.project.fields["release"]


def decide(studio, attribute):
    return studio.post("/argus/generalize", {"attribute": attribute})


def test_before_counting_the_page_asks_to_count(studio):
    page = studio.get("/argus").text
    assert 'action="/argus/count"' in page
    assert "need not satisfy k" in page
    assert "Your first decision changes it to µ-Argus" in page


def test_the_page_shows_rare_values_and_what_each_decision_would_leave(argus):
    page = argus.get("/argus").text
    assert "zip × sex" in page
    assert "<dd>2</dd>" in page
    assert "Generalize zip" in page
    assert "Generalize sex" in page
    assert "Does not satisfy k = 2" in page
    assert "2 cells of 2 rows are suppressed" in page
    assert release_of(argus) == {"k": 2, "out": "released/people.csv"}


def test_a_release_that_is_not_safe_has_the_button_that_makes_it_safe(argus):
    page = argus.get("/argus").text
    assert page.count('action="/argus/repair"') == 2
    assert argus.post("/argus/repair").status_code == 303
    assert release_of(argus) == {
        "k": 2,
        "out": "released/people.csv",
        "method": "mu-argus",
        "generalize": [],
        "repair": True,
    }
    page = argus.get("/argus").text
    assert "Repair is on" in page
    assert "Satisfies k = 2" in page
    assert 'action="/argus/repair"' not in page


def test_the_first_decision_chooses_the_method_in_one_change(argus):
    before = argus.project.text
    assert decide(argus, "zip").status_code == 303
    assert release_of(argus)["method"] == "mu-argus"
    assert release_of(argus)["generalize"] == ["zip"]
    page = argus.get("/argus").text
    assert "Generalize <b>zip</b> to level 1: 2 → <b>0</b> rows, 2 fewer." in page
    argus.post("/argus/undo")
    assert argus.project.text == before


def test_the_last_decision_is_taken_back_by_the_page_and_by_undo(argus):
    for name in ("zip", "sex"):
        decide(argus, name)
    argus.post("/argus/back")
    assert release_of(argus)["generalize"] == ["zip"]
    argus.post("/argus/undo")
    assert release_of(argus)["generalize"] == ["zip", "sex"]
    argus.post("/argus/back")
    argus.post("/argus/back")
    assert release_of(argus)["generalize"] == []
    answer = argus.post("/argus/back")
    assert answer.status_code == 422
    assert "there is no decision to undo" in answer.text


@pytest.mark.parametrize("attribute", ["", "ill", "no", "<script>alert(1)</script>"])
def test_what_is_no_attribute_is_not_generalized(argus, attribute):
    before = argus.project.text
    answer = decide(argus, attribute)
    assert answer.status_code == 422
    assert "<script>alert" not in answer.text
    assert argus.project.text == before


def test_nothing_is_generalized_beyond_the_top(argus):
    assert decide(argus, "sex").status_code == 303
    answer = decide(argus, "sex")
    assert answer.status_code == 422
    assert "already at the top" in answer.text
    assert release_of(argus)["generalize"] == ["sex"]


def test_a_decision_needs_a_counted_table(studio):
    assert decide(studio, "zip").status_code == 422
    assert studio.project.text == SPECIFICATION


def test_the_method_is_chosen_and_left_with_everything_that_belongs_to_it(argus):
    before = argus.project.text
    argus.post("/argus/use")
    assert release_of(argus)["method"] == "mu-argus"
    assert release_of(argus)["generalize"] == []
    argus.post("/argus/ask", options(repair="on", dimension="2"))
    assert release_of(argus)["repair"] is True
    assert "Satisfies k = 2" in argus.get("/argus").text
    argus.post("/argus/leave")
    assert argus.project.text == before


def options(repair=None, **given):
    """The fields of the form of options."""
    named = {"dimension": "3", "combinations": "all", "suppress_by": "count", **given}
    levels = {"identification-0": "1", "identification-3": "1"}
    checked = {} if repair is None else {"release.repair": repair}
    return {f"release.{name}": value for name, value in named.items()} | levels | checked


def test_options_that_have_their_defaults_are_not_written(argus):
    before = argus.project.text
    assert argus.post("/argus/ask", options()).status_code == 303
    assert argus.post("/argus/ask", options(dimension="")).status_code == 303
    assert argus.project.text == before


def test_options_are_written(argus):
    given = options(dimension="all", suppress_by="entropy") | {"identification-3": "3"}
    assert argus.post("/argus/ask", given).status_code == 303
    assert release_of(argus)["dimension"] == "all"
    assert release_of(argus)["suppress_by"] == "entropy"
    assert argus.project.attributes["sex"]["identification"] == 3
    argus.post("/argus/ask", options())
    assert "dimension" not in release_of(argus)
    assert "identification" not in argus.project.attributes["sex"]


def test_an_option_that_a_form_does_not_have_takes_its_default(argus):
    before = argus.project.text
    argus.post("/argus/ask", options(dimension="all", suppress_by="entropy"))
    assert argus.project.text != before
    levels = {name: one for name, one in options().items() if name.startswith("identification")}
    assert argus.post("/argus/ask", levels).status_code == 303
    assert argus.project.text == before


BAD = [
    ({"release.dimension": "1"}, "dimension-problem"),
    ({"release.dimension": "many"}, "dimension-problem"),
    ({"release.dimension": "9" * 400}, "dimension-problem"),
    ({"release.dimension": "2", "release.combinations": "program"}, "dimension-problem"),
    ({"release.combinations": "some"}, "combinations-problem"),
    ({"release.suppress_by": "<script>"}, "suppress-by-problem"),
    ({"identification-0": "7"}, "identification-0-problem"),
    ({"identification-0": "0", "identification-3": "0"}, "identification-problem"),
]


@pytest.mark.parametrize(("given", "place"), BAD)
def test_a_wrong_option_is_refused_beside_its_field(argus, given, place):
    before = argus.project.text
    answer = argus.post("/argus/ask", options() | given)
    assert answer.status_code == 422
    assert f'id="{place}"' in answer.text
    assert "<script>" not in answer.text
    assert argus.project.text == before


def test_what_the_method_does_not_take_is_said_on_the_page(argus):
    text = argus.project.text.replace("k = 2", 'k = 2\nprefer = ["minimum-suppression"]')
    argus.session.change(text, "preferences")
    page = argus.get("/argus").text
    assert "µ-Argus cannot go on" in page
    assert "does not take preferences" in page


def test_the_method_is_not_chosen_with_levels_that_it_does_not_take(argus):
    text = argus.project.text.replace(
        "k = 2", 'k = 2\nmethod = "mingen"\nconstraints = ["zip = 1"]'
    )
    argus.session.change(text, "levels")
    assert 'id="use"' not in argus.get("/argus").text
    answer = argus.post("/argus/use")
    assert answer.status_code == 422
    assert "constraints" in answer.text
    assert argus.project.text == text


def test_decisions_that_became_impossible_can_be_taken_back(argus):
    for name in ("zip", "sex"):
        decide(argus, name)
    impossible = argus.project.text.replace('["zip", "sex"]', '["sex", "sex"]')
    argus.session.change(impossible, "text")
    page = argus.get("/argus").text
    assert "already at the top" in page
    assert 'action="/argus/back"' in page
    argus.post("/argus/back")
    assert "µ-Argus cannot go on" not in argus.get("/argus").text


@pytest.fixture
def slow_argus(argus, monkeypatch):
    """A studio whose table takes long to follow; its tasks are noted."""
    begun = []
    monkeypatch.setattr(screen, "MOST_SECONDS", 1e-9)
    monkeypatch.setattr(Session, "begin", lambda _session, *given: begun.append(given))
    return argus, begun


def test_a_large_table_is_followed_by_a_task(slow_argus):
    studio, begun = slow_argus
    page = studio.get("/argus").text
    assert "too many to follow µ-Argus at once" in page
    assert 'action="/argus/follow"' in page
    assert studio.post("/argus/follow").status_code == 303
    name, task, project = begun.pop()
    assert name == "µ-Argus"
    studio.session.keep_result(task(lambda _: None, project))
    assert "zip × sex" in studio.get("/argus").text
    assert decide(studio, "zip").status_code == 303
    assert release_of(studio)["generalize"] == ["zip"]
    [(_, task, project)] = begun
    assert "zip × sex" not in studio.get("/argus").text
    studio.session.keep_result(task(lambda _: None, project))
    assert "Generalize <b>zip</b> to level 1" in studio.get("/argus").text
