"""The tasks of *Publish*: try, publish, verify."""

import pytest

from lookalike.errors import InvalidInput
from lookalike.studio.project import Project
from lookalike.studio.release_summary import publish_release, try_release, verify_release

from .conftest import SPECIFICATION


@pytest.fixture
def project(people):
    return Project(people, "people.toml", SPECIFICATION)


def test_a_dry_run_is_verified_and_writes_nothing(project, people):
    before = sorted(people.rglob("*"))
    steps = []
    made = try_release(steps.append, project)
    assert (made.rows_in, made.rows_out, made.smallest, made.files) == (4, 4, 2, ())
    assert made.text == SPECIFICATION
    assert "occurs at least 2 times" in made.sentences[0]
    assert [one.attribute for one in made.kept] == ["zip"]
    assert {"read", "count", "search", "verify"} <= set(steps)
    assert sorted(people.rglob("*")) == before


def test_a_release_is_published_and_verified(project, people):
    made = publish_release(lambda _: None, project, False)
    assert [path.name for path in made.files] == ["people.csv", "certificate.json"]
    assert verify_release(lambda _: None, project).holds
    with pytest.raises(InvalidInput, match="replace"):
        publish_release(lambda _: None, project, False)
    assert publish_release(lambda _: None, project, True).rows_out == 4


def test_an_undecided_role_is_refused(project, people):
    text = SPECIFICATION.replace('"sensitive"', '"?"')
    with pytest.raises(InvalidInput, match="not decided"):
        try_release(lambda _: None, Project(people, "people.toml", text))
