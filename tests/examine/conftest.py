"""Releases that the tests of this room only look at."""

import pytest

from ..held_forms import FORMS, publish


@pytest.fixture(scope="session")
def published(tmp_path_factory):
    """Return a release of linked tables in each form, made once."""
    folder = tmp_path_factory.mktemp("held")
    return {name: publish(folder / name, **changes) for name, changes in FORMS.items()}
