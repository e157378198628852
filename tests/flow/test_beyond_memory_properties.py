"""A release of a list that stays in the engine is the release of the same list in memory."""

from collections import Counter

import duckdb
import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

import lookalike as la
from lookalike.tables.engines.duckdb_sequences import DuckDBSequences

from ..effort import examples
from ..invented import Invented, tables, weights
from ..small_tables import TREE, rows_of, table_of

pytestmark = pytest.mark.usefixtures("own_duckdb")

few = settings(
    examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
EVERYTHING = 1_000_000
OBJECTIVES = {"mingen": ("precision", "loss", "entropy")}
PREFERENCES = ("maximum-distribution", "minimum-suppression", "smallest-relative-peak")


@st.composite
def requests(draw, method, columns):
    """Invent what is asked of a method: k, MaxSup, how rows are suppressed, and its options."""
    fields = {
        "k": draw(st.integers(2, 4)),
        "suppressed_rows": draw(st.sampled_from(["drop", "blank"])),
        "max_suppressed": draw(st.one_of(st.none(), st.integers(0, 6))),
    }
    if method != "datafly":
        some = st.sampled_from(PREFERENCES)
        fields["prefer"] = draw(st.lists(some, max_size=2, unique=True))
        bounds = st.sampled_from([f"{name} >= 1" for name in columns])
        fields["constraints"] = draw(st.lists(bounds, max_size=2, unique=True))
    if method in OBJECTIVES:
        fields["objective"] = draw(st.sampled_from(OBJECTIVES[method]))
    return {"method": method, **fields}


@pytest.fixture
def fetched(monkeypatch):
    """The lengths of the lists that come to memory."""
    lengths = []
    fetch = DuckDBSequences.fetch

    def watch(self, vector):
        codes, counts = fetch(self, vector)
        lengths.append(len(counts))
        return codes, counts

    monkeypatch.setattr(DuckDBSequences, "fetch", watch)
    return lengths


def make(invented, asked, scales, most):
    """Release the table from DuckDB, or return the kind of error."""
    attributes = {
        name: {**fields, "weight": weight}
        for (name, fields), weight in zip(invented.attributes.items(), scales, strict=True)
    }
    people = duckdb.connect().from_arrow(invented.table)
    try:
        return la.release(people, attributes=attributes, max_sequences=most, **asked)
    except la.Infeasible as problem:
        return str(problem)
    except la.InvalidInput:
        reject()


def most_classes(made):
    """Return how many classes a vector can have that is released, or completed to k blank rows."""
    k, rows = made.plan.requirement.k, made.plan.frequency.rows
    small = min(max(made.recoding.allowance, k - 1), rows)
    return small + (rows - small) // k


def describe(made):
    """Return everything that the two releases must have in common."""
    recoding = made.recoding
    known = recoding.optimality
    return {
        "levels": made.levels,
        "rows": Counter(rows_of(made.table.to_arrow_table())),
        "suppressed": (recoding.rows_suppressed, recoding.rows_complementary),
        "minimal": (recoding.k_minimal, recoding.allowance, recoding.in_time),
        "steps": recoding.steps,
        "proved": known and (known.proved, known.evaluated),
        "generalized": made.certificate.generalized,
    }


def figures(made):
    """Return the measures and what was proved of them, which are sums of real numbers."""
    known = made.recoding.optimality
    bounds = {} if known is None else {"reached": known.reached, "bound": known.bound}
    return vars(made.measures) | bounds


@pytest.mark.slow
@pytest.mark.parametrize("method", ["datafly", "samarati", "mingen"])
@few
@given(st.data(), tables(min_rows=4), st.integers(1, 6))
def test_a_list_in_the_engine_gives_the_same_release(method, fetched, data, invented, most):
    fetched.clear()
    asked = data.draw(requests(method, invented.table.column_names))
    scales = data.draw(weights(len(invented.hierarchies))) or (1,) * len(invented.hierarchies)
    assume(len(invented.frequency) > most)
    whole = make(invented, asked, scales, EVERYTHING)
    stored = make(invented, asked, scales, most)
    if isinstance(whole, str):
        assert stored == whole
        return
    assert stored.plan.frequency.coarsened is not None
    assert whole.plan.frequency.coarsened is None
    assert describe(stored) == describe(whole)
    assert max(fetched) <= max(most, most_classes(stored))
    assert figures(stored) == pytest.approx(figures(whole), nan_ok=True)


@few
@given(tables(), st.integers(1, 3))
def test_a_list_in_the_engine_has_the_same_k(invented, most):
    people = duckdb.connect().from_arrow(invented.table)
    names = invented.table.column_names
    assert la.check(people, names, max_sequences=most) == la.check(invented.table, names)


def both(rows, hierarchies, **asked):
    """Release a table with its list in DuckDB and with its list in memory; return the rows."""
    invented = Invented(table_of(list(hierarchies), rows), hierarchies)
    scales = (1,) * len(hierarchies)
    return [
        Counter(rows_of(make(invented, asked, scales, most).table.to_arrow_table()))
        for most in (1, EVERYTHING)
    ]


def test_an_unknown_value_is_not_shown_at_level_0():
    rows = [("martian",)] * 3 + [("a",)] * 3
    known = {"race": la.Taxonomy({"person": ["a", "b"]}, unknown="suppress")}
    stored, whole = both(rows, known, method="datafly", k=3)
    assert stored == whole == {("*",): 3, ("a",): 3}


def test_among_classes_of_the_same_size_the_same_one_gives_rows():
    rows = [("a", "y")] * 5 + [("b", "x")] * 5 + [("c", "x")]
    asked = {"method": "mingen", "k": 3, "max_suppressed": 1, "suppressed_rows": "blank"}
    rules = {"one": TREE, "other": la.Suppress()}
    stored, whole = both(rows, rules, constraints=["one >= 1"], **asked)
    assert stored == whole == {("A", "x"): 3, ("A", "y"): 5, ("*", "*"): 3}
