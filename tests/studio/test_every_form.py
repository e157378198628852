"""Bad input on every form and every address of the studio, whatever screens it has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import ImmutableMultiDict

from lookalike.examine.verify import Verification
from lookalike.flow.forecast import forecast
from lookalike.studio.counted_list import CountedList
from lookalike.studio.door import Gate
from lookalike.studio.releases.release_summary import ReleaseSummary
from lookalike.studio.screens import SCREENS
from lookalike.studio.session import Session

from ..effort import examples
from .conftest import PORT, opening, write_people
from .pressed import Pressed, is_of_history, list_actions, list_pages

BAD_TEXTS = {
    "empty": "",
    "hostile": "<script>alert('form')</script>\"'&",
    "control": "a\x00\x1b[31m\r\n\t\u202e\u2028\ufeff",
    "enormous": "9" * 20_000,
    "infinite": "-1e999",
    "no number": "nan",
    "path": "../../etc/passwd",
    "toml": "]\n[[x]]\n'''",
}


@pytest.fixture(scope="module")
def pressed(tmp_path_factory):
    """A studio of which every button was pressed."""
    folder, gate = tmp_path_factory.mktemp("pressed"), Gate(PORT)
    write_people(folder)
    gate.enter(gate.token)
    with opening(folder, gate) as opened, pytest.MonkeyPatch.context() as patch:
        made = Pressed(opened)
        patch.setattr(Session, "begin", lambda _session, *given: made.begin(*given))
        patch.setattr(forecast, "MONTHS", 1)  # what the form begins with, for each policy
        patch.setattr(ImmutableMultiDict, "get", lambda *given: made.note(*given))
        made.press_everything()
        yield made


def test_every_button_was_pressed(pressed):
    assert pressed.session.facts is not None
    assert {CountedList, ReleaseSummary, Verification} <= pressed.session._results.keys()


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_bad_text_in_all_fields_of_a_form_is_refused(pressed, text):
    for path in list_actions():
        pressed.submit_growing(path, BAD_TEXTS[text])


def test_a_file_in_the_place_of_a_text_is_refused(pressed):
    for path in list_actions():
        pressed.submit_growing(path, "2", as_file=True)


@pytest.mark.parametrize("text", ["empty", "hostile", "enormous"])
def test_bad_text_in_one_field_of_a_page_is_refused(pressed, text):
    for screen in SCREENS:
        for form in pressed.list_forms(screen):
            if is_of_history(form.action) and screen is not SCREENS[0]:
                continue
            for name in form.fields.keys() - {"form_token", "mark"}:
                pressed.submit_wrong(form.action, {**form.fields, name: BAD_TEXTS[text]})


@pytest.mark.slow
def test_a_form_without_one_field_of_a_page_is_refused(pressed):
    for screen in SCREENS:
        for form in pressed.list_forms(screen):
            for name in form.fields.keys() - {"form_token", "mark"}:
                rest = {other: one for other, one in form.fields.items() if other != name}
                pressed.submit_wrong(form.action, rest)


values = st.one_of(
    st.sampled_from(["zip", "no", "ill", "people.csv", *BAD_TEXTS.values()]),
    st.integers(-3, 10**20).map(str),
    st.lists(st.integers(-1, 9), max_size=4).map(lambda levels: ",".join(map(str, levels))),
    st.text(max_size=20),
)


@examples(12)
@given(st.data())
def test_whatever_an_address_asks_for_is_a_page(pressed, data):
    for path in list_pages():
        names = pressed.find_asked(path) or ["column", "vector", "point"]
        query = data.draw(st.dictionaries(st.sampled_from([*names, "x"]), values), label=path)
        pressed.look_oddly(path, query)
