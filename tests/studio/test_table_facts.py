"""What the studio knows of a table: the proposals of ``init``, and nothing else."""

import pickle
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import lookalike
from lookalike.draft.make_draft import draft
from lookalike.spec.specification import Specification
from lookalike.studio.editing.changes import set_role
from lookalike.studio.session import Session
from lookalike.studio.table_facts import VALUES_SHOWN, profile

HOSPITAL = Path(lookalike.__file__).parent / "shell" / "data" / "hospital" / "hospital.csv"


@pytest.fixture(scope="module")
def facts():
    return profile(lambda _: None, HOSPITAL, {})


def test_the_specification_is_that_of_init(facts):
    assert facts.text == draft(HOSPITAL).toml(HOSPITAL.parent)


def test_a_page_gets_few_values(facts):
    assert max(len(column.examples) for column in facts.columns) == VALUES_SHOWN
    assert len(pickle.dumps(facts)) < 100_000
    assert "Irene" not in repr(facts)


def test_every_column_can_become_a_quasi_identifier(facts):
    text = facts.text
    for column in facts.columns:
        text = set_role(text, ("attributes", column.name), "quasi-identifier", column)
    fields = tomllib.loads(text)
    assert {one["role"] for one in fields["attributes"].values()} == {"quasi-identifier"}
    del fields["source"]["person"]
    Specification.build(fields)


def test_a_role_and_back_is_the_same_specification(facts):
    zip_code = facts.find("zip")
    there = set_role(facts.text, ("attributes", "zip"), "drop", zip_code)
    back = set_role(there, ("attributes", "zip"), "quasi-identifier", zip_code)
    assert tomllib.loads(back) == tomllib.loads(facts.text)


def test_hierarchy_files_are_private_and_never_overwritten(facts, tmp_path):
    table, file = '{ kind = "file", path = "ward.csv" }', ("ward.csv", "a;b\n")
    ward = replace(facts.find("ward"), hierarchy=table, hierarchy_file=file)
    columns = tuple(ward if one.name == "ward" else one for one in facts.columns)
    session = Session(tmp_path)
    session.store.open("hospital.toml")
    session.facts = replace(facts, columns=columns)
    session.change(facts.text, "draft")
    assert not (tmp_path / "ward.csv").exists()
    for mine in ("a;b\n", "mine"):
        session.change(set_role(session.project.text, ("attributes", "ward"), "drop", ward), "role")
        session.change(
            set_role(session.project.text, ("attributes", "ward"), "quasi-identifier", ward), "role"
        )
        assert (tmp_path / "ward.csv").read_text() == mine
        assert (tmp_path / "ward.csv").stat().st_mode & 0o777 == 0o600
        (tmp_path / "ward.csv").write_text("mine")
    session.close()
