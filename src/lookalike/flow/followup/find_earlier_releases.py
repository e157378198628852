"""Find the earlier releases of a source that matter for the next one."""

from lookalike.ledger.policies.policy import EarlierEntries, relevant_to
from lookalike.ledger.policies.recognized_rows import check_row_key
from lookalike.ledger.store.ledger import open_if_present
from lookalike.model.progress import Announce
from lookalike.spec.specification import Specification


def find_earlier_releases(
    specification: Specification, announce: Announce = lambda _: None
) -> EarlierEntries | None:
    """Return the earlier releases of a source from the ledger; None if there are none.

    If another process is publishing a release of the source, this function waits for it. Nothing
    is written.
    """
    asked, source = specification.release, specification.source
    if source is None or source.row_key is None:
        return None
    ledger = open_if_present(asked.address)
    if ledger is None:
        return None
    name = source.name or source.row_key
    known = ledger.releases(name)
    if not known:
        return None
    check_row_key(known, source.row_key)
    with ledger.holding(name, announce=announce) as (_, entries):
        relevant = relevant_to(entries, asked.recipient, asked.contract)
    return EarlierEntries(relevant, ledger.secret()) if relevant else None
