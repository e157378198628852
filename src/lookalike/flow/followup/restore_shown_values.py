"""Restore the old values that a release shows, so that it can be compared with the private table.

A release that is based on earlier ones shows old values of some rows, until the values of enough
other rows have changed too. Compared with the present private table, they would appear false.
"""

from pathlib import Path

import numpy as np

from lookalike.kernels.types import Digests, Flags
from lookalike.ledger.policies.earlier_releases import recall_history
from lookalike.ledger.policies.history import History
from lookalike.ledger.policies.policy import relevant_to
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.hashed_rows import HashedRows, hash_frame
from lookalike.ledger.store.ledger import Ledger, open_if_present
from lookalike.ledger.store.published_file import find_shown_values
from lookalike.publish.certificate import Certificate, describe_file, find_released_file
from lookalike.spec.specification import Specification
from lookalike.tables.files.file_format import CERTIFICATE
from lookalike.tables.row_tags import CURRENT, Old, RowTags
from lookalike.tables.table import Frame, Table
from lookalike.tables.tag_rows import tag_rows


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
