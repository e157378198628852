"""Read what the data holder has: the specification and the private table of a release.

A release that is based on earlier ones shows old values of some rows, until the values of enough
other rows have changed too. Compared with the present private table, they would appear false, so
they are restored from the ledger.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.examine.examined_release import HeldRelease
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Digests, Flags
from lookalike.ledger.policies.history import History
from lookalike.ledger.policies.increments import find_shown
from lookalike.ledger.policies.policy import EarlierEntries, recall_history, relevant_to, widen
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.ledger.recall import Recall
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.ledger import open_if_present
from lookalike.ledger.store.published_file import find_shown_values
from lookalike.ledger.store.row_map import HashedRows, hash_frame
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.publish.digest import describe_file
from lookalike.spec.choose_method import names_method, with_default_method
from lookalike.spec.policies import ALL_RELEASED
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.clean import clean
from lookalike.tables.connection import Connection
from lookalike.tables.engines import collect, engine_of, settle_mixed
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.read import read_frame, read_source
from lookalike.tables.recode import tag_rows
from lookalike.tables.resources import HALF_OF_FREE, Resources
from lookalike.tables.row_tags import CURRENT, TAG, Old, RowTags
from lookalike.tables.source import Source
from lookalike.tables.table import Frame, Table

GivenSpecification = Specification | Mapping[str, Any] | str | PathLike[str]
"""A specification: a value, its content, or its file."""


def read_specification(
    specification: GivenSpecification, recipient: str | None = None
) -> Specification:
    """Read the holder's specification; a file is read for a recipient."""
    if isinstance(specification, Specification):
        return specification
    if isinstance(specification, Mapping):
        return Specification.build(specification)
    return Specification.load(Path(specification), {"recipient": recipient})


def load_holder_specification(
    specification: GivenSpecification,
    certificate: Certificate | None,
    table: Any = None,
    ledger: Mapping[str, str | PathLike[str] | None] | None = None,
) -> tuple[Specification, Frame | None]:
    """Read the holder's specification as it was for a release, and refuse that of another one.

    ``specification``: A file, its content, or a value. A file is read for the recipient of the
    release.
    ``certificate``: the certificate of the release; None for a frame of released rows. If the
    specification names no method, any of the default methods is what it asks for.
    ``table``: the private table, a path or a frame. Default: the source of the specification.
    ``ledger``: fields of the ledger of a certified release, in place of those of the specification.
    Returns: the specification, whose source has the path, and the frame, if one is given.
    """
    recipient = None if certificate is None else certificate.recipient
    specification = read_specification(specification, recipient)
    specification, frame = with_table(specification, table)
    specification = settle_columns(specification, frame)
    if certificate is None:
        return specification, frame
    if not names_method(specification):
        specification = with_default_method(specification, certificate.method)
    earlier, known = certificate.earlier_releases, specification.hierarchies()
    if not isinstance(earlier, str) and earlier.policy == ALL_RELEASED:
        joined = [name for name in certificate.generalized if name not in known]
        specification = widen(specification, joined)
    attributes = list(specification.hierarchies())
    if attributes != list(certificate.generalized):
        raise InvalidInput(
            "the specification is not that of this release: its quasi-identifier is "
            f"{', '.join(attributes)}, not {', '.join(certificate.generalized)}"
        )
    places = {name: str(place) for name, place in (ledger or {}).items() if place is not None}
    release = specification.release.model_copy(update=places)
    return specification.model_copy(update={"release": release}), frame


def read_private_table(
    specification: Specification, frame: Frame | None, resources: Resources
) -> Frame:
    """Read the private table: the frame that was given, or the source of the specification."""
    if frame is not None:
        return collect(clean(frame, specification.cleaning))
    if specification.source is None or specification.source.is_frame:
        raise InvalidInput("the specification names no source; give the private table (--table)")
    own = specification.resources if resources == HALF_OF_FREE else resources
    return read_source(specification.source, Connection(own), specification.cleaning)


def with_table(specification: Specification, table: Any) -> tuple[Specification, Frame | None]:
    """Replace the source of a specification by another private table, a path or a frame."""
    if table is None:
        return specification, None
    if not isinstance(table, str | PathLike):
        return specification, settle_mixed(read_frame(table))
    known = specification.source or Source(path="")
    source = replace(known, path=str(table), query=None, tables={}, database=None, table=None)
    return specification.model_copy(update={"source": source}), None


def leave_out_shown(
    folder: Path, certificate: Certificate, specification: Specification, private: Frame
) -> Frame:
    """Leave out the rows that releases before an increment showed, if a ledger remembers it."""
    source = specification.source
    found = _find_release(folder, specification) if certificate.is_increment else None
    if found is None or source is None or source.row_key is None:
        return private
    secret, entries, _ = found
    rows = hash_frame(private, source.row_key, (), (), secret)
    shown = find_shown(recall_history(entries), rows.keys).astype(np.int32)
    tagged = tag_rows(Table(private, {}, {}), RowTags(source.row_key, rows.row_keys, shown, {}))
    return tagged.frame.filter(nw.col(TAG) == 0).drop(TAG)


def restore_shown_values(held: HeldRelease) -> Frame:
    """Replace present values of private rows with the old values that a release shows.

    If the release is the first of its source, or no ledger remembers it, the rows stay unchanged.
    """
    certificate, source = held.certificate, held.specification.source
    row_key = None if source is None else source.row_key
    if not certificate.earlier_considered or row_key is None:
        return held.private
    found = _find_release(held.folder, held.specification)
    if found is None:
        return held.private
    secret, entries, entry = found
    unchanged = certificate.released_as_they_are
    rows = hash_frame(held.private, row_key, (), unchanged, secret)
    own, before = recall_history([entry]), recall_history(entries)
    file, old = find_released_file(held.folder, certificate), {}
    for name in unchanged:
        outdated, shown = _find_outdated(own, before, name, rows)
        if outdated.any():
            places = np.full(len(outdated), CURRENT, dtype=np.int32)
            values, places[outdated] = find_shown_values(
                file, name, rows.types[name], shown[outdated], secret
            )
            old[name] = Old(values, places)
    tags = RowTags(row_key, rows.row_keys, np.zeros(len(rows.keys), np.int32), old)
    return tag_rows(Table(held.private, {}, {}), tags).frame


@dataclass(frozen=True, eq=False)
class RestoredRows(Discreet):
    """Rows that a release shows as earlier ones did, although the source no longer has them so.

    ``left``: the number of those that the source does not have at all.
    ``rows``: their values: private ones that have their labels, and those that they show.
    ``as_before``: whether earlier releases showed all of them so.
    """

    left: int
    rows: pa.Table
    as_before: bool

    def append_to(self, frame: Frame) -> Frame:
        """Return private rows, and these after them."""
        return engine_of(frame).append_rows(frame, self.rows) if len(self.rows) else frame


def restore_rows(held: HeldRelease) -> RestoredRows | None:
    """Restore the rows that a release shows as earlier ones did; None if no ledger knows them."""
    source = held.specification.source
    found = _find_release(held.folder, held.specification)
    if found is None or source is None or source.row_key is None:
        return None
    secret, entries, entry = found
    attributes = entry.files.read_classes().attributes  # also those that others get
    unchanged = held.certificate.released_as_they_are
    rows = hash_frame(held.private, source.row_key, attributes, unchanged, secret)
    own, earlier = recall_history([entry]), EarlierEntries(entries, secret)
    here = own.find(rows.keys)
    moved = here[own.moved(rows.keys, rows.quasi_identifier)]
    away = own.steps[-1] != ABSENT
    away[np.setdiff1d(here[here != ABSENT], moved)] = False
    places = np.flatnonzero(away).astype(np.int32)
    before = earlier.history.find(own.keys[places])
    left = len(places) - len(np.intersect1d(places, moved))
    if not len(places):
        return RestoredRows(left, pa.table({}), as_before=True)
    if np.any(before == ABSENT):
        return RestoredRows(left, pa.table({}), as_before=False)
    values = {name: [path[0] for path in paths] for name, paths in held.paths.items()}
    recall = Recall(earlier, held.claim.hierarchies, values, rows.types)
    file, columns = find_released_file(held.folder, held.certificate), recall.find_linkable(before)
    same = True
    for name in unchanged:
        shown, known = own.columns[name].digest[places], earlier.history.columns.get(name)
        same &= known is not None and bool(np.all(shown == known.digest[before]))
        texts, at = find_shown_values(file, name, rows.types[name], shown, secret)
        columns[name] = texts.take(pa.array(at))
    return RestoredRows(left, pa.table(columns), as_before=same)


def _find_release(
    folder: Path, specification: Specification
) -> tuple[bytes, tuple[Entry, ...], Entry] | None:
    """Find a release in the ledger, with its key, and the releases considered at its time."""
    ledger = open_if_present(specification.release.address)
    if ledger is None:
        return None
    digest = describe_file(folder / CERTIFICATE).sha256
    for entry in ledger.releases():
        if entry.certificate_sha256 == digest:
            known = ledger.releases(entry.source)
            earlier = [one for one in known if one.number < entry.number]
            return ledger.secret(), relevant_to(earlier, entry.recipient, entry.contract), entry
    return None


def _find_outdated(
    own: History, before: History, name: str, rows: HashedRows
) -> tuple[Flags, Digests]:
    """Find the rows for which a release shows the value of an earlier one, not the present one."""
    outdated = np.zeros(len(rows.keys), dtype=np.bool_)
    shown = np.zeros_like(rows.values[name])
    if name not in before.columns or name not in own.columns:
        return outdated, shown
    found, earlier = own.find(rows.keys), before.find(rows.keys)
    present, former = own.columns[name], before.columns[name]
    known = present.was_shown(found, exactly=True) & former.was_shown(earlier, exactly=True)
    shown[known] = present.digest[found[known]]
    outdated[known] = shown[known] == former.digest[earlier[known]]
    return outdated & (shown != rows.values[name]), shown
