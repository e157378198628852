"""Presets: what they set, stricter and weaker fields, and unknown names."""

import re

import pytest
from tests.report.rules.measured_release import measured

from lookalike.errors import InvalidInput
from lookalike.report.rules.judge import judge_rules
from lookalike.spec.presets import PRESETS, choose_k
from lookalike.spec.specification import Specification

ZIP = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}


def build(release, **tables):
    return Specification.build({"release": release, "attributes": {"zip": ZIP}, **tables})


def k_of(specification):
    return specification.requirement(rows=1000).k


@pytest.mark.parametrize(
    ("preset", "k"), [("cms", 11), ("ema", 12), ("health-canada", 12), ("ons", 10)]
)
def test_a_preset_sets_k(preset, k):
    asked = build({"preset": preset})
    assert k_of(asked) == k
    assert asked.release.model_fields_set == {"preset"}


def test_presets_are_rules_of_the_table():
    found = {one.rule: one.source for one in judge_rules(measured())}
    for preset in PRESETS.values():
        assert found[preset.rule].startswith(preset.source)


@pytest.mark.parametrize("own", [{"k": 12}, {"highest_risk": 0.05}, {"k": 11}])
def test_a_stricter_field_counts(own):
    asked = build({"preset": "cms", **own})
    assert k_of(asked) == own.get("k", 20)


@pytest.mark.parametrize(
    ("preset", "own", "problem"),
    [
        ("cms", {"k": 10}, 'release.k = 10 is weaker than preset = "cms", k = 11'),
        ("ema", {"k": 11}, 'weaker than preset = "ema", highest_risk = 0.09 (k = 12)'),
        ("ema", {"highest_risk": 0.1}, 'release.highest_risk = 0.1 is weaker than preset = "ema"'),
        ("cms", {"anonymity": 0.9}, 'cannot be compared with preset = "cms", k = 11'),
    ],
)
def test_a_weaker_field_is_an_error_that_names_both(preset, own, problem):
    with pytest.raises(InvalidInput, match=re.escape(problem)):
        build({"preset": preset, **own})


def test_weaker_quasi_identifiers_and_recipients_are_errors():
    groups = [{"name": "patient", "attributes": ["zip"], "k": 5}]
    with pytest.raises(InvalidInput, match=r"quasi_identifiers\.patient\.k = 5 is weaker"):
        build({"preset": "cms"}, quasi_identifiers=groups)
    with pytest.raises(InvalidInput, match=r"recipients\.clinic: release\.k = 5 is weaker"):
        build({"preset": "cms"}, recipients={"clinic": {"k": 5}})
    strict = build({"preset": "cms", "recipient": "x"}, recipients={"x": {"k": 30}})
    assert k_of(strict) == 30


def test_an_unknown_preset_is_the_only_problem_and_the_nearest_is_named():
    with pytest.raises(InvalidInput) as problem:
        build({"preset": "helth-canada"})
    assert str(problem.value) == (
        "the specification: release.preset: preset is one of cms, ema, health-canada, cihi, ons, "
        "not 'helth-canada'; did you mean 'health-canada'?"
    )


def test_a_change_of_the_preset_replaces_its_figure():
    asked = build({"preset": "cms"})
    assert k_of(asked.changed({"preset": "ema"}, {}, {})) == 12
    assert k_of(asked.changed({"k": 20}, {}, {})) == 20
    with pytest.raises(InvalidInput, match="weaker"):
        asked.changed({"k": 5}, {}, {})


def test_a_command_without_a_specification_has_the_same_rules():
    assert choose_k(11, "cms", default=2) == 11
    with pytest.raises(InvalidInput, match="k = 10 is weaker"):
        choose_k(10, "cms", default=2)
    with pytest.raises(InvalidInput, match="did you mean 'cms'"):
        choose_k(None, "cmss", default=2)
