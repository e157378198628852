"""Bad input on every form and every address of the studio while linked tables are open."""

import pytest
from starlette.datastructures import ImmutableMultiDict

from lookalike.studio.releases.linked_summary import LinkedSummary, TriedKnowledge
from lookalike.studio.screens import SCREENS

from .linked_folder import pressing
from .pressed import is_of_history, list_actions, list_pages
from .test_every_form import BAD_TEXTS


@pytest.fixture(scope="module")
def pressed(tmp_path_factory):
    """A studio with linked tables, of which every button was pressed."""
    with (
        pressing(tmp_path_factory.mktemp("pressed")) as made,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(ImmutableMultiDict, "get", lambda *given: made.note(*given))
        made.session.open_specification(made.session.project.path)
        begun = made.session.project
        for screen in SCREENS[1:]:
            made.press(screen)
            made.session.store.project = begun
        yield made


def list_linked_actions(session):
    """Return the address of every action of the screens that show linked tables."""
    shown = [one.suit(session) for one in SCREENS]
    return [f"/{one.name}/{name}" for one in shown if one.takes(session) for name in one.actions]


def test_every_button_was_pressed(pressed):
    assert {LinkedSummary, TriedKnowledge} <= pressed.session._results.keys()
    assert pressed.session.record_facts.keys() == {"admissions", "lab"}


@pytest.mark.parametrize("text", ["hostile", "toml"])
def test_bad_text_in_all_fields_of_a_form_is_refused(pressed, text):
    for path in list_linked_actions(pressed.session):
        pressed.submit_growing(path, BAD_TEXTS[text])


def test_bad_text_in_one_field_of_a_page_is_refused(pressed):
    for screen in SCREENS[1:]:
        for form in pressed.list_forms(screen):
            for name in form.fields.keys() - {"form_token", "mark"}:
                if not is_of_history(form.action):
                    pressed.submit_wrong(form.action, {**form.fields, name: BAD_TEXTS["hostile"]})


def test_every_action_without_its_fields_is_refused(pressed):
    for path in list_actions():
        if not is_of_history(path):
            pressed.submit_wrong(path, {})


def test_whatever_an_address_asks_for_is_a_page(pressed):
    for path in list_pages():
        for name in pressed.find_asked(path):
            for text in ("", "-1", "7", "999999", BAD_TEXTS["hostile"]):
                pressed.look_oddly(path, {name: text})
