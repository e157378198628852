"""Find protections of sensitive values that releases keep each by itself and break together.

Every class of a release keeps its protections. Somebody who compares releases also sees who left a
class and who came, and so tells the rows of a class apart by their history. A protection holds over
time if it holds in every set of rows with one history.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes
from lookalike.ledger.policies.history import History, RowMap, build_history
from lookalike.ledger.policies.new_values import number_alike
from lookalike.ledger.policies.policy import to_row_map
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.ledger.store.entry import Entry, ReleasedClasses
from lookalike.publish.certified import CertifiedProtection
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_frame
from lookalike.verify.protections import ProtectionPromise, recount_protection


@dataclass(frozen=True)
class BrokenProtection:
    """A protection that rows of one history break, although the classes of a release keep it.

    ``release``: name of the release whose certificate promises it.
    ``rows``: number of rows of the release in such histories.
    ``certain``: whether they break it for certain. Closeness by an order or a hierarchy is compared
    as if values were equally far apart, which never measures less: it may hold nevertheless.
    """

    release: str
    column: str
    protection: str
    rows: int
    histories: int
    certain: bool


def find_broken_protections(entries: Sequence[Entry]) -> tuple[BrokenProtection, ...]:
    """Find what the releases of a source break together of the protections that each promises.

    The row maps are read once, and again if they promise protections. No private value is read:
    a row map has keyed hashes.
    """
    named = dict.fromkeys(name for entry in entries for name, _ in _list_promised(entry))
    histories = {name: build_history(_see_rows(one, name) for one in entries) for name in named}
    return tuple(
        broken
        for entry in entries
        for name, promised in _list_promised(entry)
        for broken in _judge(entry, promised, histories[name])
    )


def _list_promised(entry: Entry) -> Iterator[tuple[str, CertifiedProtection]]:
    """Yield each protection of a release, with the name of the quasi-identifier of its classes."""
    for promised in entry.certificate.protections:
        for one in entry.certificate.quasi_identifiers:
            if one.attributes == promised.attributes:
                yield one.name, promised


def _see_rows(entry: Entry, known: str) -> RowMap:
    """Return the row map of a release for somebody who knows one of its quasi-identifiers.

    A release that has no quasi-identifier of this name is seen with all its attributes.
    """
    rows = to_row_map(entry.name, entry.files.read_rows())
    promised = {one.name: one.attributes for one in entry.certificate.quasi_identifiers}
    classes = entry.files.read_classes()
    merged = _merge_classes(classes, promised.get(known, classes.attributes))
    shown = rows.class_of != ABSENT
    return replace(rows, class_of=np.where(shown, merged[rows.class_of], ABSENT))


def _merge_classes(classes: ReleasedClasses, attributes: Sequence[str]) -> Codes:
    """Number the classes anew, alike if they have the same labels of some attributes."""
    labels = dict(zip(classes.attributes, classes.labels, strict=True))
    codes = np.zeros((len(attributes), len(classes) + 1), dtype=np.int32)
    for line, name in zip(codes, attributes, strict=True):
        numbers: dict[str | None, int] = {}
        line[:-1] = [numbers.setdefault(label, len(numbers)) for label in labels[name]]
    return number_alike(codes)[0]


def _judge(
    entry: Entry, promised: CertifiedProtection, history: History
) -> Iterator[BrokenProtection]:
    """Recount a protection of a release in every set of rows with one history."""
    rows = to_row_map(entry.name, entry.files.read_rows())
    shown = rows.class_of != ABSENT
    part = history.parts[0][history.find(rows.keys)]
    value, connection = number_keys(rows.values[promised.column])[0], Connection()
    released, eligible = (
        as_relation(read_frame(pa.table(columns)), connection)
        for columns in ({"part": part[shown], "value": value[shown]}, {"value": value})
    )
    exact = promised.parameters.get("distance", "equal") == "equal"
    given = dict(promised.parameters) | ({} if exact else {"distance": "equal"})
    promise = ProtectionPromise(("part",), "value", promised.protection, given)
    found = recount_protection(released, promise, eligible)
    if found.classes_failing:
        yield BrokenProtection(
            entry.name,
            promised.column,
            promised.protection,
            found.rows_failing,
            found.classes_failing,
            exact,
        )
