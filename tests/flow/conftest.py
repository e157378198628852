"""The folder in which commands on linked tables run."""

import pytest

from ..linked_hospital import PEOPLE, SPEC, VISITS, write


@pytest.fixture
def hospital(tmp_path, monkeypatch):
    """Return a folder with two tables and their specification, in which commands run."""
    write(tmp_path / "people.csv", "no,sex,age", PEOPLE)
    write(tmp_path / "visits.csv", "no,month,ward", [(*one, "A") for one in VISITS])
    (tmp_path / "linked.toml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path
