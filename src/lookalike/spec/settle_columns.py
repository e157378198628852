"""Settle_columns: name every column of a table in its specification, and refuse undecided roles."""

from lookalike.errors import InvalidInput
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_source
from lookalike.tables.source import Source
from lookalike.tables.table import Frame, column_names


def settle_columns(specification: Specification, frame: Frame | None = None) -> Specification:
    """Return a specification that gives each column of its table a role.

    Patterns and defaults are replaced by the columns that they stand for. Everything that makes,
    searches for or checks a release begins here.
    """
    refuse_records(specification)
    specification = complete_columns(specification, frame)
    specification.decided_roles()
    return specification


def refuse_records(specification: Specification) -> None:
    """Refuse linked tables, and sets in a column, where only one table is taken."""
    if not specification.is_linked:
        return
    sets = [name for name, one in specification.attributes.items() if one.separator is not None]
    named = [*(f"records.{name}" for name in specification.records), *sets]
    raise InvalidInput(
        f"{named[0]}: linked tables are released by `lookalike release` and la.release_records, "
        "and tried by `lookalike check --spec`, `explore`, `compare`, `review` and `minimal` "
        "without --search, and so are sets in a column (separator); nothing else takes them yet. "
        "Remove them to work with the table of [source] alone"
    )


def complete_columns(specification: Specification, frame: Frame | None = None) -> Specification:
    """Return a specification that names each column of its table, also with undecided roles."""
    if specification.is_complete:
        return specification
    if frame is None:
        source = require_source(specification)
        frame = read_source(source, Connection(source.resources))
    return specification.completed(column_names(frame))


def require_source(specification: Specification) -> Source:
    """Return the source of a specification; raise if it names none."""
    source = specification.source
    if source is None or source.is_frame:
        raise InvalidInput('[source] is missing: name the table, such as path = "table.csv"')
    return source
