"""What the settings say about rules is what every release with them reaches."""

import pytest

from lookalike.studio.attackers import foresee_rules

from .test_attackers import asked


def outlooks(specification):
    found = foresee_rules(specification, 100)
    return {one["preset"].name: one["outlook"] for one in found}


@pytest.mark.parametrize(
    ("k", "met"),
    [
        (5, set()),
        (10, {"ons"}),
        (11, {"ons", "cms"}),
        (12, {"ons", "cms", "ema", "health-canada"}),
        (20, {"ons", "cms", "ema", "health-canada", "cihi"}),
    ],
)
def test_k_decides(k, met):
    found = outlooks(asked({"k": k}))
    assert {name for name, outlook in found.items() if outlook == "will be met"} == met
    assert {found[name] for name in found.keys() - met} <= {"not assured"}


@pytest.mark.parametrize("name", ["cms", "ema", "health-canada", "cihi", "ons"])
def test_a_preset_meets_its_own_rule(name):
    assert outlooks(asked({"k": None, "preset": name}))[name] == "will be met"


@pytest.mark.parametrize(
    "release", [{"max_suppressed": 0.01}, {"max_suppressed": 3}, {"method": "datafly"}]
)
def test_rows_that_are_left_out_matter_to_cms(release):
    found = outlooks(asked({"k": 12, **release}))
    assert found["cms"] == "known after a dry run"
    assert found["ons"] == "will be met"
    assert outlooks(asked({"k": 12, "max_suppressed": 0}))["cms"] == "will be met"


def test_parts_of_a_quasi_identifier_are_counted_together_by_a_dry_run():
    groups = [
        {"name": "one", "attributes": ["zip"], "k": 20},
        {"name": "two", "attributes": ["age"]},
    ]
    found = outlooks(asked({"k": 12}, quasi_identifiers=groups))
    assert found["ons"] == found["cms"] == "known after a dry run"
    assert found["ema"] == "will be met"
    linked = outlooks(asked({"k": 12}, {"age": {"linking": 0.5}}))
    assert linked["ons"] == "known after a dry run"


def test_argus_assures_nothing_without_repair():
    release = {"k": 20, "method": "mu-argus", "generalize": []}
    assert set(outlooks(asked(release)).values()) == {"known after a dry run"}
    assert set(outlooks(asked(release | {"repair": True})).values()) == {"will be met"}


def test_nothing_is_foreseen_without_settings():
    assert set(outlooks(None).values()) == {None}
