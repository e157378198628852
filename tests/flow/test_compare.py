"""Comparing the methods on the same table and requirement."""

import json
from itertools import product

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la
from lookalike.flow.compare import compare_methods
from lookalike.search.methods import ALGORITHMS
from lookalike.spec.specification import Specification

from ..roles import LINKABLE, MASKED

COLUMNS = [
    "method",
    "levels",
    "k",
    "k_reached",
    "rows_suppressed",
    "cells_suppressed",
    "precision",
    "precision_bound",
    "loss",
    "gap",
    "accuracy",
    "completeness",
    "classes",
    "k_minimal",
    "minimal_below",
    "seconds",
    "error",
]
PEOPLE = {"zip": ["02138", "02139", "02141", "02142"], "sex": ["f", "f", "m", "m"]}
ATTRIBUTES = {"zip": MASKED, "sex": LINKABLE}


@pytest.fixture
def answer(folder, type_in):
    """Runs a command line that succeeds, and returns its answer for each method."""

    def run(command):
        code, printed, complaint = type_in(f"{command} --json")
        assert (code, complaint) == (0, "")
        answered = json.loads(printed)
        assert list(answered) == ["methods"]
        return {one["method"]: one for one in answered["methods"]}

    return run


def compare(table, **fields):
    return la.compare(table, attributes=ATTRIBUTES, k=2, max_suppressed=0, **fields)


class TestFrames:
    @pytest.mark.parametrize(
        ("build", "kind", "rows"),
        [
            (pd.DataFrame, pd.DataFrame, lambda frame: frame.to_dict("records")),
            (pl.DataFrame, pl.DataFrame, lambda frame: frame.to_dicts()),
            (pl.LazyFrame, pl.DataFrame, lambda frame: frame.to_dicts()),
            (pa.table, pa.Table, lambda frame: frame.to_pylist()),
        ],
    )
    def test_the_answer_is_the_kind_of_frame_that_came_in(self, build, kind, rows):
        compared = compare(build(PEOPLE))
        assert type(compared) is kind
        listed = rows(compared)
        assert [row["method"] for row in listed] == list(ALGORITHMS)
        assert all(list(row) == COLUMNS for row in listed)
        levels = {row["method"]: row["levels"] for row in listed}
        assert pd.isna(levels.pop("mingen-cells"))
        assert pd.isna(levels.pop("k-similar"))
        assert set(levels.values()) == {"[1,0]"}

    def test_a_path_is_answered_with_an_arrow_table(self, tmp_path):
        path = tmp_path / "people.csv"
        pyarrow.csv.write_csv(pa.table(PEOPLE), path)
        for given in (path, str(path)):
            compared = compare(given)
            assert type(compared) is pa.Table
            assert compared["precision"].to_pylist() == [0.9] * len(ALGORITHMS)

    def test_source_is_for_a_path(self, tmp_path):
        path = tmp_path / "people.csv"
        pyarrow.csv.write_csv(pa.table(PEOPLE), path)
        compared = compare(path, source={"where": "sex = 'f'"}, methods=["samarati"])
        assert compared["classes"].to_pylist() == [1]
        with pytest.raises(la.InvalidInput, match="source is for a path"):
            compare(pa.table(PEOPLE), source={"where": "sex = 'f'"})

    def test_methods_come_in_the_order_that_is_asked(self):
        compared = compare(pa.table(PEOPLE), methods=["mingen", "datafly"])
        assert compared["method"].to_pylist() == ["mingen", "datafly"]

    def test_an_unknown_method_is_refused(self):
        with pytest.raises(la.InvalidInput, match=r"method is one of datafly, .*, not 'argus'"):
            compare(pa.table(PEOPLE), methods=["datafly", "argus"])

    def test_each_method_is_announced(self):
        announced = []
        compare(pa.table(PEOPLE), announce=announced.append)
        assert [step for step in announced if step in ALGORITHMS] == list(ALGORITHMS)
        assert announced.index("count") < announced.index("datafly")

    def test_a_method_that_fails_is_a_row_that_says_why(self):
        compared = compare(pa.table(PEOPLE), constraints=["sex = 0"]).to_pylist()
        failed = {row["method"]: row["error"] for row in compared if row["error"]}
        assert list(failed) == ["datafly", "mu-argus"]
        assert "datafly does not take bounds on levels" in failed["datafly"]
        done = {row["method"]: row["levels"] for row in compared if not row["error"]}
        assert done == {
            "samarati": "[1,0]",
            "mingen": "[1,0]",
            "mingen-cells": None,
            "k-similar": None,
        }
        assert {value for name, value in compared[0].items() if name in COLUMNS[1:-1]} == {None}

    def test_how_to_search_is_left_to_those_that_take_it(self):
        asked = {"effort": "quick", "bound": True, "repair": True, "dimension": 2}
        assert set(compare(pa.table(PEOPLE), **asked)["error"].to_pylist()) == {None}

    def test_a_table_that_no_method_can_release_is_infeasible(self):
        with pytest.raises(la.Infeasible, match="fewer than k = 5"):
            la.compare(pa.table(PEOPLE), attributes=ATTRIBUTES, k=5)

    def test_what_mu_argus_leaves_below_k_is_told(self):
        table = pa.table({"a": list("aaccca"), "b": list("xxyyyy")})
        linkable = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
        compared = la.compare(
            table, attributes=dict.fromkeys("ab", linkable), k=2, methods=["mu-argus"]
        ).to_pylist()
        assert (compared[0]["k_reached"], compared[0]["cells_suppressed"]) == (1, 1)
        assert (compared[0]["k_minimal"], compared[0]["minimal_below"]) == (None, None)


class TestMinimalBelow:
    def specification(self, folder, **fields):
        return Specification.load(folder / "patients.toml", fields)

    @pytest.mark.parametrize(("k", "allowed"), [(2, 0), (2, 2), (3, 0), (3, None), (4, 1)])
    def test_it_is_below_and_minimal(self, folder, k, allowed):
        fields = {"k": k} | ({} if allowed is None else {"max_suppressed": allowed})
        for compared in compare_methods(self.specification(folder, **fields)):
            if compared.method in ("mu-argus", "mingen-cells", "k-similar"):
                assert compared.minimal_below is None
                continue
            plan, recoding = compared.release.plan, compared.release.recoding
            below, vector = compared.minimal_below, recoding.vector
            assert all(low <= high for low, high in zip(below, vector, strict=True))
            within = [
                lower
                for lower in product(*(range(level + 1) for level in below))
                if plan.frequency.outliers(lower, k) <= recoding.allowance
            ]
            assert within == [below]
            assert recoding.k_minimal == (below == vector)

    def test_datafly_overgeneralizes_and_the_comparison_shows_what_would_do(self):
        table = pa.table(
            {
                "race": [race for race in ("asian", "black", "white") for _ in range(4)],
                "zip": ["94138", "94139", "94141", "94142"] * 3,
            }
        )
        attributes = {
            "race": {
                "role": "quasi-identifier",
                "hierarchy": la.Taxonomy({"person": ["asian", "black", "white"]}),
            },
            "zip": {"role": "quasi-identifier", "hierarchy": la.Mask(steps=2)},
        }
        compared = la.compare(
            table, attributes=attributes, k=3, max_suppressed=0, methods=["datafly", "samarati"]
        ).to_pylist()
        assert [(row["levels"], row["k_minimal"]) for row in compared] == [
            ("[1,1]", False),
            ("[1,0]", True),
        ]
        assert [row["minimal_below"] for row in compared] == ["[1,0]", "[1,0]"]


class TestCommand:
    def test_it_answers_with_the_fields_of_release_for_each_method(self, answer, type_in):
        compared = answer("compare patients.toml")
        assert list(compared) == list(ALGORITHMS)
        for method in ALGORITHMS:
            _, printed, _ = type_in(f"release patients.toml --dry-run --json --method {method}")
            alone = json.loads(printed)
            del alone["preflight"], alone["persons_reached"], alone["answers_left_out"]
            assert set(alone) <= set(compared[method])
            told_apart = {"seconds"} | ({"precision_bound"} if method == "k-similar" else set())
            for name in set(alone) - told_apart:
                assert compared[method][name] == alone[name]
            assert compared[method]["files"] == []
            assert compared[method]["seconds"]["search"] > 0

    def test_a_bound_at_the_cell_level_holds_for_both_methods(self, answer):
        compared = answer("compare patients.toml")
        both = [compared[method] for method in ("mingen-cells", "k-similar")]
        assert both[0]["precision_bound"] == both[1]["precision_bound"] < 1
        assert [one["gap"] for one in both] == [
            one["precision_bound"] - one["precision"] for one in both
        ]
        assert compared["mingen"]["gap"] == 0
        assert compared["mu-argus"]["precision_bound"] is compared["mu-argus"]["gap"] is None

    def test_k_similar_alone_has_a_bound_when_asked(self, answer):
        asked = "compare patients.toml --method k-similar"
        assert answer(asked)["k-similar"]["gap"] is None
        bounded = answer(f"{asked} --bound --effort standard")["k-similar"]
        assert 0 <= bounded["gap"] < 0.01

    def test_it_tells_a_minimal_vector_below_by_name(self, answer):
        compared = answer("compare patients.toml")
        levels = {"race": 0, "birth_date": 2, "gender": 0, "zip": 0}
        assert compared["datafly"]["minimal_below"] == compared["datafly"]["levels"] == levels
        assert compared["mu-argus"]["minimal_below"] is None
        assert compared["mu-argus"]["rows_below_k"] == 2

    def test_only_the_methods_that_are_named_are_run(self, answer):
        compared = answer("compare patients.toml --method mingen --method datafly")
        assert list(compared) == ["mingen", "datafly"]

    def test_k_and_max_suppressed_take_the_place_of_the_files(self, answer):
        compared = answer("compare patients.toml -k 3 --max-suppressed 0 --method samarati")
        assert (compared["samarati"]["k"], compared["samarati"]["rows_suppressed"]) == (3, 0)
        assert compared["samarati"]["k_reached"] >= 3

    def test_it_shows_a_line_for_each_method(self, folder, type_in):
        code, printed, complaint = type_in("compare patients.toml --wide --effort standard")
        assert (code, complaint) == (0, "")
        lines = {line.split()[0]: line.split() for line in printed.splitlines() if line.strip()}
        assert list(ALGORITHMS) == [name for name in lines if name in ALGORITHMS]
        [*before, _seconds] = lines["datafly"][1:7]
        assert before == ["0.7500", "–", "2", "5", "2"]
        assert lines["datafly"][7:] == ["[0,2,0,0]", "0.2311", "0", "–", "0.8333", "0.8333", "yes"]
        assert lines["mu-argus"][1:6] == ["0.8542", "–", "0", "7", "1"]
        assert lines["k-similar"][7:10] == ["cells", "0.1686", "0"]
        assert "Asked: k = 2. Rows * are suppressed; bound: no release has more." in printed

    def test_without_wide_it_fits_80_columns_and_shows_what_matters(self, folder, type_in):
        printed = type_in("compare patients.toml --method datafly --method mingen")[1]
        assert max(len(line.rstrip()) for line in printed.splitlines()) <= 80
        assert "levels" not in printed.splitlines()[1]
        [line] = [line for line in printed.splitlines() if line.startswith(" mingen")]
        assert line.split()[1:6] == ["0.6917", "0.6917", "0", "5", "2"]

    def test_a_method_that_fails_is_a_line_that_says_why(self, folder, type_in, answer):
        text = (folder / "patients.toml").read_text()
        bounded = text.replace("k = 2", 'k = 2\nconstraints = ["zip <= 1"]')
        (folder / "patients.toml").write_text(bounded)
        compared = answer("compare patients.toml")
        assert list(compared["datafly"]) == ["method", "error"]
        code, printed, _ = type_in("compare patients.toml")
        assert code == 0
        assert f"datafly fails: {compared['datafly']['error']}." in " ".join(printed.split())
        assert (
            "mu-argus fails: constraints: method mu-argus does not take bounds on levels" in printed
        )
        assert compared["mingen"]["levels"]["zip"] <= 1

    def test_what_an_error_writes_in_brackets_is_shown(self, folder, type_in):
        text = (folder / "patients.toml").read_text()
        changed = text.replace("k = 2", 'k = 2\ngeneralize = ["[bold]zip"]')
        (folder / "patients.toml").write_text(changed)
        _, _, complaint = type_in("compare patients.toml --method mu-argus")
        assert "'[bold]zip'" in complaint

    def test_it_writes_nothing(self, folder, type_in):
        before = sorted(folder.rglob("*"))
        type_in("compare patients.toml")
        assert sorted(folder.rglob("*")) == before
