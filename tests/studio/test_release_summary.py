"""The tasks of *Publish*: publish and verify."""

import pytest

from lookalike.errors import InvalidInput
from lookalike.studio.editing.project import Project
from lookalike.studio.releases.release_summary import publish_release, verify_release

from .conftest import SPECIFICATION


@pytest.fixture
def project(people):
    return Project(people, "people.toml", SPECIFICATION)


def test_a_release_is_published_and_verified(project, people):
    made = publish_release(lambda _: None, project, False)
    assert [path.name for path in made.files] == ["people.csv", "certificate.json"]
    assert verify_release(lambda _: None, project).holds
    with pytest.raises(InvalidInput, match="replace"):
        publish_release(lambda _: None, project, False)
    assert publish_release(lambda _: None, project, True).rows_out == 4
