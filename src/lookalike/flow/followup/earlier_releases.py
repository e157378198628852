"""Look back: what was published of a source, as far as the next release must mind it."""

from lookalike.ledger.policies.earlier import Earlier
from lookalike.ledger.policies.policy import relevant_to
from lookalike.ledger.store.book import open_at
from lookalike.ledger.store.database import NoLedger
from lookalike.ledger.store.people import check_row_key
from lookalike.model.progress import Announce
from lookalike.spec.specification import Specification


def find_earlier_releases(
    specification: Specification, tell: Announce = lambda _: None
) -> Earlier | None:
    """Ask the ledger for the earlier releases of a source; nothing if there are none.

    What another process is publishing is waited for. Nothing is written.

    Parameters
    ----------
    specification
        What is asked for.
    tell
        Told if it has to wait for another process.

    Raises
    ------
    InvalidInput
        If its rows were told apart by another column.
    """
    asked, source = specification.release, specification.source
    if asked.address is None or source is None or source.row_key is None:
        return None
    try:
        ledger = open_at(asked.address, create=False)
    except NoLedger:
        return None
    name = source.name or source.row_key
    known = ledger.releases(name)
    if not known:
        return None
    check_row_key(known, source.row_key)
    with ledger.holding(name, tell=tell) as (_, entries):
        minded = relevant_to(entries, asked.recipient, asked.contract)
    return Earlier(minded, ledger.secret()) if minded else None
