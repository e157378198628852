"""Drafts: nothing is lost by a crash, two tabs, or an editor beside the studio."""

import pytest

from lookalike.errors import InvalidInput
from lookalike.studio.editing.project import (
    PRIVATE,
    DraftStore,
    OutOfDate,
    redo_change,
    rewrite,
    undo_change,
)

from .conftest import SPECIFICATION


@pytest.fixture
def store(people):
    opened = DraftStore(people)
    opened.open("people.toml")
    yield opened
    opened.close()


def change(store, text):
    store.change(lambda project: rewrite(project, text, "test"))


def reopen(store, people):
    store.close()
    store.__init__(people)
    store.open("people.toml")


def test_a_draft_survives_the_end_of_the_process(store, people):
    change(store, "[release]\nk = 3\n")
    change(store, "[release]\nk = 4\n")
    store.change(undo_change)
    before = store.project
    reopen(store, people)
    assert store.project == before
    store.change(redo_change)
    assert store.project.text == "[release]\nk = 4\n"
    assert (people / "people.toml").read_text() == SPECIFICATION


def test_drafts_are_private(store, people):
    change(store, "[release]\nk = 3\n")
    assert (people / PRIVATE).stat().st_mode & 0o777 == 0o700
    for path in (people / PRIVATE).iterdir():
        assert path.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_others_can_enter_is_refused(people):
    (people / PRIVATE).mkdir()
    (people / PRIVATE).chmod(0o755)
    with pytest.raises(InvalidInput, match="only you can enter"):
        DraftStore(people)


def test_a_link_in_place_of_the_private_folder_is_refused(people, tmp_path_factory):
    (people / PRIVATE).symlink_to(tmp_path_factory.mktemp("elsewhere"))
    with pytest.raises(InvalidInput, match="only you can enter"):
        DraftStore(people)


def test_one_studio_at_a_time_uses_a_folder(store, people):
    with pytest.raises(InvalidInput, match=r"open in .* already"):
        DraftStore(people)


def test_a_page_that_is_out_of_date_is_noticed(store):
    mark = store.project.mark
    change(store, "[release]\nk = 3\n")
    with pytest.raises(OutOfDate):
        store.require(mark)


def test_saving_does_not_overwrite_what_an_editor_has_written(store, people):
    change(store, "[release]\nk = 3\n")
    (people / "people.toml").write_text("[release]\nk = 9\n")
    with pytest.raises(InvalidInput, match="changed outside"):
        store.save()
    store.load()
    assert store.project.text == "[release]\nk = 9\n"
    store.change(undo_change)
    store.save()
    assert (people / "people.toml").read_text() == "[release]\nk = 3\n"


def test_a_file_that_was_edited_while_nothing_was_open_is_read_again(store, people):
    store.save()
    (people / "people.toml").write_text("[release]\nk = 9\n")
    reopen(store, people)
    assert store.project.text == "[release]\nk = 9\n"
    assert undo_change(store.project).text == SPECIFICATION
