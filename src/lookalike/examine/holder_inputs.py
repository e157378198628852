"""Read what the data holder has: the specification and the private table of a release.

A release that is based on earlier ones shows old values of some rows, until the values of enough
other rows have changed too. Compared with the present private table, they would appear false, so
they are restored from the ledger.
"""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Digests, Flags
from lookalike.ledger.policies.history import History
from lookalike.ledger.policies.policy import recall_history, relevant_to, widen
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.ledger import Ledger, open_if_present
from lookalike.ledger.store.published_file import find_shown_values
from lookalike.ledger.store.row_map import HashedRows, hash_frame
from lookalike.publish.certificate import Certificate, find_released_file
from lookalike.publish.digest import describe_file
from lookalike.spec.choose_method import names_method, with_default_method
from lookalike.spec.policies import ALL_RELEASED
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.engines import settle_mixed
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.read import read_frame
from lookalike.tables.recode import tag_rows
from lookalike.tables.row_tags import CURRENT, Old, RowTags
from lookalike.tables.source import Source
from lookalike.tables.table import Frame, Table


def load_holder_specification(
    specification: Specification | Mapping[str, Any] | str | PathLike[str],
    certificate: Certificate | None,
    table: Any = None,
) -> tuple[Specification, Frame | None]:
    """Read the holder's specification as it was for a release, and refuse that of another one.

    ``specification``: A file, its content, or a value. A file is read for the recipient of the
    release.
    ``certificate``: the certificate of the release; None for a frame of released rows. If the
    specification names no method, any of the default methods is what it asks for.
    ``table``: the private table, a path or a frame. Default: the source of the specification.
    Returns: the specification, whose source has the path, and the frame, if one is given.
    """
    if isinstance(specification, Mapping):
        specification = Specification.build(specification)
    elif not isinstance(specification, Specification):
        recipient = None if certificate is None else certificate.recipient
        specification = Specification.load(Path(specification), {"recipient": recipient})
    specification, frame = _with_table(specification, table)
    specification = settle_columns(specification, frame)
    if certificate is not None and not names_method(specification):
        specification = with_default_method(specification, certificate.method)
    if certificate is None:
        return specification, frame
    earlier, known = certificate.earlier_releases, specification.hierarchies()
    if not isinstance(earlier, str) and earlier.policy == ALL_RELEASED:
        joined = [name for name in certificate.generalized if name not in known]
        specification = widen(specification, joined)
    _require_same_attributes(specification, certificate)
    return specification, frame


def _with_table(specification: Specification, table: Any) -> tuple[Specification, Frame | None]:
    """Replace the source of a specification by another private table, a path or a frame."""
    if table is None:
        return specification, None
    if not isinstance(table, str | PathLike):
        return specification, settle_mixed(read_frame(table))
    known = specification.source or Source(path="")
    source = replace(known, path=str(table), query=None, tables={}, database=None, table=None)
    return specification.model_copy(update={"source": source}), None


def _require_same_attributes(specification: Specification, certificate: Certificate) -> None:
    """Refuse the specification of another release: its quasi-identifier has other attributes."""
    attributes = list(specification.hierarchies())
    if attributes != list(certificate.generalized):
        raise InvalidInput(
            "the specification is not that of this release: its quasi-identifier is "
            f"{', '.join(attributes)}, not {', '.join(certificate.generalized)}"
        )


def restore_shown_values(
    folder: Path, certificate: Certificate, specification: Specification, private: Frame
) -> Frame:
    """Replace present values of private rows with the old values that a release shows.

    If the release is the first of its source, or no ledger remembers it, the rows stay unchanged.
    """
    earlier, source = certificate.earlier_releases, specification.source
    row_key = None if source is None else source.row_key
    if isinstance(earlier, str) or not earlier.considered or row_key is None:
        return private
    found = _find_release(folder, specification)
    if found is None:
        return private
    ledger, entries, entry = found
    secret, unchanged = ledger.secret(), certificate.released_as_they_are
    rows = hash_frame(private, row_key, (), unchanged, secret)
    own, before = recall_history([entry]), recall_history(entries)
    file, old = find_released_file(folder, certificate), {}
    for name in unchanged:
        outdated, shown = _find_outdated(own, before, name, rows)
        if outdated.any():
            places = np.full(len(outdated), CURRENT, dtype=np.int32)
            values, places[outdated] = find_shown_values(
                file, name, rows.types[name], shown[outdated], secret
            )
            old[name] = Old(values, places)
    tags = RowTags(row_key, rows.row_keys, np.zeros(len(rows.keys), np.int32), old)
    return tag_rows(Table(private, {}, {}), tags).frame


def _find_release(
    folder: Path, specification: Specification
) -> tuple[Ledger, tuple[Entry, ...], Entry] | None:
    """Find a release in the ledger, with the releases considered when it was published."""
    ledger = open_if_present(specification.release.address)
    if ledger is None:
        return None
    digest = describe_file(folder / CERTIFICATE).sha256
    for entry in ledger.releases():
        if entry.certificate_sha256 == digest:
            known = ledger.releases(entry.source)
            earlier = [one for one in known if one.number < entry.number]
            return ledger, relevant_to(earlier, entry.recipient, entry.contract), entry
    return None


def _find_outdated(
    own: History, before: History, name: str, rows: HashedRows
) -> tuple[Flags, Digests]:
    """Find the rows for which a release shows the value of an earlier one, not the present one."""
    outdated = np.zeros(len(rows.keys), dtype=np.bool_)
    shown = np.zeros_like(rows.values[name])
    for history in (before, own):
        if name not in history.columns:
            return outdated, shown
    found, earlier = own.find(rows.keys), before.find(rows.keys)
    present, former = own.columns[name], before.columns[name]
    known = present.was_shown(found, exactly=True) & former.was_shown(earlier, exactly=True)
    shown[known] = present.digest[found[known]]
    outdated[known] = shown[known] == former.digest[earlier[known]]
    return outdated & (shown != rows.values[name]), shown
