"""`lookalike attack`: what it prints, where, and with which exit code."""

import json
import shutil

import pytest

FIELDS = [
    "releases",
    "people",
    "assumed",
    "holds",
    "rows_exposed",
    "left",
    "columns",
    "pairs",
    "summaries",
]
OURS = "release patients.toml --method mingen --max-suppressed 0"
RELEASES = (
    f"{OURS} --constraint 'birth_date <= 2' --out first/patients.csv",
    f"{OURS} --constraint 'zip <= 0' --out second/patients.csv",
)
AGAIN = f"{OURS} --constraint 'birth_date <= 2' --out again/patients.csv"


@pytest.fixture
def released(folder, after):
    """Two releases of the twelve patients that take no notice of each other."""
    after(*RELEASES)


def test_it_answers_with_the_documented_fields_and_no_value(folder, released, type_in):
    code, told, complaint = type_in("attack first second --spec patients.toml --json")
    answer = json.loads(told)
    assert (code, complaint) == (1, "")
    assert list(answer) == FIELDS
    assert answer["left"][0] == {
        "name": "quasi-identifier",
        "attributes": ["race", "birth_date", "gender", "zip"],
        "k": 2,
        "at_least": 1,
        "at_most": 1,
    }
    assert answer["rows_exposed"] == 4
    assert "1964" not in told


def test_exposed_sequences_are_shown_on_request_only(folder, released, type_in):
    _, told, _ = type_in("attack first second --spec patients.toml --show --json")
    [pair] = json.loads(told)["pairs"]
    certain = [one["values"] for one in pair["linked"][0]["exposed"] if one["certain"]]
    assert [tuple(values.values()) for values in certain] == [
        ("white", "1964", "male", "02138"),
        ("white", "1965", "female", "02139"),
    ]
    assert "02139" not in type_in("attack first second --spec patients.toml")[1]
    assert "02139" in type_in("attack first second --spec patients.toml --show")[1]


def test_it_says_which_releases_which_attack_how_many_and_what_to_do(folder, released, type_in):
    code, told, complaint = type_in("attack first second --spec patients.toml")
    assert (code, complaint) == (1, "")
    assert told.startswith("An attack was found: anyone who knows race, birth_date, gender, zip")
    assert "first with second" in told
    assert "complementary release attack" in told
    assert "4 rows of first and 4 of second are exposed" in told
    assert "Base the next release on the earlier one" in told


def test_releases_at_the_same_levels_need_no_specification(folder, after, type_in):
    after(*RELEASES, AGAIN)
    code, told, complaint = type_in("attack first again")
    assert (code, complaint) == (0, "")
    assert told.startswith("No attack was found in this model: anyone who knows race, birth_date")
    assert "12 people, that nobody's problem changed, and that nobody knows whose" in told


def test_k_may_be_asked_for(folder, after, type_in):
    after(*RELEASES, AGAIN)
    assert type_in("attack first again --k 3")[0] == 1


def test_a_plain_table_is_read_by_the_roles_of_its_columns(folder, released, type_in):
    shutil.copy("first/patients.csv", "plain.csv")
    code, told, complaint = type_in("attack plain.csv second --spec patients.toml --json")
    assert (code, complaint) == (1, "")
    assert json.loads(told)["left"][0]["at_most"] == 1


def test_totals_infer_what_mu_argus_suppressed(folder, released, type_in):
    type_in("release patients.toml --method mu-argus --allow-unsafe --out argus/patients.csv")
    command = "attack argus --spec patients.toml --totals genders.csv"
    code, told, complaint = type_in(command)
    assert (code, complaint) == (1, "")
    assert "1 hidden value follows from totals of gender; 1 row is exposed" in told
    assert "female" not in told
    [summary] = json.loads(type_in(f"{command} --show --json")[1])["summaries"]
    assert summary["inferred"] == [
        {"column": "gender", "value": "female", "shown": "*", "cells": 1}
    ]


def test_three_releases_are_told_in_words_as_bounds(folder, after, type_in):
    after(*RELEASES, AGAIN)
    code, told, _ = type_in("attack first again second --spec patients.toml --json")
    [left] = json.loads(told)["left"]
    assert code == 1
    assert (left["at_least"], left["at_most"]) == (1, 1)
