"""Linked tables in the studio: opened together, described, and what known records cost."""

import re

import pytest

from lookalike.draft.draft_records import draft_records
from lookalike.flow.explore.linked import explore_linked
from lookalike.flow.release_records import prepare_records
from lookalike.studio.editing.project import Project
from lookalike.studio.screens import SCREENS
from lookalike.studio.screens.linked_protection import state_promise

from .linked_folder import SPECIFICATION, TABLES, pressed

__all__ = ["pressed"]
DAY = ("records", "admissions", "attributes", "day")


def open_specification(pressed):
    pressed.session.open_specification(pressed.session.project.path)


def find_place(pressed, path):
    return [*pressed.session.project.columns].index(path)


def show(pressed, path):
    answer = pressed.send("GET", path)
    assert answer.status_code == 200, answer.text
    return answer.text


def link(pressed, *names):
    given = pressed.opened.fields(together=[*names])
    return pressed.send("POST", "/data/link", data=given)


def test_tables_that_are_opened_together_are_drafted_as_init_does(pressed):
    folder = pressed.session.project.folder
    assert link(pressed, *TABLES).status_code == 303
    drafted = draft_records([folder / one for one in TABLES]).toml(folder)
    assert pressed.session.project.text == drafted
    assert pressed.session.project.name == f"{folder.name}.toml"
    assert not (folder / pressed.session.project.name).exists()
    page = show(pressed, "/data?table=1")
    assert "What the table <code>admissions</code> looks like" in page
    assert 'id="blockers"' not in page


@pytest.mark.parametrize("names", [[], ["patients.csv"], ["patients.csv", "../secret.csv"]])
def test_what_is_no_pair_of_tables_of_the_folder_is_refused(pressed, names):
    before = pressed.session.project
    assert link(pressed, *names).status_code == 422
    assert pressed.session.project is before


def test_the_same_tables_are_opened_with_their_draft_and_others_with_another(pressed):
    link(pressed, *TABLES)
    first = pressed.session.project.name
    pressed.session.change(pressed.session.project.text.replace("k = 5", "k = 3"), "k")
    link(pressed, "patients.csv", "lab.csv")
    second = pressed.session.project.name
    assert pressed.session.project.tables.keys() == {None, "lab"}
    link(pressed, *reversed(TABLES))
    assert second != first == pressed.session.project.name
    assert pressed.session.project.table("release")["k"] == 3
    assert pressed.session.is_read_so


def test_a_table_that_belongs_to_nobody_is_left_out_with_the_reason(pressed):
    (pressed.session.project.folder / "words.csv").write_text("word\nx\ny\nz\n")
    link(pressed, *TABLES, "words.csv")
    page = show(pressed, "/data")
    assert "words is left out:</b> no column names persons of patients" in page


def test_a_specification_of_several_tables_is_opened_with_all_of_them(pressed):
    open_specification(pressed)
    facts = pressed.session
    rows = facts.facts.rows, *(one.rows for one in facts.record_facts.values())
    page = show(pressed, "/data")
    shown = re.findall(r'data-label="Rows">([0-9,]+)<', page)
    assert [int(one.replace(",", "")) for one in shown] == [*rows]
    assert pressed.session.is_read_so
    with (pressed.session.project.folder / "lab.csv").open("a") as stream:
        stream.write("1,glucose,high\n")
    assert not pressed.session.is_read_so


def test_a_role_of_a_record_is_chosen_as_any_other(pressed):
    open_specification(pressed)
    place = find_place(pressed, DAY)
    pressed.submit("/roles/assign", {f"role-{place}": "drop"})
    assert pressed.session.project.columns[DAY] == {"role": "drop"}
    pressed.submit("/roles/several", {"column": str(place), "role": "quasi-identifier"})
    assert pressed.session.project.columns[DAY]["hierarchy"]["kind"] == "dates"
    assert f'id="role-{place}"' in show(pressed, "/roles?table=1")
    assert f'id="role-{place}"' not in show(pressed, "/roles?table=2")


def test_rows_are_told_apart_within_each_table_only(pressed):
    open_specification(pressed)
    page = show(pressed, "/roles")
    for table in (None, "admissions"):
        facts = pressed.session.find_table_facts(table)
        found = facts.linkable.separate(["day", "ward"] if table else ["birth_date", "sex"])
        assert f": {found.unique} of {facts.rows}</b>" in page
    assert "count the rows of each table by itself" in page
    assert 'id="budget"' not in page


def test_a_hierarchy_of_a_record_is_defined(pressed):
    open_specification(pressed)
    place = str(find_place(pressed, DAY))
    assert "The column at each level" in show(pressed, f"/hierarchies?column={place}")
    pressed.submit("/hierarchies/apply", {"column": place, "kind": "suppress"})
    assert pressed.session.project.columns[DAY]["hierarchy"] == {"kind": "suppress"}
    assert pressed.session.project.attributes["birth_date"]["hierarchy"]["kind"] == "dates"


def test_what_may_be_known_is_set_for_each_table(pressed):
    fields = {"release.k": "3", "knows-0": "all", "at_most-0": "4", "distinct-0": "2"}
    pressed.submit("/protection/ask", fields)
    project = pressed.session.project
    assert project.table("release")["k"] == 3
    assert project.tables["admissions"]["knows"] == "all"
    assert project.tables["admissions"]["at_most"] == 4
    assert project.tables["lab"]["knows"] == 0
    assert project.attributes["zip"]["protect"] == {"distinct": 2}
    page = show(pressed, "/protection")
    assert "all of their admissions is left with at least 3 people" in page
    pressed.submit("/protection/ask", {"at_most-0": "", "distinct-0": ""})
    assert "at_most" not in pressed.session.project.tables["admissions"]
    assert "protect" not in pressed.session.project.attributes["zip"]


WRONG = {
    "knows-0": ("7", "write 0, 1, 2, 3"),
    "knows-1": ("2", "no column of the table is a quasi-identifier"),
    "at_most-0": ("many", "must be a whole number"),
    "distinct-0": ("0", "at least"),
    "release.method": ("mu-argus", "linked tables take mingen"),
}


@pytest.mark.parametrize("field", WRONG)
def test_what_is_wrong_is_said_beside_its_field(pressed, field):
    text, reason = WRONG[field]
    before = pressed.session.project
    answer = pressed.submit("/protection/ask", {field: text})
    assert answer.status_code == 422
    assert pressed.session.project is before
    identifier = field.partition(".")[2] or field
    [said] = re.findall(rf'id="{identifier}-problem">(.*?)</p>', answer.text)
    assert reason in said


ASKED = {
    "all tables": SPECIFICATION,
    "a set": SPECIFICATION.replace(
        'zip = { role = "sensitive" }',
        'zip = { role = "quasi-identifier", hierarchy = { kind = "suppress" }, '
        'separator = ";", knows = 1 }',
    ),
    "no link": SPECIFICATION.replace("k = 2\n", "k = 2\nlink = false\n"),
    "distinct": SPECIFICATION.replace(
        'zip = { role = "sensitive" }', 'zip = { role = "sensitive", protect = { distinct = 2 } }'
    ),
    "at most": SPECIFICATION.replace("knows = 1\n", "knows = 1\nat_most = 2\n"),
    "records alone": "[release]\nk = 2\nmax_suppressed = 0.2\n"
    + SPECIFICATION[SPECIFICATION.index("[records.admissions]") :],
    "a set alone": '[source]\npath = "patients.csv"\nperson = "row"\n[release]\nk = 2\n'
    "max_suppressed = 0.5\n[attributes]\n"
    'patient_no = { role = "identifier" }\nbirth_date = { role = "drop" }\n'
    'sex = { role = "other" }\nzip = { role = "quasi-identifier", separator = "1", knows = "all", '
    'hierarchy = { kind = "suppress" } }\n',
}


@pytest.mark.parametrize("case", ASKED)
def test_what_is_promised_before_a_release_is_what_its_certificate_says(pressed, case):
    project = Project(pressed.session.project.folder, "x.toml", ASKED[case])
    assert project.is_linked
    asked = project.specification()
    assert state_promise(asked) == prepare_records(asked).certificate.statement


ONE_TABLE = [one for one in SCREENS if not (one.takes_linked or one.for_linked)]


@pytest.mark.parametrize("screen", ONE_TABLE, ids=lambda one: one.name)
def test_a_screen_for_one_table_says_so_leads_on_and_does_nothing(pressed, screen):
    page = show(pressed, f"/{screen.name}")
    assert "This part shows one table" in page
    [leads] = re.findall('id="lead-on" href="([^"]+)"', page)
    assert "This part shows one table" not in show(pressed, leads)
    before = pressed.session.project
    for name in ("count", *screen.actions):
        answer = pressed.submit(f"/{screen.name}/{name}", {})
        assert answer.status_code == 422
        assert "takes one table" in answer.text
    assert pressed.session.project is before
    assert pressed.session.work is None


def test_next_leads_from_step_to_step_without_those_of_one_table(pressed):
    seen, address = [], "/data"
    while address:
        seen.append(address)
        found = re.findall('id="next" href="([^"]+)"', show(pressed, address))
        address = found[0] if found else ""
    steps = ("data", "roles", "hierarchies", "protection", "explore", "publish", "releases")
    assert seen == [f"/{one}" for one in steps]


UNDECIDED = {
    "role": ('diagnosis = { role = "sensitive" }', 'diagnosis = { role = "?" }', "/roles#role-7"),
    "person": (
        'path = "lab.csv"\nperson = "patient_no"',
        'path = "lab.csv"\nperson = "?"',
        "/protection#person-2",
    ),
}


@pytest.mark.parametrize("case", UNDECIDED)
def test_what_is_undecided_of_records_stops_a_release_and_is_linked(pressed, case):
    old, new, place = UNDECIDED[case]
    text = SPECIFICATION.replace(old, new)
    pressed.session.store.change(lambda one: Project(one.folder, one.name, text))
    page = show(pressed, "/publish")
    assert f'href="{place}"' in page
    address, _, anchor = place.partition("#")
    assert f'id="{anchor}"' in show(pressed, address)
    assert pressed.submit("/publish/try", {}).status_code == 422
    assert pressed.session.work is None


def test_a_column_of_records_that_identifies_nearly_every_row_stops_a_release(pressed):
    open_specification(pressed)
    assert 'id="blockers"' not in show(pressed, "/publish")
    place = find_place(pressed, DAY)
    pressed.submit("/roles/assign", {f"role-{place}": "other"})
    distinct = pressed.session.find_facts(DAY).figures
    assert distinct.distinct > 0.9 * distinct.present
    assert f'href="/roles#role-{place}">admissions.day<' in show(pressed, "/publish")


def test_what_known_records_cost_is_what_explore_finds(pressed):
    page = pressed.submit("/explore/run", {"ks": "2 3", "time_limit": "60"}).text
    found = explore_linked(pressed.session.project.specification(), (2, 3), 60)
    shown = re.findall(r'data-label="Precision">([0-9.]+)<', page)
    assert shown == [f"{one.precision:.4f}" for one in found.points]
    gone = re.findall(r'data-label="Persons left out">([0-9]+) ', page)
    assert gone == [str(one.persons_suppressed) for one in found.points]
    pressed.submit("/explore/use", {"point": "3"})
    point, project = found.points[3], pressed.session.project
    assert (project.table("release")["k"], project.tables["admissions"]["knows"]) == (3, 0)
    assert (point.k, point.knows["admissions"]) == (3, 0)
    assert 'id="out-of-date"' in show(pressed, "/explore")


def test_sets_alone_are_explored_under_protection(pressed):
    text = ASKED["a set alone"]
    pressed.session.store.change(lambda one: Project(one.folder, one.name, text))
    assert 'id="run"' not in show(pressed, "/explore")
    page = show(pressed, "/protection")
    assert "Sets in the column" in page
    pressed.submit("/protection/ask", {"knows-0": "1"})
    assert pressed.session.project.attributes["zip"]["knows"] == 1
    assert "any one of their zip" in show(pressed, "/protection")
