"""Prove that released answers are those of private rows, some of them left out by class.

A private row may be in each class whose labels generalize its values. There it shows those of its
answers that some row of the class shows, and the suppressed label for the others. So what a row
shows in a class is known, and rows are matched; equal ones together: a match proves what is shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.released_values import NOWHERE, read_attribute
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Hashes
from lookalike.tables.connection import Connection
from lookalike.tables.labels import label
from lookalike.tables.sql import derive, engine_errors, quote_name
from lookalike.verify.answers import AnswersPromise
from lookalike.verify.both_tables import TruthClaim, hash_other_columns, with_pseudonyms
from lookalike.verify.cell_matching import Rows, match_rows, pair_patterns
from lookalike.verify.truth import compare_columns
from lookalike.verify.values import column_types, list_values, recognize

_OTHER = "lookalike other"
_LEFT_OUT = 0


@dataclass(frozen=True, eq=False)
class _Answers(Discreet):
    """The rows of one of the two tables.

    ``rows``: its quasi-identifier and its answers.
    ``others``: the hash of the other columns of each row.
    ``sequence``: the number of the quasi-identifier of each row.
    ``first``: a row of each of these sequences.
    """

    rows: pa.Table
    others: Hashes
    sequence: Codes
    first: Counts

    def unite(self, codes: Codes) -> "_Kinds":
        """Unite equal rows; ``codes``: the number of each answer of each row."""
        other = np.unique(self.others, return_inverse=True)[1].reshape(-1).astype(np.int32)
        lines = np.stack([self.sequence, other, *codes.T])
        sizes = [int(line.max(initial=0)) + 1 for line in lines]
        _, first, counts = group_equal(lines, sizes, np.ones(len(other), dtype=np.int64))
        return _Kinds(codes[first], self.others[first], self.sequence[first], counts)


@dataclass(frozen=True, eq=False)
class _Kinds(Discreet):
    """The different rows of one of the two tables, and how often each occurs."""

    codes: Codes
    others: Hashes
    sequence: Codes
    counts: Counts

    @property
    def nodes(self) -> Rows:
        """The same, for a matching whose edges say what goes together."""
        return Rows(np.zeros((1, len(self.counts)), dtype=np.int32), self.counts)


def count_false_answers(
    private: duckdb.DuckDBPyRelation,
    release: duckdb.DuckDBPyRelation,
    claim: TruthClaim,
    promise: AnswersPromise,
    connection: Connection,
) -> int:
    """Count the released rows without a private row of their own in a maximum matching."""
    original = with_pseudonyms(private, claim.pseudonym_keys)
    with engine_errors("the private table or the release"):
        ours, theirs = (
            _fetch(rows, hashed, claim, promise)
            for rows, hashed in zip(
                (original, release), hash_other_columns(original, release, claim), strict=True
            )
        )
    types = column_types(original)
    pairs = _pair_sequences(ours, theirs, claim, types, connection)
    encoded = [
        _encode(name, ours.rows[name], theirs.rows[name], types[name], promise.label, connection)
        for name in promise.columns
    ]
    values, shown = (np.stack(lines, axis=1) for lines in zip(*encoded, strict=True))
    kinds = ours.unite(values), theirs.unite(shown)
    matched = match_rows(kinds[0].nodes, kinds[1].nodes, [_match_answers(*kinds, pairs)])
    return int(len(shown) - matched.sum())


def require_true_answers(
    private: duckdb.DuckDBPyRelation,
    release: duckdb.DuckDBPyRelation,
    claim: TruthClaim,
    promise: AnswersPromise,
    connection: Connection,
) -> None:
    """Refuse released rows whose answers are not those of a different private row each."""
    false = count_false_answers(private, release, claim, promise, connection)
    if false:
        raise RequirementNotMet(
            f"{false:,} released rows do not have the answers of a private row each, so nothing is "
            "released; did the source change while it was read? If not, please report it"
        )


def _fetch(
    rows: duckdb.DuckDBPyRelation, hashed: str, claim: TruthClaim, promise: AnswersPromise
) -> _Answers:
    """Fetch the quasi-identifier, the answers and the hash of the other columns of each row."""
    names = ", ".join(map(quote_name, (*claim.levels, *promise.columns)))
    table = derive(
        rows, f"SELECT {names}, {hashed} AS {quote_name(_OTHER)} FROM t"
    ).to_arrow_table()
    codes = np.stack([list_values(table[name])[1] for name in claim.levels])
    _, first, sequence = np.unique(codes, axis=1, return_index=True, return_inverse=True)
    return _Answers(table, table[_OTHER].to_numpy(), sequence.reshape(-1).astype(np.int32), first)


def _pair_sequences(
    ours: _Answers,
    theirs: _Answers,
    claim: TruthClaim,
    types: Mapping[str, Any],
    connection: Connection,
) -> Iterator[tuple[int, Counts]]:
    """Yield each class, with the private sequences that its labels generalize."""
    attributes, private, released = [], [], []
    for name in claim.hierarchies:
        values, shown = (one.rows[name].take(pa.array(one.first)) for one in (ours, theirs))
        one = compare_columns(name, values, shown, types[name], claim, connection)
        attribute = read_attribute(name, one.paths, one.texts, claim.suppressed_label, one.levels)
        attributes.append(attribute)
        private.append(attribute.private[one.private])
        released.append(attribute.released[one.released])
    known = [one.levels[codes] != NOWHERE for one, codes in zip(attributes, released, strict=True)]
    possible = np.flatnonzero(np.all(known, axis=0))
    originals, tuples = (
        Rows(np.stack([np.zeros_like(codes[0]), *codes]), np.ones(len(codes[0]), dtype=np.int64))
        for codes in (private, released)
    )
    for members, member, found in pair_patterns(originals, tuples.take(possible), attributes, 1):
        for number, one in enumerate(members):
            yield int(possible[one]), found[member == number]


def _encode(
    name: str,
    private: pa.ChunkedArray,
    released: pa.ChunkedArray,
    kind: Any,
    hidden: str,
    connection: Connection,
) -> tuple[Codes, Codes]:
    """Number the values of a column alike in both tables; refuse the label as a private value.

    The suppressed label has the number 0, and a released value that is no private one its own.
    """
    values, places = list_values(private)
    texts, shown = list_values(released)
    labels = [label(value) for value in values]
    if hidden in labels:
        raise InvalidInput(
            f"column {name!r}: the suppressed label {hidden!r} is also a value of the private "
            "column; give the suppressed_label of the release"
        )
    number: dict[str | None, int] = {hidden: _LEFT_OUT}
    read = recognize(texts, [(text,) for text in labels], [0], kind, connection)
    ours, theirs = (
        np.array([number.setdefault(text, len(number)) for text in one], dtype=np.int32)
        for one in (labels, read)
    )
    return ours[places], theirs[shown]


def _match_answers(
    ours: _Kinds, theirs: _Kinds, pairs: Iterator[tuple[int, Counts]]
) -> tuple[Codes, Codes]:
    """Pair each released row with the private rows that show the same in its class.

    Rows are compared by random numbers, which are drawn for every value and added up.
    """
    values, shown = ours.codes, theirs.codes
    generator, columns = np.random.default_rng(), np.arange(values.shape[1])
    size = 1 + int(max(values.max(initial=0), shown.max(initial=0)))
    draw = generator.integers(0, 2**64, (values.shape[1], size), dtype=np.uint64)
    own, members = _list_members(ours.sequence), _list_members(theirs.sequence)
    above, below = [], []
    for number, sequences in pairs:
        rows = members[number]
        possible = np.concatenate([own[one] for one in sequences]) if len(sequences) else rows[:0]
        is_shown = np.zeros((len(columns), size), dtype=np.bool_)
        is_shown[columns, shown[rows]] = True
        images = np.where(is_shown[columns, values[possible]], values[possible], _LEFT_OUT)
        pair = _join_marks(
            _mark(draw, shown[rows], theirs.others[rows]),
            _mark(draw, images, ours.others[possible]),
        )
        above.append(rows[pair[0]])
        below.append(possible[pair[1]])
    ends = (np.concatenate(one) if one else np.empty(0, np.int64) for one in (above, below))
    first, second = (one.astype(np.int32) for one in ends)
    return first, second


def _list_members(sequence: Codes) -> Sequence[npt.NDArray[np.int64]]:
    """Return the rows of each sequence."""
    order = np.argsort(sequence, kind="stable")
    return np.split(order, np.cumsum(np.bincount(sequence))[:-1])


def _mark(draw: Hashes, codes: Codes, others: Hashes) -> list[tuple[int, int]]:
    """Return the sum of the numbers that were drawn for the values of each row, and its hash."""
    sums = draw[np.arange(codes.shape[1]), codes].sum(axis=1, dtype=np.uint64)
    return [*zip(sums.tolist(), others.tolist(), strict=True)]


def _join_marks(
    rows: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]
) -> tuple[list[int], list[int]]:
    """Return the places of equal marks, as pairs."""
    places: dict[tuple[int, int], list[int]] = {}
    for place, mark in enumerate(others):
        places.setdefault(mark, []).append(place)
    pairs = [(one, other) for one, mark in enumerate(rows) for other in places.get(mark, ())]
    return [one for one, _ in pairs], [other for _, other in pairs]
