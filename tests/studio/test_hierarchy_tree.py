"""The tree editor and hierarchy files: every edit is one change that can be undone."""

import html
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lookalike.hierarchy import Taxonomy
from lookalike.studio.hierarchies import hierarchy_column

from ..effort import examples
from .folk import AGE, EVIL, GONE, ILL, JOB, JOBS, SPECIFICATION, TOWN, TOWNS, ZIP

ANY, HEALTH, TRADE, NURSE, DOCTOR, COOK = "0", "0.0", "0.1", "0.0.0", "0.0.1", "0.1.1"


@pytest.fixture
def studio(folk):
    return folk


def act(studio, action, column=JOB, **given):
    return studio.post(f"/hierarchies/{action}?column={column}", {"column": column, **given})


def tree(studio, name="job"):
    return studio.project.attributes[name]["hierarchy"]["tree"]


EDITS = [
    ("rename", {"node": HEALTH, "name": "care"}, {"care": ["nurse", "doctor"]}),
    ("move", {"node": [NURSE, DOCTOR], "parent": TRADE}, {"trade": [*JOBS[2:], *JOBS[:2]]}),
    ("group", {"node": [NURSE, COOK], "parent": ANY, "name": "x"}, {"x": ["nurse", "cook"]}),
    ("remove", {"node": HEALTH}, {"nurse": [], "doctor": []}),
]


@pytest.mark.parametrize(("action", "given", "expected"), EDITS)
def test_an_edit_is_one_change_that_can_be_undone(studio, action, given, expected):
    assert act(studio, action, **given).status_code == 303
    assert expected.items() <= tree(studio)["any"].items()
    assert sorted(Taxonomy(tree(studio)).domain()) == sorted(JOBS)
    assert "# what others know" in studio.project.text
    changed = studio.project.text
    assert len(studio.project.past) == 1
    studio.post("/hierarchies/undo")
    assert studio.project.text == SPECIFICATION
    studio.post("/hierarchies/redo")
    assert studio.project.text == changed


REFUSED = [
    ("rename", {"node": HEALTH, "name": "trade"}, "same name"),
    ("rename", {"node": HEALTH, "name": ""}, "text on one line"),
    ("rename", {"node": HEALTH, "name": "a\u2028b"}, "text on one line"),
    ("rename", {"node": NURSE, "name": "x"}, "cannot be renamed"),
    ("rename", {"name": "x"}, "exactly one"),
    ("rename", {"node": [HEALTH, TRADE], "name": "x"}, "exactly one"),
    ("move", {"node": HEALTH, "parent": HEALTH}, "into itself"),
    ("move", {"node": NURSE, "parent": COOK}, "choose a group"),
    ("move", {"parent": HEALTH}, "choose at least one"),
    ("move", {"node": "7", "parent": HEALTH}, "does not exist"),
    ("move", {"node": "x", "parent": HEALTH}, "another page"),
    ("move", {"node": "²", "parent": HEALTH}, "another page"),
    ("move", {"node": NURSE, "parent": "-1"}, "another page"),
    ("move", {"new": "0", "parent": HEALTH}, "another page"),
    ("move", {"node": NURSE}, "no field 'parent'"),
    ("group", {"parent": ANY, "name": "x"}, "choose at least one"),
    ("group", {"node": NURSE, "parent": ANY, "name": "trade"}, "same name"),
    ("remove", {}, "choose at least one"),
    ("remove", {"node": NURSE}, "cannot be removed"),
]


@pytest.mark.parametrize(("action", "given", "why"), REFUSED)
def test_an_edit_that_breaks_a_rule_is_refused(studio, action, given, why):
    answer = act(studio, action, **given)
    assert answer.status_code == 422
    assert why in html.unescape(answer.text)
    assert studio.project.text == SPECIFICATION


def test_two_groups_of_one_level_cannot_have_the_same_name(studio):
    act(studio, "group", node=[NURSE, DOCTOR], parent=HEALTH, name="x")
    act(studio, "group", node=["0.1.0", COOK], parent=TRADE, name="y")
    before = studio.project.text
    answer = act(studio, "rename", node="0.1.0", name="x")
    assert answer.status_code == 422
    assert "give it one parent" in answer.text
    assert act(studio, "rename", node="0.1.0", name="*").status_code == 422
    assert studio.project.text == before


def test_a_label_with_two_meanings_is_reported(studio):
    assert act(studio, "group", node=NURSE, parent=TRADE, name="health").status_code == 303
    page = studio.get(f"/hierarchies?column={JOB}").text
    assert "labels have different meanings at different levels" in page


@pytest.mark.parametrize("column", [ILL, "9", "x", EVIL])
@pytest.mark.parametrize("action", ["rename", "move", "group", "remove", "propose", "import"])
def test_another_column_is_refused(studio, action, column):
    answer = studio.post(
        f"/hierarchies/{action}", {"column": column, "parent": "", "name": "x", "node": "0"}
    )
    assert answer.status_code == 422
    assert EVIL not in answer.text
    assert studio.project.text == SPECIFICATION


def test_a_hostile_name_of_a_group_is_text(studio):
    name = f"{EVIL}\"'\\ é 中"
    assert act(studio, "rename", node=HEALTH, name=name).status_code == 303
    assert name in tree(studio)["any"]
    for path in ("/hierarchies", f"/hierarchies?column={JOB}"):
        page = studio.get(path).text
        assert EVIL not in page
        assert html.escape(EVIL, quote=False).replace("&quot;", '"')[:11] in page


def test_editing_a_file_makes_a_tree_and_leaves_the_file(studio, tmp_path):
    before = (tmp_path / "towns.csv").read_bytes()
    page = studio.get(f"/hierarchies?column={TOWN}").text
    assert "The file is not changed" in page
    assert EVIL not in page
    assert act(studio, "rename", TOWN, node="0.0", name="sun").status_code == 303
    assert studio.project.attributes["town"]["hierarchy"] == {
        "kind": "taxonomy",
        "tree": {"*": {"sun": TOWNS[:3], "north": TOWNS[3:]}},
    }
    assert (tmp_path / "towns.csv").read_bytes() == before
    studio.post("/hierarchies/undo")
    assert studio.project.text == SPECIFICATION


def test_a_hierarchy_of_another_kind_becomes_the_same_tree(studio):
    assert act(studio, "apply", AGE, kind="taxonomy").status_code == 303
    made = Taxonomy(tree(studio, "age"))
    assert made.ancestors("17") == ("17", "15-19", "10-19", "*")
    assert act(studio, "apply", GONE, kind="taxonomy").status_code == 422


def test_values_that_the_tree_does_not_have_are_added(studio):
    text = SPECIFICATION.replace('["nurse", "doctor"]', '["nurse"]').replace(', "cook"', "")
    studio.session.change(text, "less")
    page = studio.get(f"/hierarchies?column={JOB}").text
    assert "Values that are not in the tree: 2" in page
    place = re.search(r'id="new-(\d+)" value="\1"> <span class="value">doctor', page)[1]
    assert act(studio, "move", new=place, parent=HEALTH).status_code == 303
    assert tree(studio)["any"]["health"] == ["nurse", "doctor"]
    assert act(studio, "group", new="all", parent=ANY, name="rest").status_code == 303
    assert tree(studio)["any"]["rest"] == ["cook"]
    assert "Values that the tree does not have" not in studio.get("/hierarchies?column=2").text


def test_a_tree_with_very_many_values_is_not_edited_here(studio, monkeypatch):
    monkeypatch.setattr(hierarchy_column, "MOST_LEAVES", 3)
    page = studio.get(f"/hierarchies?column={TOWN}").text
    assert "export the hierarchy, edit the file elsewhere" in page
    assert act(studio, "rename", TOWN, node="0.0", name="x").status_code == 422
    assert studio.project.text == SPECIFICATION


def test_a_tree_with_very_many_levels_is_not_edited_here(studio):
    """A tree of 100 levels is shown, one of 101 not: with 300, a page cannot nest them."""
    deep = '{ kind = "mask", length = %d }'
    for length, why in ((100, ""), (101, "this one has 101"), (1_500, "this one has 1,500")):
        text = SPECIFICATION.replace('{ kind = "mask" }', deep % length)
        studio.session.change(text, "length")
        page = studio.get(f"/hierarchies?column={ZIP}&kind=taxonomy")
        assert page.status_code == 200
        assert ("a tree is edited here for up to 100 levels" in page.text) == bool(why)
        assert why in page.text
        assert act(studio, "apply", ZIP, kind="taxonomy").status_code == (422 if why else 303)
    tree = '["1"]'
    for level in range(150):
        tree = f'{{ "l{level}" = {tree} }}'
    asked = f'{{ kind = "taxonomy", tree = {tree} }}'
    studio.session.change(SPECIFICATION.replace('{ kind = "mask" }', asked), "tree")
    assert "this one has 150" in studio.get(f"/hierarchies?column={ZIP}").text


steps = st.lists(
    st.tuples(
        st.sampled_from(["rename", "remove", "move", "group"]),
        st.lists(st.sampled_from([ANY, HEALTH, TRADE, NURSE, COOK, "0.2", "1"]), max_size=2),
        st.sampled_from(["", ANY, HEALTH, TRADE, "0.2"]),
        st.sampled_from(["care", "health", "trade", "*", "nurse"]),
    ),
    max_size=4,
)


@settings(examples(24), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
def test_random_edits_keep_a_hierarchy_and_are_undone_exactly(folk, sequence):
    texts = [folk.project.text]
    for action, nodes, parent, name in sequence:
        act(folk, action, node=nodes, parent=parent, name=name)
        if folk.project.text != texts[-1]:
            texts.append(folk.project.text)
        made = Taxonomy(tree(folk))
        assert sorted(made.domain()) == sorted(JOBS)
        made.bind("job", [*JOBS, None])
    for text in reversed(texts[:-1]):
        folk.post("/hierarchies/undo")
        assert folk.project.text == text


FILE = "".join(f"{job};all\n" for job in JOBS)


def send(studio, content, column=JOB, **given):
    sent = {"column": column, "encoding": "", **given}
    files = {"file": ("my jobs.csv", content)}
    return studio.post(f"/hierarchies/import?column={column}", sent, files=files)


@pytest.mark.parametrize(
    "content",
    [FILE.encode(), b"\xef\xbb\xbf" + FILE.encode(), FILE.replace(";", ",").encode()],
    ids=["arx", "byte order mark", "commas"],
)
def test_an_import_is_stored_privately_and_used(studio, tmp_path, content):
    assert send(studio, content).status_code == 303
    path = tmp_path / "job-hierarchy.csv"
    assert path.read_bytes() == content.removeprefix(b"\xef\xbb\xbf")
    assert path.stat().st_mode & 0o777 == 0o600
    assert studio.project.attributes["job"]["hierarchy"] == {
        "kind": "file",
        "path": "job-hierarchy.csv",
    }
    studio.post("/hierarchies/undo")
    assert studio.project.text == SPECIFICATION


def test_an_import_overwrites_no_other_file(studio, tmp_path):
    (tmp_path / "job-hierarchy.csv").write_text("mine")
    (tmp_path / "job-hierarchy-2.csv").symlink_to(tmp_path / "folk.csv")
    for _ in range(2):
        send(studio, FILE.encode())
    assert (tmp_path / "job-hierarchy.csv").read_text() == "mine"
    assert (tmp_path / "job-hierarchy-3.csv").read_text() == FILE
    assert not (tmp_path / "job-hierarchy-4.csv").exists()
    assert studio.project.attributes["job"]["hierarchy"]["path"] == "job-hierarchy-3.csv"


BAD_FILES = [
    (b"", "the file is empty"),
    (b"nurse;all\n", "3 values that the hierarchy does not know"),
    (FILE.encode() + b"pilot;all;more\n", "has 3 labels"),
    (FILE.encode() + b"nurse;other\n", "give it one parent"),
    (FILE.replace("cook;all", "cook;rest").encode(), "the top must be one value"),
    (b'"nurse;all\n', "correct the quotes"),
    (FILE.encode() + b"k\xfcche;all\n", "line 5 is not in this encoding"),
    (EVIL.encode() + b";all\n", "4 values that the hierarchy does not know"),
]


@pytest.mark.parametrize(("content", "why"), BAD_FILES)
def test_a_file_that_is_no_hierarchy_changes_nothing(studio, tmp_path, content, why):
    before = sorted(tmp_path.iterdir())
    answer = send(studio, content)
    assert answer.status_code == 422
    assert why in html.unescape(answer.text)
    assert re.search(r'id="import-(file|encoding)-problem"', answer.text)
    assert EVIL not in answer.text
    assert "/tmp/" not in answer.text
    assert sorted(tmp_path.iterdir()) == before
    assert studio.project.text == SPECIFICATION


def test_an_import_may_have_another_encoding_and_suppress_unknown_values(studio, tmp_path):
    assert send(studio, "nurse;küche\n".encode("latin-1"), unknown="yes").status_code == 422
    assert send(studio, b"nurse;x\n", encoding="no\0thing").status_code == 422
    sent = send(studio, "nurse;küche\n".encode("latin-1"), unknown="yes", encoding="latin-1")
    assert sent.status_code == 303
    assert (tmp_path / "job-hierarchy.csv").read_text(encoding="utf-8") == "nurse;küche\n"
    assert studio.project.attributes["job"]["hierarchy"]["unknown"] == "suppress"


def test_an_import_without_a_file_or_too_large_is_refused(studio, tmp_path):
    assert act(studio, "import", file="text").status_code == 422
    assert send(studio, b"x" * 2**24).status_code == 413
    assert not (tmp_path / "job-hierarchy.csv").exists()
    assert studio.project.text == SPECIFICATION
