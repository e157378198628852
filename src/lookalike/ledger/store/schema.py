"""The three tables of a ledger's database, as SQLAlchemy objects."""

from sqlalchemy import Boolean, Column, Integer, LargeBinary, MetaData, Table, Text

LEDGER_FORMAT = 2
PENDING, PUBLISHED, FORGOTTEN = "pending", "published", "forgotten"
REMOVED, RESTORED = "removed", "restored"

metadata = MetaData()

ledger = Table(
    "lookalike_ledger",
    metadata,
    Column("id", Text, primary_key=True),
    Column("format", Integer, nullable=False),
    Column("key_check", Text),
    Column("files_claimed", Text),
    Column("created", Text, nullable=False),
)
"""One row: identity of the ledger, check value of its key, time at which its folder was made."""

releases = Table(
    "lookalike_releases",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("source", Text, nullable=False, index=True),
    Column("row_key", Text, nullable=False),
    Column("new_people", Boolean, nullable=False),
    Column("state", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("folder", Text, nullable=False),
    Column("certificate_before", Text),
    Column("certificate_sha256", Text, nullable=False),
    Column("certificate_text", Text, nullable=False),
    Column("specification", LargeBinary),
    Column("policy", Text, nullable=False),
    Column("considered", Integer, nullable=False),
    Column("recipient", Text),
    Column("contract", Text),
    Column("table_digest", Text, nullable=False),
    Column("hierarchies_digest", Text, nullable=False),
    Column("token", Text, nullable=False, unique=True),
    Column("classes_sha256", Text, nullable=False),
    Column("rows_sha256", Text, nullable=False),
    Column("paths_sha256", Text, nullable=False),
    Column("began", Text, nullable=False),
    Column("published", Text),
    Column("forgotten", Text),
    Column("reason", Text),
    sqlite_autoincrement=True,
)
"""One row per release, which is pending, published or forgotten."""

changes = Table(
    "lookalike_changes",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("release", Integer),
    Column("state", Text, nullable=False),
    Column("entry_mac", Text),
    Column("time", Text, nullable=False),
    Column("reason", Text),
    Column("mac", Text, nullable=False),
)
"""One row per change of a release, each bound to the previous one by a MAC (the journal)."""
