"""The frequency list on which the studio tries settings."""

from dataclasses import replace

from lookalike.studio.counted_list import CountedList, count_list, find_counting_key
from lookalike.studio.editing.project import Project

from .conftest import SPECIFICATION


def opened(people, text=SPECIFICATION):
    return Project(people, "people.toml", text)


def test_a_table_is_counted(people):
    steps = []
    counted = count_list(steps.append, opened(people))
    assert isinstance(counted, CountedList)
    assert counted.frequency.rows == 4
    assert counted.frequency.attributes == ("zip",)
    assert steps


def test_fields_of_the_search_need_no_new_count(people):
    project = opened(people)
    searched = ("k = 4", 'k = 2\nmethod = "datafly"', 'preset = "ema"', "k = 2\ndecoys = 0.02")
    for after in searched:
        other = replace(project, text=SPECIFICATION.replace("k = 2", after))
        assert find_counting_key(other) == find_counting_key(project)


def test_other_hierarchies_protections_and_files_do(people):
    project = opened(people)
    key = find_counting_key(project)
    masked = SPECIFICATION.replace('kind = "mask"', 'kind = "mask", keep = [3]')
    guarded = f"{SPECIFICATION}protect = {{ distinct = 2 }}\n"
    assert find_counting_key(replace(project, text=masked)) != key
    assert find_counting_key(replace(project, text=guarded)) != key
    with (people / "people.csv").open("a") as table:
        table.write("5,02142,cold\n")
    assert find_counting_key(project) != key


def test_a_session_knows_whether_its_list_is_current(studio):
    studio.session.keep_result(count_list(lambda _: None, studio.project))
    assert studio.session.counted is not None
    studio.session.change(SPECIFICATION.replace("k = 2", "k = 3"), "k")
    assert studio.session.counted is not None
    studio.session.change(SPECIFICATION.replace('"mask"', '"suppress"'), "hierarchy")
    assert studio.session.counted is None


def test_any_screen_can_count(studio):
    assert studio.post("/protection/count").status_code == 303
    studio.session.work.wait(600)
    studio.get("/protection")
    assert studio.session.counted is not None
