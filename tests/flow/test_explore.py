"""Exploration: every point is the release of its setting, and what follows from them is true."""

import math
import sys
import time
from collections import Counter
from dataclasses import replace
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.describe.attributes import describe_attributes
from lookalike.describe.frontier import KS, TrialSetting
from lookalike.flow.explore.exploration import COMMON_K, LIMITS, Grid
from lookalike.flow.release import prepare
from lookalike.model.measures import precision
from lookalike.search.methods import ALGORITHMS
from lookalike.spec.choose_method import DEFAULT_METHODS
from lookalike.tables.read import read_frame

from .explored_people import ATTRIBUTES, PEOPLE, explore, specify


def release(specification):
    return prepare(specification, frame=read_frame(PEOPLE))


class TestGrid:
    def test_the_settings_asked_for_come_first_then_a_common_k(self):
        asked = TrialSetting("samarati", 7, Decimal("0.02"))
        settings = Grid().settings(asked)
        assert settings[0] == asked
        ks, limits, methods = KS, LIMITS, DEFAULT_METHODS
        assert len(settings) == (len(ks) + 1) * (len(limits) + 1) * len(methods)
        assert list(dict.fromkeys(one.k for one in settings))[:2] == [7, COMMON_K]
        assert len(set(settings)) == len(settings)

    def test_every_k_is_tried_once_before_other_limits_and_methods(self):
        asked = TrialSetting("samarati", 7, Decimal("0.02"))
        settings = Grid().settings(asked)
        other = [asked.count_other(one) for one in settings]
        assert other == sorted(other)
        assert {one.k for one in settings[: other.count(0)]} == {7, *KS}

    def test_only_what_is_named_is_tried(self):
        grid = Grid(ks=(10, 20), limits=(3,), methods=("mingen",))
        chosen = grid.choose(TrialSetting("datafly", 5, Decimal("0.0")))
        assert chosen == TrialSetting("mingen", 10, 3)
        assert [one.k for one in grid.settings(chosen)] == [10, 20]

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"methods": ("mingem",)}, "mingem"),
            ({"ks": (1,)}, "at least 2"),
            ({"limits": (-1,)}, "negative"),
            ({"limits": (Decimal("1.5"),)}, "fraction"),
        ],
    )
    def test_what_no_release_could_have_is_refused(self, fields, message):
        with pytest.raises(la.InvalidInput, match=message):
            Grid(**fields)


class TestPoints:
    @pytest.mark.parametrize("method", [one for one in ALGORITHMS if one != "mu-argus"])
    def test_a_point_is_the_release_of_its_setting(self, method):
        found = explore(specify(), limits=(0, Decimal("0.1")), methods=(method,))
        assert len(found.points) == 4
        for point in found.points:
            setting, outcome = point.setting, point.outcome
            asked = {"method": method, "k": setting.k, "max_suppressed": setting.max_suppressed}
            made = release(specify(**asked))
            assert outcome.measures == made.measures
            assert outcome.levels == made.levels
            assert outcome.figures == describe_attributes(made.specification, made.plan)
            assert outcome.rows_lost == made.recoding.rows_suppressed
            assert outcome.precision_bound == made.recoding.precision_bound
            assert sum(outcome.kept.values()) / 3 == pytest.approx(1 - made.measures.loss)
            assert outcome.precision == made.measures.precision
            known = made.exposure
            assert outcome.certain_share == (0 if known is None else known.certain_share)

    def test_classes_with_one_sensitive_value_are_those_of_the_preflight(self):
        [point] = explore(specify(), ks=(3,), methods=("mingen",)).points
        made = la.release(PEOPLE, attributes=ATTRIBUTES, k=3, method="mingen", max_suppressed=0)
        classes = made.table.group_by(["zip", "age", "sex"]).aggregate([("ill", "count_distinct")])
        alike = classes["ill_count_distinct"].to_pylist().count(1)
        assert point.outcome.one_value == {"ill": alike}
        assert alike > 0
        assert "one-sensitive-value" in [finding.name for finding in made.preflight]

    def test_frequent_values_are_traced_from_the_ground_to_the_top(self):
        found = explore(specify(), ks=(3,), methods=("mingen",))
        ages = Counter(PEOPLE["age"].to_pylist())
        first, *_ = found.examples["age"]
        assert ages[first[0]] == max(ages.values())
        assert [len(found.examples[name]) for name in ("zip", "age", "sex")] == [3, 3, 2]
        assert {len(path) for path in found.examples["age"]} == {4}
        zips = {path[0]: path[1:3] for path in found.examples["zip"]}
        assert zips == {name: (f"{name[:4]}*", f"{name[:3]}**") for name in zips}

    def test_what_is_not_possible_says_why(self):
        found = explore(specify(), ks=(3, 61))
        impossible = [point for point in found.points if point.setting.k == 61]
        assert [point.outcome for point in impossible] == [None, None]
        assert all("60 eligible rows, fewer than k = 61" in one.error for one in impossible)
        assert found.points[0].outcome is not None

    def test_an_option_that_a_method_does_not_take_is_its_error_alone(self):
        found = explore(specify(constraints=["zip <= 4"]), ks=(3,))
        by_method = {point.setting.method: point for point in found.points}
        assert by_method["mingen"].outcome is not None
        assert "does not take bounds on levels" in by_method["datafly"].error

    def test_every_quasi_identifier_has_the_k_of_the_point(self):
        groups = [
            {"name": "home", "attributes": ["zip", "sex"], "k": 2},
            {"name": "age", "attributes": ["age"]},
        ]
        specification = la.Specification.build(
            {"release": {"k": 3}, "attributes": ATTRIBUTES, "quasi_identifiers": groups}
        )
        found = explore(specification, ks=(3, 6), methods=("mingen",))
        assert found.points[1].outcome.measures.smallest_class >= 6
        assert found.chosen.method == "mingen"

    def test_searches_run_alone_find_the_same(self):
        shared = explore(specify(), limits=(0, 3))
        alone = explore(specify(), limits=(0, 3), repeats=2)
        for one, other in zip(shared.points, alone.points, strict=True):
            assert replace(one.outcome, seconds=0) == replace(other.outcome, seconds=0)

    def test_searches_that_differ_in_the_limit_share_one_greedy(self, monkeypatch):
        module, found = sys.modules["lookalike.search.methods.mingen_cells"], []
        run = module.run_greedy
        monkeypatch.setattr(module, "run_greedy", lambda *given: found.append(given) or run(*given))
        monkeypatch.setattr("lookalike.flow.explore.explore.KEPT_SHARES", ())
        ill = {"role": "sensitive", "protect": {"distinct": 2}}
        asked = specify(ATTRIBUTES | {"ill": ill}, method="mingen-cells", secrecy="search")
        explore(asked, ks=(3, 5), limits=(0, 3, 6), methods=("mingen-cells",))
        weighed = len(ATTRIBUTES) - 1
        assert len(found) == 1 + 2 + weighed  # on a few sequences first, and with other weights


class TestTime:
    def test_it_takes_a_minute_unless_it_is_asked_for_more(self, monkeypatch, usual_budget):
        asked = []
        monkeypatch.setattr("lookalike.flow.explore.explore.BUDGET_SECONDS", usual_budget)
        monkeypatch.setattr(
            "lookalike.flow.explore.explore.deadline_after",
            lambda limit: asked.append(limit) or math.inf,
        )
        explore(specify(), ks=(3,))
        explore(specify(), ks=(3,), time_limit=math.inf)
        assert asked == [60, math.inf]

    def test_points_that_are_not_reached_are_listed(self):
        found = explore(specify(), time_limit=0.0)
        assert [point.is_reached for point in found.points] == [False] * 4
        assert (found.weights, found.advice, found.steps) == ((), (), ())
        assert found.keeps == ()

    def test_a_search_that_the_time_cuts_short_is_not_shown(self, monkeypatch):
        ended = time.monotonic() + 1000
        monkeypatch.setattr("lookalike.flow.explore.run_settings.is_over", lambda _: next(answers))
        answers = iter([False, True, True, True, True])
        found = explore(specify(), ks=(3,), time_limit=ended)
        assert [point.is_reached for point in found.points] == [False, False]

    def test_progress_names_the_point_and_the_time_left(self):
        said = []
        explore(specify(), announce=said.append)
        points = [text for text in said if text.startswith("point ")]
        assert points[0] == "point 1 of 4: mingen, k = 3, 0 % of the rows suppressed"
        assert points[-1].startswith(
            "point 4 of 4: datafly, k = 5, 0 % of the rows suppressed; about "
        )
        weights = ["weight 1 of 3", "weight 2 of 3", "weight 3 of 3"]
        assert [text for text in said if text.startswith("weight ")] == weights
        assert said[-1].startswith("keep 0.")


class TestWeights:
    def test_a_tripled_weight_changes_what_its_release_changes(self):
        found = explore(specify(), ks=(3,), methods=("mingen-cells",))
        base = found.find(found.chosen)
        assert [effect.attribute for effect in found.weights] == ["zip", "age", "sex"]
        for effect in found.weights:
            name = effect.attribute
            heavier = {**ATTRIBUTES, name: ATTRIBUTES[name] | {"weight": 3}}
            [point] = explore(specify(heavier), ks=(3,), methods=("mingen-cells",)).points
            assert effect.kept == point.outcome.kept
            assert effect.change[name] == effect.kept[name] - base.kept[name]
            made = release(specify(heavier, method="mingen-cells"))
            assert effect.precision == pytest.approx(precision(made.plan.frequency, made.recoding))

    @pytest.mark.parametrize("when", [[True] * 3, [False, True] * 3])
    def test_a_weight_that_the_time_cuts_short_is_not_shown(self, monkeypatch, when):
        answers = iter(when)
        place = "lookalike.flow.explore.explore.is_over"
        monkeypatch.setattr(place, lambda _: next(answers))
        assert explore(specify(), ks=(3,), methods=("mingen",)).weights == ()

    def test_a_method_that_ignores_weights_is_not_run_again(self):
        assert explore(specify(), ks=(3,), methods=("datafly",)).weights == ()


class TestKeeps:
    @pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
    def test_each_share_is_that_of_a_release_and_the_first_without_one_ends_it(self, method):
        found = explore(specify(), ks=(3,), methods=(method,))
        lowest = min(found.find(found.chosen).kept.values())
        assert [step.share for step in found.keeps] == [
            share for share in (0.2, 0.4, 0.6, 0.8) if share > lowest
        ][: len(found.keeps)]
        *possible, last = found.keeps
        assert all(step.why is None for step in possible)
        assert f"at least {100 * last.share:.0f} % of " in last.why
        for step in possible:
            demanding = {
                name: one | {"keep": step.share} if name != "ill" else one
                for name, one in ATTRIBUTES.items()
            }
            made = release(specify(demanding, method=method))
            assert step.kept == pytest.approx(made.kept)
            assert min(step.kept.values()) >= step.share
            assert step.rows_lost == made.recoding.rows_suppressed
            assert step.precision == made.measures.precision

    def test_a_share_that_the_time_cuts_short_is_not_shown(self, monkeypatch):
        answers = iter([False, False, True])
        place = "lookalike.flow.explore.run_settings.is_over"
        monkeypatch.setattr(place, lambda _: next(answers, True))
        assert explore(specify(), ks=(3,), methods=("mingen",)).keeps == ()

    def test_a_method_that_takes_no_share_is_not_run_again(self):
        assert explore(specify(), ks=(3,), methods=("datafly",)).keeps == ()


class TestSteps:
    def test_each_lower_step_is_counted(self):
        found = explore(specify(method="mingen"), ks=(3,), limits=(2,), methods=("mingen",))
        levels = found.find(found.chosen).levels
        assert [step.attribute for step in found.steps] == [n for n, one in levels.items() if one]
        for step in found.steps:
            lower = levels | {step.attribute: levels[step.attribute] - 1}
            bounds = [
                f"{name} {sign} {one}" for name, one in lower.items() for sign in ("<=", ">=")
            ]
            asked = {"method": "mingen", "constraints": bounds, "max_suppressed": 60}
            try:
                suppressed = release(specify(**asked)).recoding.rows_suppressed
            except la.Infeasible:
                suppressed = 60
            assert (step.rows, step.allowed) == (suppressed, 2)
            assert step.is_blocked == (suppressed > 2)


class TestFrames:
    @pytest.mark.parametrize("kind", [pa.table, pl.DataFrame, lambda table: table.to_pandas()])
    def test_the_tidy_table_is_of_the_kind_given(self, kind):
        table = kind(PEOPLE)
        grid = la.Grid((3, 61), (0,), ("mingen",))
        found = la.explore(table, attributes=ATTRIBUTES, k=3, grid=grid)
        tidy = found.to_frame()
        assert type(tidy) is type(table)
        rows = pa.table(tidy) if not isinstance(tidy, pd.DataFrame) else pa.Table.from_pandas(tidy)
        first, last = rows.to_pylist()
        assert (first["status"], last["status"]) == ("done", "not possible")
        outcome = found.points[0].outcome
        assert (first["precision"], first["loss"]) == (outcome.precision, outcome.measures.loss)
        assert first["kept_zip"] == outcome.kept["zip"]
        assert last["error"]

    def test_it_shows_no_private_value(self):
        found = la.explore(
            PEOPLE, attributes=ATTRIBUTES, k=3, grid=la.Grid((3,), (0,), ("mingen",))
        )
        assert repr(found) == "<Exploration of 60 rows at 1 of 1 points>"
