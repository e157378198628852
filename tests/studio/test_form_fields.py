"""Fields of forms follow from what the specification declares: a new field needs nothing else."""

from decimal import Decimal
from typing import Annotated, Literal

import pytest
from markupsafe import escape
from pydantic import StrictBool, StrictInt

from lookalike.spec.release_fields import ReleaseFields
from lookalike.spec.specification import Specification
from lookalike.studio.editing import form_fields
from lookalike.studio.editing.form_fields import FORMS, find_form_field, list_form, set_fields
from lookalike.tables.name_options import Shown

from .conftest import SPECIFICATION
from .test_protection import list_form as read_fields


class More(ReleaseFields):
    """``[release]`` with fields that nothing but this file knows of."""

    pinch: Annotated[StrictInt, Shown("Number of grains.")] = 3
    shout: Annotated[StrictBool, Shown("Write in capitals.")] = False
    tone: Annotated[
        Literal["low", "high"], Shown("Tone.", choices={"low": "a low one", "high": "a high one"})
    ] = "low"
    stamp: Annotated[str | None, Shown("Text on each page.")] = None
    mood: Annotated[Literal["calm", "wild"] | None, Shown("Mood.")] = None
    aside: Annotated[StrictBool | None, Shown("Whether notes stand aside.")] = None


@pytest.fixture
def more(monkeypatch):
    """A specification with those fields."""
    field = Specification.model_fields["release"]
    monkeypatch.setattr(field, "annotation", More)
    Specification.model_rebuild(force=True)
    monkeypatch.setitem(form_fields._TABLES, "release", More)
    yield
    monkeypatch.undo()
    Specification.model_rebuild(force=True)


@pytest.mark.usefixtures("more")
def test_an_invented_field_has_its_place_in_the_form_of_protection(studio):
    page = studio.get("/protection").text
    for text in ("Number of grains.", "Write in capitals.", "a high one", "Text on each page."):
        assert text in page
    given = {
        "release.pinch": "7",
        "release.shout": "true",
        "release.tone": "high",
        "release.stamp": "copy",
    }
    assert studio.post("/protection/ask", given).status_code == 303
    assert studio.project.table("release").items() >= {
        ("pinch", 7),
        ("shout", True),
        ("tone", "high"),
        ("stamp", "copy"),
    }
    wrong = studio.post("/protection/ask", {"release.pinch": "many"})
    assert wrong.status_code == 422
    assert 'id="pinch-problem"' in wrong.text
    wrong = studio.post("/protection/ask", {"release.tone": "shrill"})
    assert 'id="tone-problem"' in wrong.text
    studio.post("/protection/undo")
    assert studio.project.text == SPECIFICATION


@pytest.mark.usefixtures("more")
def test_the_form_as_it_is_shown_changes_nothing(studio):
    given = read_fields(studio.get("/protection").text)
    assert {
        "release.mood": "",
        "release.aside": "",
        "release.shout": "false",
    }.items() <= given.items()
    assert studio.post("/protection/ask", given).status_code == 303
    assert studio.project.text == SPECIFICATION
    studio.post("/protection/ask", given | {"release.aside": "false", "release.mood": "calm"})
    assert studio.project.table("release").items() >= {("aside", False), ("mood", "calm")}
    studio.post("/protection/ask", given)
    assert studio.project.text == SPECIFICATION


def test_every_field_of_a_form_shows_its_help(studio):
    pages = {
        "protection": ("people", "risks", "making"),
        "argus": ("argus",),
        "publish": ("places", "ledger"),
    }
    for screen, forms in pages.items():
        page = studio.get(f"/{screen}").text
        for field in (one for form in forms for one in list_form(form)):
            assert f'name="{field.place}"' in page
            is_shown = f'<p class="help">{escape(field.help)}' in page
            assert is_shown or field.help == f"{field.label}."


def test_no_field_is_in_two_forms():
    placed = [place for form in FORMS for place in (one.place for one in list_form(form))]
    assert len(placed) == len({*placed})
    assert all(find_form_field(place).help.endswith(".") for place in placed)


def test_a_default_is_left_out_and_what_is_written_stays():
    text = SPECIFICATION.replace("k = 2", "k = 2\nmax_suppressed = 1.0\nobjective = 'precision'")
    same = {"release.objective": "precision", "release.decoys": 0, "release.effort": None}
    assert set_fields(text, same) == text
    assert "max_suppressed = 1\n" in set_fields(text, {"release.max_suppressed": 1})
    assert set_fields(text, {"release.max_suppressed": Decimal("1.0")}) == text
    assert 'method = "mingen-cells"' in set_fields(text, {"release.method": "mingen-cells"})
