"""Releases of tables with more distinct sequences than may come to memory."""

import dataclasses

import pyarrow as pa
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.flow.explain import explain
from lookalike.spec.specification import Specification

from ..small_tables import rows_of

pytestmark = pytest.mark.usefixtures("own_duckdb")

ZIPS = [f"02{place}{house}" for place in range(3) for house in range(10)]
PEOPLE = pa.table(
    {
        "zip": [code for code in ZIPS for _ in range(4)],
        "sex": ["m", "f", "f", None] * len(ZIPS),
        "age": [str(20 + row % 7) for row in range(4 * len(ZIPS))],
        "ill": ["flu", "cold"] * (2 * len(ZIPS)),
    }
)
ATTRIBUTES = {
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5]}},
    "ill": {"role": "sensitive"},
}
METHODS = ["datafly", "samarati", "mingen", "k-similar"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "people.parquet"
    pa.parquet.write_table(PEOPLE, path)
    return path


def make(file, **fields):
    return la.release(str(file), attributes=ATTRIBUTES, **{"k": 3, "max_sequences": 20} | fields)


@pytest.mark.parametrize("method", ["mingen-cells", "k-similar", "mu-argus"])
def test_a_method_at_the_cell_level_is_refused_with_the_way_out(file, method):
    with pytest.raises(la.InvalidInput, match=r"max_sequences = 20") as refused:
        make(file, method=method)
    assert f"the method {method} needs them there" in str(refused.value)
    takes_bounds = method != "mu-argus"
    assert ('constraints = ["zip >= ' in str(refused.value)) == takes_bounds


def test_the_suggested_constraints_are_enough(file):
    with pytest.raises(la.InvalidInput) as refused:
        make(file, method="mingen-cells")
    suggested = str(refused.value).partition("constraints = [")[2].partition("]")[0]
    bounds = [bound.strip(' "') for bound in suggested.split(",")]
    made = make(file, method="mingen-cells", constraints=bounds)
    assert made.certificate.quasi_identifiers[0].k_reached >= 3


@pytest.mark.parametrize("method", ["mingen-cells", "k-similar", "mingen", "samarati"])
def test_bounds_on_levels_shorten_the_list(file, method):
    bounds = ["zip >= 1", "age >= 1"]
    made = make(file, method=method, constraints=bounds)
    assert made.plan.frequency.coarsened.vector == (1, 0, 1)
    zips, ages = (set(made.table.to_arrow_table()[name].to_pylist()) for name in ("zip", "age"))
    assert all(code.endswith("*") for code in zips)
    assert not ages & set(PEOPLE["age"].to_pylist())


def test_a_list_shortened_by_bounds_gives_the_same_release(file):
    bounds = ["zip >= 1", "age >= 1"]
    for method in ("mingen", "samarati"):
        short = make(file, method=method, constraints=bounds)
        whole = make(file, method=method, constraints=bounds, max_sequences=1000)
        assert short.levels == whole.levels
        assert rows_of(short.table.to_arrow_table().sort_by("zip"), ["zip"]) == rows_of(
            whole.table.to_arrow_table().sort_by("zip"), ["zip"]
        )
        assert dataclasses.asdict(short.measures) == pytest.approx(
            dataclasses.asdict(whole.measures)
        )


def test_measures_of_cells_are_relative_to_the_ground(file):
    made = make(file, method="mingen-cells", constraints=["zip >= 1", "age >= 1"])
    assert made.measures.precision <= 1 - (1 / 4 + 1 / 2) / 3
    assert made.measures.entropy > 0
    assert not made.has_proof


@pytest.mark.parametrize("objective", ["discernibility", "average-class-size"])
def test_an_objective_over_classes_is_refused(file, objective):
    with pytest.raises(la.InvalidInput, match=f"the objective {objective} needs them"):
        make(file, method="mingen", objective=objective)


def test_several_quasi_identifiers_are_refused(file):
    several = [{"name": "a", "attributes": ["zip", "sex"]}, {"name": "b", "attributes": ["age"]}]
    with pytest.raises(la.InvalidInput, match="a k of several quasi-identifiers needs"):
        make(file, quasi_identifiers=several)


@pytest.mark.parametrize("bounds", [[], ["zip >= 1", "age >= 1"]])
def test_a_ledger_is_refused(file, tmp_path, bounds):
    attributes = ATTRIBUTES | {"number": {"role": "identifier"}}
    numbered = PEOPLE.append_column("number", pa.array(range(len(PEOPLE))))
    pa.parquet.write_table(numbered, file)
    with pytest.raises(la.InvalidInput, match="a ledger needs them there; release it without"):
        la.release(
            str(file),
            attributes=attributes,
            source={"row_key": "number"},
            k=3,
            method="mingen",
            constraints=bounds,
            max_sequences=20,
            ledger=str(tmp_path / "ledger.db"),
        ).publish(tmp_path / "released" / "people.csv")


def test_a_published_release_is_verified_against_its_table(file, tmp_path):
    made = make(file, method="mingen", keep_order=True, accept=["one-sensitive-value"])
    out = tmp_path / "released" / "people.parquet"
    made.publish(out)
    levels = made.levels
    released = pa.parquet.read_table(out)
    rule = la.Mask(length=4)
    expected = [rule.ancestors(code)[levels["zip"]] for code in PEOPLE["zip"].to_pylist()]
    assert released["zip"].to_pylist() == expected
    assert released["ill"].to_pylist() == PEOPLE["ill"].to_pylist()


def test_methods_are_compared_wherever_the_list_is_kept(file):
    shown = ["method", "levels", "precision", "k_minimal", "minimal_below", "error"]
    whole, kept = (
        la.compare(str(file), attributes=ATTRIBUTES, k=3, max_sequences=most, methods=METHODS)
        for most in (1000, 20)
    )
    assert kept.select(shown).slice(0, 3) == whole.select(shown).slice(0, 3)
    assert "max_sequences = 20" in str(kept.slice(3).to_pylist())


@pytest.mark.parametrize("code", ["02999", ZIPS[0]])
def test_rows_that_came_after_the_count_stop_the_release(file, code):
    made = make(file)
    row = {"zip": code, "sex": "m", "age": "20", "ill": "flu"}
    changed = pa.concat_tables([PEOPLE, pa.Table.from_pylist([row])])
    pa.parquet.write_table(changed, file)
    with pytest.raises((la.InvalidInput, la.RequirementNotMet, la.InternalError)):
        made.table  # noqa: B018


@pytest.mark.parametrize("most", [20, 1000])
def test_the_plan_says_where_the_list_is_kept(file, most):
    asked = {
        "source": {"path": str(file)},
        "release": {"k": 3, "max_sequences": most},
        "attributes": ATTRIBUTES,
    }
    plan = explain(Specification.build(asked))
    held = ("DuckDB", 120, "mingen") if most == 20 else ("Memory", 120, "mingen-cells")
    assert (plan.engine, plan.rows, plan.method) == held
    assert plan.sequences == la.check(PEOPLE, ["zip", "sex", "age"]).classes
    assert plan.place == ("engine" if most == 20 else "memory")
    assert plan.refused is None
    assert plan.vectors == 5 * 2 * 3


def test_the_plan_says_why_a_release_is_refused(file):
    asked = {
        "source": {"path": str(file)},
        "release": {"k": 3, "max_sequences": 20, "method": "k-similar"},
        "attributes": ATTRIBUTES,
    }
    assert "the method k-similar needs them there" in explain(Specification.build(asked)).refused
