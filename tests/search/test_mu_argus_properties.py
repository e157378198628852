"""Properties of every release of µ-Argus, with any options."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

import pyarrow as pa
from hypothesis import assume, given
from hypothesis import strategies as st

import lookalike as la
from lookalike.search.argus.combinations import list_combinations, list_program_combinations

from ..brute import generalize_rows, prec_of_cells
from ..effort import examples
from ..invented import Invented, tables
from ..small_tables import rows_of

few = examples(20)
ks = st.integers(2, 4)
people = tables(min_rows=4)
NUMBER = "number"


@dataclass(frozen=True)
class Asked:
    """The options and decisions of a data holder."""

    identification: tuple[int, ...]
    weights: tuple[Decimal, ...]
    decisions: tuple[int, ...]
    fields: dict[str, object]

    def decide(self):
        """Return a callback that chooses an attribute that can be generalized, if there is one."""
        remaining = iter(self.decisions)

        def decide(unsafe):
            number = next(remaining, None)
            lower = [n for n, level in unsafe.levels.items() if level < unsafe.heights[n]]
            return lower[number % len(lower)] if lower and number is not None else None

        return decide

    @property
    def combinations(self):
        """The combinations that are tested."""
        if self.fields["combinations"] == "program":
            return list_program_combinations(self.identification)
        size = self.fields["dimension"]
        return list_combinations(
            self.identification, len(self.identification) if size == "all" else size
        )


@st.composite
def asked(draw, invented, *, weighted):
    """Generate options and up to three decisions."""
    number = len(invented.hierarchies)
    levels = draw(st.lists(st.integers(0, 3), min_size=number, max_size=number).filter(any))
    some = st.sampled_from([Decimal(text) for text in ("0", "0.25", "1", "3")])
    weights = draw(st.lists(some, min_size=number, max_size=number).filter(any))
    program = draw(st.booleans())
    return Asked(
        identification=tuple(levels),
        weights=tuple(weights) if weighted else (Decimal(1),) * number,
        decisions=tuple(draw(st.lists(st.integers(0, 9), max_size=3))),
        fields={
            "combinations": "program" if program else "all",
            "dimension": 3 if program else draw(st.sampled_from([2, 3, "all"])),
            "suppress_by": draw(st.sampled_from(["count", "weight", "entropy"])),
        },
    )


@dataclass(frozen=True)
class Made:
    """A release of a generated table whose rows are numbered."""

    invented: Invented
    asked: Asked
    release: la.Release

    @property
    def rows(self):
        """The released rows, in the order of the private ones, without their numbers."""
        rows = sorted(rows_of(self.release.table), key=lambda row: int(row[-1]))
        assert [row[-1] for row in rows] == [str(n) for n in range(self.invented.table.num_rows)]
        return [row[:-1] for row in rows]

    @property
    def generalized(self):
        """The private rows at the levels of the release."""
        vector = self.release.recoding.vector
        return generalize_rows(self.invented.rows, self.invented.rules, vector)


def make(data, invented, k, *, weighted=True, **fields):
    """Release a table whose rows are numbered, with the given options."""
    assume(invented.table.num_rows >= k)
    drawn = data.draw(asked(invented, weighted=weighted))
    numbers = pa.array([str(number) for number in range(invented.table.num_rows)])
    attributes = {
        name: {**described, "identification": level, "weight": weight}
        for (name, described), level, weight in zip(
            invented.attributes.items(), drawn.identification, drawn.weights, strict=True
        )
    }
    release = la.release(
        invented.table.append_column(NUMBER, numbers),
        attributes=attributes | {NUMBER: {"role": "other", "unique": True}},
        k=k,
        method="mu-argus",
        allow_unsafe=True,
        decide=drawn.decide(),
        **drawn.fields,
        **fields,
    )
    return Made(invented, drawn, release)


def below(rows, k):
    """Count the rows that occur fewer than k times."""
    return sum(number for number in Counter(rows).values() if number < k)


@few
@given(st.data(), people, ks, st.booleans())
def test_every_row_is_released_with_ancestors_or_suppressed_values(data, invented, k, repair):
    made = make(data, invented, k, repair=repair)
    for row, image in zip(made.rows, made.generalized, strict=True):
        assert all(shown in ("*", value) for shown, value in zip(row, image, strict=True))


@few
@given(st.data(), people, ks)
def test_after_repair_every_row_has_its_lookalikes(data, invented, k):
    made = make(data, invented, k, repair=True)
    assert below(made.rows, k) == 0
    assert made.release.safe
    (verdict,) = made.release.certificate.quasi_identifiers
    assert verdict.k_reached == min(Counter(made.rows).values()) >= k
    assert verdict.rows_below_k == 0


@few
@given(st.data(), people, ks)
def test_without_repair_the_verdict_is_what_a_recount_finds(data, invented, k):
    made = make(data, invented, k)
    (verdict,) = made.release.certificate.quasi_identifiers
    smallest = min(Counter(made.rows).values())
    assert made.release.measures.rows_below_k == verdict.rows_below_k == below(made.rows, k)
    assert made.release.measures.smallest_class == verdict.k_reached == smallest
    assert made.release.measures.classes == verdict.classes == len(set(made.rows))
    assert made.release.safe == (smallest >= k)
    assert ("does NOT hold" in made.release.certificate.statement) == (smallest < k)


@few
@given(st.data(), people, ks, st.booleans())
def test_measures_are_those_of_the_cells(data, invented, k, repair):
    made = make(data, invented, k, repair=repair, keep_order=True)
    measures, released = made.release.measures, made.release.table
    assert measures.cells_suppressed == sum(row.count("*") for row in made.rows)
    assert measures.completeness == 1
    generalized = made.release.certificate.generalized
    assert {name: generalized[name].cells_suppressed for name in generalized} == {
        name: released[name].to_pylist().count("*") for name in invented.hierarchies
    }


@few
@given(st.data(), people, ks, st.booleans())
def test_precision_is_that_of_definition_5_cell_by_cell(data, invented, k, repair):
    made = make(data, invented, k, weighted=False, repair=repair, keep_order=True)
    levels = made.release.levels
    expected = prec_of_cells(invented.table, made.release.table, invented.hierarchies, levels)
    assert made.release.measures.precision == float(expected)


@few
@given(st.data(), people, ks)
def test_step_2_leaves_no_identifying_value_below_k(data, invented, k):
    made = make(data, invented, k)
    for place, level in enumerate(made.asked.identification):
        values = Counter(row[place] for row in made.generalized)
        del values["*"]
        assert not level or min(values.values(), default=k) >= k


@few
@given(st.data(), people, ks)
def test_step_6_breaks_every_rare_combination_and_touches_no_other_row(data, invented, k):
    made = make(data, invented, k)
    images = made.generalized
    unsafe = [set() for _ in images]
    for places in made.asked.combinations:
        seen = [tuple(row[place] for place in places) for row in images]
        for rare, values in zip(unsafe, seen, strict=True):
            if seen.count(values) < k and "*" not in values:
                rare.add(places)
    for row, image, rare in zip(made.rows, images, unsafe, strict=True):
        gone = {place for place, value in enumerate(row) if value != image[place]}
        assert all(gone & set(places) for places in rare)
        assert gone <= {place for places in rare for place in places}
