"""Assemble the record of a release for the ledger."""

from lookalike.errors import InternalError
from lookalike.ledger.record import Record
from lookalike.model.progress import Announce
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan
from lookalike.tables.recode import Trail

UNRECORDED = {"release": {"ledger", "ledger_files", "ledger_key"}, "source": {"database"}}
"""Fields that are not recorded: the address of a database may contain a password."""


def enroll(
    specification: Specification, plan: Plan, trail: Trail, announce: Announce = lambda _: None
) -> Record:
    """Return the record of a release for the ledger.

    ``announce``: callback that receives a text if the ledger has to wait for another process.
    """
    asked, source = specification.release, specification.source
    address = asked.address
    if address is None or source is None or source.row_key is None:
        raise InternalError("a release was enrolled without a ledger or without a row key")
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
        person=next(iter(specification.persons), None),
        recipient=asked.recipient,
        contract=asked.contract,
        new_people=source.new_people,
        announce=announce,
    )
