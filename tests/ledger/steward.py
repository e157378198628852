"""A steward who publishes releases of a small table and inspects the ledger."""

import stat
from pathlib import Path

import pyarrow as pa
from sqlalchemy import update

import lookalike as la
from lookalike.ledger.store.journal import recorded_transaction
from lookalike.ledger.store.schema import releases

ROLES = {
    "id": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "ill": {"role": "sensitive"},
}
ZIPS = ["02138", "02139", "02141", "02142"]
OUTLIER = "99999"


def table_of(rows=9, ids=None):
    """A few people, one of whom has a unique ZIP code."""
    zips = [ZIPS[row % 4] for row in range(rows - 1)] + [OUTLIER]
    ill = [["flu", "gout"][row % 2] for row in range(rows - 1)] + ["smallpox"]
    names = [f"person-{row}" for row in range(rows)] if ids is None else ids
    return pa.table({"id": names, "zip": zips, "ill": ill})


def fields_of(place, **fields):
    """The fields of a release of that table with a ledger."""
    said = {"new_people": True} if fields.pop("new_people", False) else {}
    source = {"row_key": "id", "name": fields.pop("source", "people"), **said}
    asked = {"k": 3, "method": "datafly", "attributes": ROLES, "source": source}
    return {**asked, **place, **fields}


def publish(place, out, *, table=None, replace=False, **fields):
    """Publish a release into a folder and return its certificate."""
    made = la.release(table_of() if table is None else table, **fields_of(place, **fields))
    return made.publish(Path(out) / "table.csv", replace=replace)


def reopen(place):
    """Open the ledger."""
    return la.open_ledger(place["ledger"], files=place["ledger_files"], key=place["ledger_key"])


def states(place):
    """The states of all releases in the ledger."""
    return [entry.state for entry in reopen(place).releases()]


def mode_of(path):
    """The permission bits of a file or folder."""
    return stat.S_IMODE(Path(path).stat().st_mode)


def make_pending(place, **changed):
    """Make the last release pending again, as a process that crashes would leave it."""
    ledger = reopen(place)
    number = ledger.releases()[-1].number
    values = {"state": "pending", "published": None, **changed}
    with ledger.connected() as session, recorded_transaction(session):
        changed = update(releases).where(releases.c.number == number).values(values)
        session.connection.execute(changed)
