"""Judge protections of sensitive values over several releases of a source.

Every class of a release keeps its protections. Somebody who compares releases also sees who left a
class and who came, and so tells the rows of a class apart by their history. A protection holds over
time if it holds in every set of rows with one history, a *part*, for the values that its release
shows there: old values that are shown again count as shown.

:func:`refuse_broken_protections` judges a release that is about to be published, in the turn of its
ledger, on keyed hashes and without a table engine. :func:`find_broken_protections` counts again
with SQL what published releases break together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from lookalike.errors import RequirementNotMet
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.ledger.policies.history import History, RowMap, build_history, read_row_map
from lookalike.ledger.policies.new_values import number_alike
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.ledger.store.entry import Entry, ReleasedClasses, ReleaseFiles
from lookalike.model.protections import PROTECTIONS, Protection, count_values
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import CertifiedProtection
from lookalike.shown_text import count_rows
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_frame
from lookalike.verify.protections import ProtectionPromise, recount_protection


class ComparedRelease(NamedTuple):
    """A release that is published or about to be."""

    name: str
    certificate: Certificate
    files: ReleaseFiles


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


@dataclass(frozen=True, eq=False)
class PromisedRows(Discreet):
    """The rows of a release that promises a protection, within the history of its source.

    ``history``: the history for somebody who knows the attributes over which it is promised.
    ``place``: place of each shown row of the release in the history.
    ``class_of``: its class, and ``value`` its value of the sensitive column.
    ``reference``: the rows of each value in the private table of the release.
    """

    release: str
    promised: CertifiedProtection
    history: History
    place: Codes
    class_of: Counts
    value: Codes
    reference: Counts

    @property
    def certain(self) -> bool:
        """Whether hashes of values are sufficient to judge the protection."""
        return self.promised.parameters.get("distance", "equal") == "equal"

    @property
    def parameters(self) -> dict[str, bool | int | float | str]:
        """The parameters with which hashes are judged; no other distance measures less."""
        given = self.promised.parameters
        return given if self.certain else {**given, "distance": "equal"}

    @cached_property
    def protection(self) -> Protection:
        """The protection, with the parameters with which hashes are judged."""
        return PROTECTIONS[self.promised.protection](**self.parameters)

    def find_whole(self, part: Codes) -> Flags:
        """Return which rows are in a part that is a class of the release, which was recounted."""
        in_part, in_class = np.bincount(part), np.bincount(self.class_of)
        whole: Flags = in_part[part] == in_class[self.class_of]
        return whole

    def find_failing(self, history: History) -> Flags:
        """Return which rows are in a part that fails the protection."""
        part = history.parts[0][self.place]
        ones = np.ones(len(part), dtype=np.int64)
        parts = int(part.max(initial=0)) + 1
        counted = count_values(part, self.value, ones, parts, self.reference)
        failing: Flags = self.protection.failing(counted)[part] & ~self.find_whole(part)
        return failing

    def find_blamed(self) -> Flags:
        """Return which rows fail because of the last release, or are shown by it and fail.

        Rows that failed before do not count if the last release does not show them.
        """
        failing, history = self.find_failing(self.history), self.history
        if failing.any() and self.release != history.releases[-1]:
            before = replace(history, steps=history.steps[:-1])
            again = history.steps[-1, self.place] != ABSENT
            failing &= again | ~self.find_failing(before)
        return failing


def refuse_broken_protections(
    earlier: Sequence[Entry], certificate: Certificate, files: ReleaseFiles, name: str, remedy: str
) -> None:
    """Refuse a release that breaks a protection together with earlier ones of its source.

    Protections of the earlier releases count as well as its own. ``name``: what it is called.
    """
    seen = [ComparedRelease(one.name, one.certificate, one.files) for one in earlier]
    broken = []
    for rows in list_promised_rows([*seen, ComparedRelease(name, certificate, files)]):
        blamed = int(np.count_nonzero(rows.find_blamed()))
        if blamed:
            breaks = "fails" if rows.certain else "cannot be shown to hold"
            broken.append(
                f"{rows.promised.protection} of {rows.promised.column!r}, which {rows.release} "
                f"promises, {breaks} for {count_rows(blamed)}"
            )
    if broken:
        together = " and ".join(one.name for one in earlier)
        raise RequirementNotMet(
            f"{name} would break protections together with {together}, for rows that share a "
            "history (the class in every release and the columns with new values): "
            f"{'; '.join(broken)}. {remedy}"
        )


def find_broken_protections(entries: Sequence[Entry]) -> tuple[BrokenProtection, ...]:
    """Find what the releases of a source break together of the protections that each promises.

    The row maps are read once, and again if they promise protections. No private value is read:
    a row map has keyed hashes.
    """
    seen = [ComparedRelease(one.name, one.certificate, one.files) for one in entries]
    return tuple(broken for rows in list_promised_rows(seen) for broken in _recount(rows))


def list_promised_rows(releases: Sequence[ComparedRelease]) -> Iterator[PromisedRows]:
    """Yield the rows of every release that promises a protection, for each protection."""
    as_is = {name for one in releases for name in one.certificate.released_as_they_are}
    histories: dict[tuple[str, tuple[str, ...]], History] = {}
    for release in releases:
        for known, promised in _list_promised(release.certificate):
            key = known, promised.attributes
            hidden = as_is.difference(promised.attributes)
            if key not in histories:
                histories[key] = build_history(_see_rows(one, known, hidden) for one in releases)
            rows = _see_rows(release, known, hidden)
            shown = np.flatnonzero(rows.class_of != ABSENT)
            value = number_keys(rows.values[promised.column])[0]
            yield PromisedRows(
                release.name,
                promised,
                histories[key],
                place=histories[key].find(rows.keys)[shown],
                class_of=rows.class_of[shown],
                value=value[shown],
                reference=np.bincount(value).astype(np.int64),
            )


def _list_promised(certificate: Certificate) -> Iterator[tuple[str, CertifiedProtection]]:
    """Yield each protection of a release, with the name of the quasi-identifier of its classes."""
    for promised in certificate.protections:
        for one in certificate.quasi_identifiers:
            if one.attributes == promised.attributes:
                yield one.name, promised


def _see_rows(release: ComparedRelease, known: str, hidden: set[str]) -> RowMap:
    """Return the row map of a release for somebody who knows one of its quasi-identifiers.

    A release that has no quasi-identifier of this name is seen with all its attributes.
    ``hidden``: columns that only joined the quasi-identifier under ``all-released-attributes``, so
    that nobody is assumed to know them.
    """
    rows = read_row_map(release.name, release.files)
    promised = {one.name: one.attributes for one in release.certificate.quasi_identifiers}
    classes = release.files.read_classes()
    seen = [name for name in promised.get(known, classes.attributes) if name not in hidden]
    merged = _merge_classes(classes, seen)
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


def _recount(rows: PromisedRows) -> Iterator[BrokenProtection]:
    """Recount a protection of a release in every set of rows with one history, with SQL."""
    part, connection = rows.history.parts[0][rows.place], Connection()
    apart = ~rows.find_whole(part)
    every = np.repeat(np.arange(len(rows.reference)), rows.reference)
    released, eligible = (
        as_relation(read_frame(pa.table(columns)), connection)
        for columns in ({"part": part[apart], "value": rows.value[apart]}, {"value": every})
    )
    name, column = rows.promised.protection, rows.promised.column
    promise = ProtectionPromise(("part",), "value", name, rows.parameters)
    found = recount_protection(released, promise, eligible)
    if found.classes_failing:
        failing = found.rows_failing, found.classes_failing
        yield BrokenProtection(rows.release, column, name, *failing, certain=rows.certain)
