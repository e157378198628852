"""Advice of an exploration: what it promises is what a release with the change does."""

from decimal import Decimal
from pathlib import Path

import pytest

import lookalike as la
from lookalike.flow.explore.explore import explore_specification
from lookalike.flow.release import prepare
from lookalike.model.kept import kept_shares
from lookalike.tables.read import read_frame

from .explored_people import ATTRIBUTES, PEOPLE, explore, specify


def follow(advice, **release):
    """Make the release that an advice proposes, and return its precision as the advice shows it."""
    attributes = {
        name: one | ({"weight": advice.weights[name]} if name in advice.weights else {})
        for name, one in ATTRIBUTES.items()
    }
    specification = specify(attributes, **{"max_suppressed": 0} | release | advice.release)
    return prepare(specification, frame=read_frame(PEOPLE))


def percent(share):
    return f"{100 * share:.0f} %"


def only(advice, piece):
    [found] = [one for one in advice if piece in one.text]
    return found


def explore_patients(method, limits):
    """Explore the patients by some methods, and return the exploration and their specification."""
    specification = la.Specification.load(Path("patients.toml"), {"method": method})
    grid = la.Grid((2,), limits, ("datafly", "mingen-cells"))
    return explore_specification(specification, grid)


def test_a_better_method_is_named(folder):
    found = explore_patients("datafly", (0,))
    advice = only(found.advice, "where datafly reaches")
    assert advice.release == {"method": "mingen-cells"}
    changed = {"max_suppressed": 0} | advice.release
    made = prepare(la.Specification.load(Path("patients.toml"), changed))
    assert advice.text.startswith(
        f"mingen-cells reaches a precision of {percent(made.measures.precision)} "
    )


def test_suppression_by_which_levels_are_lower_is_named(folder):
    found = explore_patients("datafly", (0, Decimal("0.1"), Decimal("0.2")))
    advice = only(found.advice, "suppressed instead of")
    assert advice.release == {"max_suppressed": Decimal("0.2")}
    before = found.find(found.chosen)
    made = prepare(la.Specification.load(Path("patients.toml"), advice.release))
    assert f"reaches a precision of {percent(made.measures.precision)} instead" in advice.text
    lower = {name for name, level in made.levels.items() if level < before.levels[name]}
    assert lower
    for name in lower:
        levels = f"{name} at level {made.levels[name]} instead of {before.levels[name]}"
        assert levels in advice.text


def test_a_weight_that_saves_a_poor_attribute_is_named():
    asked = {"k": 11, "method": "mingen"}
    found = explore(specify(**asked), ks=(11,), methods=("mingen",))
    advice = only(found.advice, "age is suppressed")
    assert advice.weights == {"age": 3}
    made = follow(advice, **asked)
    assert made.levels["age"] == 2
    kept = kept_shares(made.plan.frequency, made.recoding)[1]
    assert f"keeps {percent(kept)} of it at level 2 (intervals of 20)" in advice.text
    unweighted = prepare(specify(**asked, max_suppressed=0), frame=read_frame(PEOPLE))
    assert unweighted.levels["age"] == 3


def test_a_k_at_which_fewer_classes_share_a_value_is_named():
    found = explore(
        specify(k=2, method="mingen-cells"), ks=(2, 3, 5, 10), methods=("mingen-cells",)
    )
    advice = only(found.advice, "share one value")
    before = found.find(found.chosen)
    after = next(one for one in found.points if one.setting.k == advice.release["k"]).outcome
    assert f"{before.one_value['ill']} classes share one value" in advice.text
    assert f"k = {advice.release['k']} {after.one_value['ill']} do" in advice.text
    assert after.one_value["ill"] <= before.one_value["ill"] / 2


@pytest.mark.parametrize(
    ("asked", "grid", "change"),
    [
        (
            {"k": 3, "constraints": ["zip <= 0", "age <= 1", "sex <= 0"], "method": "mingen"},
            {"ks": (2, 3), "limits": (0, Decimal("0.99")), "methods": ("mingen",)},
            {"k": 2, "max_suppressed": Decimal("0.99")},
        ),
        (
            {"k": 3, "constraints": ["zip <= 1"], "method": "mingen"},
            {"ks": (40, 5), "methods": ("mingen",)},
            {"k": 5},
        ),
    ],
)
def test_what_is_not_possible_is_followed_by_what_is(asked, grid, change):
    [advice] = explore(specify(**asked), **grid).advice
    assert "is not possible" in advice.text
    assert advice.release == change
    assert percent(follow(advice, **asked).measures.precision) in advice.text


def test_no_advice_where_nothing_is_much_better():
    found = explore(specify(k=2, method="mingen-cells"), ks=(2,), methods=("mingen-cells",))
    assert [one for one in found.advice if not one.weights] == []
