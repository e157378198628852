"""The command line of the lattice methods: minimal, and what release asks of a search."""

import json
from pathlib import Path

import pytest

import lookalike as la

from ..demo_files import copy_demo

LEVELS = ("race", "birth_date", "gender", "zip")


@pytest.fixture(autouse=True)
def patients(tmp_path, monkeypatch):
    copy_demo(tmp_path / "patients", "patients")
    monkeypatch.chdir(tmp_path / "patients")
    return tmp_path / "patients"


def answer(type_in, command):
    code, told, complaint = type_in(f"{command} --json")
    assert (code, complaint) == (0, "")
    return json.loads(told)


def vectors(candidates):
    return [tuple(candidate["levels"][name] for name in LEVELS) for candidate in candidates]


def test_minimal_lists_every_minimal_vector(type_in):
    found = answer(type_in, "minimal patients.toml --max-suppressed 0")
    assert vectors(found["minimal"]) == [(1, 2, 0, 1), (0, 3, 1, 1), (0, 4, 1, 0)]
    assert found["lattice"] == 216
    assert found["complete"]
    first = found["minimal"][0]
    assert {"height": 4, "suppressed": 0, "distinct": 5}.items() <= first.items()
    assert first["precision"] == pytest.approx(0.6917, abs=5e-5)


def test_minimal_marks_what_is_preferred(type_in):
    command = "minimal patients.toml --max-suppressed 0 --prefer fewest-generalized-attributes"
    found = answer(type_in, f"{command} --prefer minimum-relative-distance")
    assert vectors(found["preferred"]) == [(0, 4, 1, 0)]
    code, told, _ = type_in(command)
    assert code == 0
    marked = [line.split() for line in told.splitlines() if line.lstrip().startswith("*")]
    assert marked == [["*", "0", "4", "1", "0", "5", "0", "4", "0.6750"]]
    assert "0.6750" in type_in(f"{command} --most 1")[1]


def test_policies_of_the_file_come_before_those_of_the_command_line(type_in, patients):
    text = (patients / "patients.toml").read_text()
    preferring = text.replace("k = 2", 'k = 2\nprefer = ["minimum-absolute-distance"]')
    (patients / "patients.toml").write_text(preferring)
    command = "minimal patients.toml --max-suppressed 0 --prefer fewest-generalized-attributes"
    assert vectors(answer(type_in, command)["preferred"]) == [(1, 2, 0, 1)]


def test_minimal_writes_nothing_and_shows_no_more_than_asked(type_in, patients):
    before = sorted(patients.rglob("*"))
    code, told, _ = type_in("minimal patients.toml --max-suppressed 0 --most 1")
    assert code == 0
    assert "3 k-minimal generalizations" in told
    assert "2 more are not shown" in told
    assert "1 more are not shown" in type_in("minimal patients.toml --max-suppressed 0 --most 2")[1]
    assert sorted(patients.rglob("*")) == before


def test_bounds_restrict_the_lattice_that_minimality_is_judged_in(type_in):
    found = answer(type_in, "minimal patients.toml --max-suppressed 0 --constraint 'zip >= 2'")
    assert vectors(found["minimal"]) == [(1, 2, 0, 2), (0, 3, 1, 2)]
    assert found["lattice"] == 108


def test_samarati_releases_the_preferred(type_in):
    made = answer(
        type_in,
        "release patients.toml --method samarati --max-suppressed 0 "
        "--prefer fewest-generalized-attributes",
    )
    assert tuple(made["levels"][name] for name in LEVELS) == (0, 4, 1, 0)
    assert made["k_minimal"]
    assert la.verify("released", spec="patients.toml").holds
    certificate = la.Certificate.read(Path("released"))
    assert certificate.prefer == ("fewest-generalized-attributes",)


def test_mingen_releases_the_proven_optimum(type_in, patients):
    made = answer(type_in, "release patients.toml --method mingen --max-suppressed 0")
    assert tuple(made["levels"][name] for name in LEVELS) == (1, 2, 0, 1)
    assert made["optimal"]
    assert made["precision_bound"] == made["precision"]
    certificate = la.Certificate.read(patients / "released")
    assert (certificate.objective, certificate.optimality) == ("precision", "proved")


def test_another_objective_bounds_no_precision(type_in):
    command = "release patients.toml --method mingen --objective discernibility --dry-run"
    made = answer(type_in, command)
    assert made["precision_bound"] is None
    assert made["optimal"]


def test_the_certificate_tells_no_bound_that_follows_from_private_values(type_in, patients):
    answer(type_in, "release patients.toml --method mingen --objective entropy")
    certificate = la.Certificate.read(patients / "released")
    assert (certificate.objective, certificate.precision_bound) == ("entropy", None)


def test_a_search_that_is_stopped_says_that_nothing_is_proved(type_in):
    code, told, _ = type_in(
        "release patients.toml --method mingen --max-suppressed 0 --time-limit 1e-9 --dry-run"
    )
    assert code == 0
    assert "the best found; no release at the attribute level reaches more than" in " ".join(
        told.split()
    )


def test_a_method_that_the_time_limit_stops_says_so(type_in):
    command = "release patients.toml --dry-run --max-suppressed 0 --method datafly"
    assert "stopped by the time limit" not in type_in(command)[1]
    code, told, _ = type_in(f"{command} --time-limit 0.000001")
    assert code == 0
    assert "stopped by the time limit" in " ".join(told.split())
