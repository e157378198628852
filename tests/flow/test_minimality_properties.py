"""k-minimality and minimal distortion of releases, compared with a search of all tables."""

from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.hierarchy import Suppress, Taxonomy

from ..brute import find_k_minimal, find_minimal, list_vectors, satisfies_within, show
from ..effort import examples
from ..finer import best_precision, list_finer
from ..small_tables import frequency_of, generalize, table_of

few = examples(10)
LOW = Taxonomy({"any": ["a", "b", "c"]})
HIGH = Taxonomy({"any": {"A": ["a", "b"], "C": ["c", "d"]}})
NAMES = ("x", "y")
RULES = st.sampled_from([(LOW, HIGH), (LOW, LOW), (Suppress(), HIGH), (LOW, Suppress())])


@st.composite
def releases(draw):
    """Invent a table and divide its rows into classes, each released at or above its join."""
    rules, k = draw(RULES), 2
    number = draw(st.integers(4, 5))
    cells = st.sampled_from(["a", "b", "c", None])
    rows = draw(st.lists(st.tuples(cells, cells), min_size=number, max_size=number))
    gone = draw(st.integers(0, 1))
    order = draw(st.permutations(range(gone, number)))
    cut = draw(st.integers(k, len(order)))
    groups = [order[:cut], order[cut:]] if len(order) - cut >= k else [order]
    released = []
    for group in groups:
        members = [rows[place] for place in group]
        columns = zip(*members, strict=True)
        vector = [_join(draw, rule, column) for rule, column in zip(rules, columns, strict=True)]
        released += [_generalize(row, rules, vector) for row in members]
    return rules, k, rows, released


def _join(draw, rule, column):
    """Return the lowest level at which values are equal, or sometimes a higher one."""
    levels = range(rule.height + 1)
    least = next(n for n in levels if len({show(rule, value, n) for value in column}) == 1)
    return draw(st.sampled_from([least, least, least, rule.height]))


def _generalize(row, rules, vector):
    return tuple(show(rule, value, n) for rule, value, n in zip(rules, row, vector, strict=True))


def ask(rules, k, max_suppressed):
    linkable = zip(NAMES, rules, strict=True)
    return {
        "release": {"k": k, "max_suppressed": max_suppressed},
        "attributes": {
            name: {"role": "quasi-identifier", "hierarchy": rule} for name, rule in linkable
        },
    }


@few
@given(releases())
def test_at_the_cell_level_it_is_k_minimal_if_no_table_is_finer(case):
    rules, k, rows, released = case
    asked = ask(rules, k, len(rows) - len(released))
    found = la.is_k_minimal(
        table_of(NAMES, released), spec=asked, table=table_of(NAMES, rows), level="cell"
    )
    finer = next(list_finer(rows, released, rules, k), None)
    assert found.answer == ("yes" if finer is None else "no")


@few
@given(releases())
def test_at_the_cell_level_it_is_a_minimal_distortion_if_no_table_has_a_greater_prec(case):
    rules, k, rows, released = case
    allowed = len(rows) - len(released)
    found = la.is_minimal_distortion(
        table_of(NAMES, released),
        spec=ask(rules, k, allowed),
        table=table_of(NAMES, rows),
        level="cell",
    )
    best = best_precision(rows, rules, k, allowed)
    assert Fraction(found.possible).limit_denominator(1000) == best
    assert found.answer == ("yes" if found.precision == float(best) else "no")


@few
@given(
    RULES,
    st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 2), min_size=4, max_size=9),
    st.integers(2, 3),
    st.integers(0, 3),
    st.data(),
)
def test_at_the_attribute_level_it_is_what_definition_4_3_says(rules, rows, k, allowed, data):
    hierarchies = dict(zip(NAMES, rules, strict=True))
    table = table_of(NAMES, rows)
    freq = frequency_of(table, hierarchies)
    satisfies = satisfies_within(freq, k, allowed)
    within = [v for v in list_vectors(freq.heights) if satisfies(v)]
    kept = [v for v in within if freq.outliers(v, k) < len(rows)]
    assume(kept)
    vector = data.draw(st.sampled_from(kept))
    whole = generalize(table, hierarchies, vector)
    shown = [tuple(row.values()) for row in whole.to_pylist()]
    release = whole.filter([shown.count(row) >= k for row in shown])
    asked = ask(rules, k, allowed)
    found = la.is_k_minimal(release, spec=asked, table=table, level="attribute")
    judged = tuple(found.levels.values())
    assert generalize(table, hierarchies, judged) == whole
    minimal = find_k_minimal(freq, k, allowed)
    assert (found.answer == "yes") == (judged in minimal)
    below = [v for v in within if all(a <= b for a, b in zip(v, judged, strict=True))]
    if found.answer == "no":
        assert {one.vector for one in found.below} == find_minimal(below)
    distortion = la.is_minimal_distortion(release, spec=asked, table=table, level="attribute")
    best = max(_precision(freq, v, k) for v in within)
    assert distortion.possible == float(best)
    assert (distortion.answer == "yes") == (_precision(freq, judged, k) == best)


def _precision(freq, vector, k):
    """Return Prec at a vector, with the outliers suppressed."""
    gone = freq.outliers(vector, k)
    lost = sum(
        gone + Fraction(level, height) * (freq.rows - gone)
        for level, height in zip(vector, freq.heights, strict=True)
    )
    return 1 - lost / (freq.rows * len(vector))
