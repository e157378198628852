"""Enroll: put together what the ledger shall remember of a release."""

from lookalike.errors import InternalError
from lookalike.ledger.store.record import Record
from lookalike.model.progress import Announce
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan
from lookalike.tables.recode import Trail

UNRECORDED = {"release": {"ledger", "ledger_files", "ledger_key"}}
"""What is not written down: the address of the ledger may hold a password."""


def enroll(
    specification: Specification, plan: Plan, trail: Trail, tell: Announce = lambda _: None
) -> Record | None:
    """Put together what the ledger shall remember of a release, if there is a ledger.

    Parameters
    ----------
    specification
        What was asked for.
    plan
        What was decided.
    trail
        What became of every private row.
    tell
        Told if it has to wait for another process.
    """
    asked, source = specification.release, specification.source
    address = asked.address
    if address is None:
        return None
    if source is None or source.row_key is None:
        raise InternalError("a ledger was asked for without a row key")
    return Record(
        address=address,
        source=source.name or source.row_key,
        row_key=source.row_key,
        policy=asked.policy,
        specification=specification.model_dump_json(
            exclude=UNRECORDED, exclude_unset=True, fallback=repr, warnings=False
        ),
        plan=plan,
        trail=trail,
        recipient=asked.recipient,
        contract=asked.contract,
        new_people=source.new_people,
        tell=tell,
    )
