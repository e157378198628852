"""What the studio shows of µ-Argus is what the command line releases."""

from collections import Counter
from dataclasses import replace

import pyarrow.csv
import pytest

from lookalike.errors import RequirementNotMet
from lookalike.studio.counted_list import count_list, find_counting_key
from lookalike.studio.editing.edit_toml import set_field
from lookalike.studio.editing.project import Project
from lookalike.studio.releases.release_summary import publish_release
from lookalike.studio.screens.argus import TakesLong, decide_argus, find_argus_state, follow_argus
from lookalike.studio.work import TaskLine

from .conftest import SPECIFICATION
from .test_argus import SEX, TABLE


def ignore(_step):
    pass


@pytest.fixture
def project(people):
    (people / "people.csv").write_text(TABLE)
    return Project(people, "people.toml", SPECIFICATION + SEX)


def decided(project, names, *, repair):
    text = set_field(project.text, ("release",), "repair", repair or None)
    return replace(project, text=decide_argus(text, names))


def state_of(project):
    return find_argus_state(count_list(ignore, project).frequency, project.specification())


def classes(path):
    table = pyarrow.csv.read_csv(path).select(["zip", "sex"])
    return Counter(tuple(map(str, row.values())) for row in table.to_pylist())


@pytest.mark.parametrize("names", [["sex"], ["zip"], []])
def test_the_command_line_makes_the_same_release(project, people, answer, monkeypatch, names):
    chosen = decided(project, names, repair=True)
    made = publish_release(TaskLine(), chosen, False)
    (people / "people.toml").write_text(chosen.text)
    monkeypatch.chdir(people)
    again = answer("release people.toml --out again/people.csv")
    released = classes(people / "released" / "people.csv")
    assert classes(people / "again" / "people.csv") == released
    outcome = state_of(chosen).outcome
    assert outcome["classes"] == again["classes"] == made.classes == len(released)
    assert outcome["precision"] == again["precision"]
    assert outcome["smallest"] == min(released.values())


def test_without_repair_the_rows_below_k_are_counted_and_publishing_stops(project):
    chosen = decided(project, [], repair=False)
    outcome = state_of(chosen).outcome
    assert outcome["rows_below_k"] == 2
    assert outcome["cells"] == {"zip": 2, "sex": 0}
    assert outcome["rows_concerned"] == 2
    with pytest.raises(RequirementNotMet, match="2 of 10 rows would still occur"):
        publish_release(TaskLine(), chosen, False)


def test_each_decision_says_what_it_gained(project):
    state = state_of(decided(project, ["sex", "zip"], repair=False))
    assert state.decided == ("sex", "zip")
    assert len(state.seen) == 3
    assert state.seen[0].rows == 2
    assert state.seen[-1].rows == state.unsafe.rows == 0
    assert state.unsafe.levels == {"zip": 1, "sex": 1}


def test_a_list_that_takes_too_long_is_refused(project):
    frequency = count_list(ignore, project).frequency
    asked = decided(project, [], repair=False).specification()
    with pytest.raises(TakesLong, match="too many to follow µ-Argus at once"):
        find_argus_state(frequency, asked, seconds=1e-9)


def test_columns_that_a_pattern_names_are_followed_too(project):
    text = decide_argus(project.text.replace("[attributes.sex]", '[attributes."s*"]'), [])
    assert state_of(replace(project, text=text)).unsafe.levels == {"zip": 0, "sex": 0}


def test_a_task_follows_for_as_long_as_it_takes(project):
    chosen, steps = decided(project, ["sex"], repair=True), []
    kept = follow_argus(steps.append, chosen)
    assert (kept.key, kept.text) == (find_counting_key(chosen), chosen.text)
    assert kept.state == state_of(chosen)
    assert steps[-1] == "testing combinations"
