"""Recall: private rows with the values that a release showed of them.

A release that is based on earlier ones shows old values of some rows, until enough others have
changed with them. Compared with the private table as it is now these would look untrue.
"""

from pathlib import Path

import numpy as np

from lookalike.kernels.types import Digests, Flags
from lookalike.ledger.policies.earlier import recall_history
from lookalike.ledger.policies.history import History
from lookalike.ledger.policies.policy import relevant_to
from lookalike.ledger.store.book import Ledger, open_at
from lookalike.ledger.store.database import NoLedger
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.hashed import Hashed, hash_frame
from lookalike.ledger.store.published import find_values
from lookalike.publish.certificate import Certificate, describe_file, find_released_file
from lookalike.spec.specification import Specification
from lookalike.tables.files import CERTIFICATE
from lookalike.tables.row_tags import CURRENT, Old, RowTags
from lookalike.tables.table import Frame, Table
from lookalike.tables.tag_rows import tag_rows


def restore_shown_values(
    folder: Path, certificate: Certificate, specification: Specification, private: Frame
) -> Frame:
    """Put values that a release kept from earlier ones in the place of those that rows have now.

    If it is the first of its source, or there is no ledger that remembers it, the rows stay as they
    are.

    Parameters
    ----------
    folder
        The release.
    certificate
        Its certificate.
    specification
        The holder's, which names the ledger and the row key.
    private
        The private rows.
    """
    told, source = certificate.earlier_releases, specification.source
    if isinstance(told, str) or not told.considered or source is None or source.row_key is None:
        return private
    found = _find(folder, specification)
    if found is None:
        return private
    ledger, earlier, entry = found
    secret, unchanged = ledger.secret(), certificate.released_as_they_are
    rows = hash_frame(private, source.row_key, (), unchanged, secret)
    own, before = recall_history([entry]), recall_history(earlier)
    file, old = find_released_file(folder, certificate), {}
    for name in unchanged:
        outdated, shown = _find_outdated(own, before, name, rows)
        if outdated.any():
            places = np.full(len(outdated), CURRENT, dtype=np.int32)
            values, places[outdated] = find_values(
                file, name, rows.types[name], shown[outdated], secret
            )
            old[name] = Old(values, places)
    marks = RowTags(source.row_key, rows.row_keys, np.zeros(len(rows.keys), np.int32), old)
    return tag_rows(Table(private, {}, {}), marks).frame


def _find(
    folder: Path, specification: Specification
) -> tuple[Ledger, tuple[Entry, ...], Entry] | None:
    """Find a release in the ledger, and those that were considered when it was published."""
    address, digest = specification.release.address, describe_file(folder / CERTIFICATE).sha256
    if address is None:
        return None
    try:
        ledger = open_at(address, create=False)
    except NoLedger:
        return None
    for entry in ledger.releases():
        if entry.certificate_sha256 == digest:
            known = ledger.releases(entry.source)
            earlier = [one for one in known if one.number < entry.number]
            return ledger, relevant_to(earlier, entry.recipient, entry.contract), entry
    return None


def _find_outdated(own: History, before: History, name: str, rows: Hashed) -> tuple[Flags, Digests]:
    """Tell which rows a release shows as earlier ones did in a column, and not as they are now.

    Returns
    -------
    outdated
        Whether a row is one of these.
    shown
        The digest of the value that the release shows of each row that it shows.
    """
    outdated = np.zeros(len(rows.keys), dtype=np.bool_)
    shown = np.zeros_like(rows.values[name])
    for history in (before, own):
        if name not in history.columns:
            return outdated, shown
    found, earlier = own.find(rows.keys), before.find(rows.keys)
    now, then = own.columns[name], before.columns[name]
    known = now.knows(found, exactly=True) & then.knows(earlier, exactly=True)
    shown[known] = now.digest[found[known]]
    outdated[known] = shown[known] == then.digest[earlier[known]]
    return outdated & (shown != rows.values[name]), shown
