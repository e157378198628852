"""``lookalike risk FOLDER --spec``: the exposure of a published release at the command line."""

import json
import re

import pytest

from ..demo_files import copy_demo


@pytest.fixture
def folder(stage, monkeypatch, after):
    """Publish a cell-level release of twelve patients, and return where it is."""
    copy_demo(stage / "patients", "patients")
    monkeypatch.setenv("COLUMNS", "80")
    after("release patients/patients.toml --method mingen-cells --out cells/patients.csv")
    return stage


def test_the_exposure_is_shown_within_80_columns(folder, type_in):
    code, shown, errors = type_in("risk cells --spec patients/patients.toml")
    assert (code, errors) == (0, "")
    assert shown.startswith("Exposure 0.2000")
    assert "change the hierarchy of zip" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_json_has_every_figure(folder, type_in):
    population = "--population patients/patients.csv"
    code, shown, errors = type_in(f"risk cells --spec patients/patients.toml {population} --json")
    assert (code, errors) == (0, "")
    found = json.loads(shown)
    assert list(found) == [
        "cells",
        "certain_share",
        "greatest_gain",
        "mean_gain",
        "bits",
        "decoys",
        "announcements",
        "presence",
    ]
    assert found["presence"]["people"] == 12


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("risk cells --spec patients/patients.toml -q zip", "leave out -q\n"),
        ("risk cells --spec patients/patients.toml --share 0.1", "leave out --share\n"),
        ("risk cells --spec patients/patients.toml --share 0", "leave out --share\n"),
        ("risk cells --spec patients/patients.toml -k 5", "leave out --k\n"),
        ("risk cells --spec patients/patients.toml --size 3 -k 5", "leave out --size, --k\n"),
        ("risk cells --spec patients/patients.toml --encoding utf-8", "leave out --encoding\n"),
        ("check --spec patients/patients.toml --encoding utf-8", "leave out --encoding\n"),
        ("risk patients/patients.csv --spec patients/patients.toml", "not a release"),
        ("risk patients/patients.csv -q zip --table x.csv", "--table needs"),
    ],
)
def test_what_would_be_ignored_is_refused(folder, type_in, line, problem):
    code, _, errors = type_in(line)
    assert code == 2
    assert problem in errors


def test_too_great_an_exposure_exits_with_1(folder, type_in):
    spec = folder / "patients" / "patients.toml"
    text = spec.read_text().replace("k = 2", 'k = 2\nmax_exposure = 0.1\nmethod = "mingen-cells"')
    spec.write_text(re.sub(r'method = "datafly".*', "", text))
    code, _, errors = type_in("release patients/patients.toml --out other/patients.csv")
    assert code == 1
    assert "the exposure is 0.2000, above max_exposure = 0.1" in errors
    assert "zip" in errors
    assert not (folder / "other").exists()


def test_decoys_are_refused_at_the_attribute_level(folder, type_in):
    spec = folder / "patients" / "patients.toml"
    spec.write_text(spec.read_text().replace("k = 2", "k = 2\ndecoys = 0.1"))
    code, _, errors = type_in("release patients/patients.toml --method mingen")
    assert code == 2
    assert "decoys: method mingen does not take" in errors
    assert "mingen-cells" in errors
