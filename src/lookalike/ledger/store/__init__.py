"""Store: what a ledger remembers, and where.

A ledger consists of a database (SQLite or PostgreSQL), a folder of encrypted files, and a key in a
file of its own. The database has one row per release; the files hold the released classes, the map
of private rows to classes, and the hashed labels of every value. This room reads and writes them.
It judges nothing: that is the task of :mod:`lookalike.ledger.policies`.

Start with :mod:`~lookalike.ledger.store.ledger` (open a ledger, list its releases), then read
:mod:`~lookalike.ledger.store.entry` (one remembered release).

Database, files and key

ledger.py
    `Ledger`: open, list, forget, and hold the lock of a source.
database.py
    Connections to the database, and readable errors.
schema.py
    The three tables of the database.
key.py
    The secret key, and the keys derived from it.
files_and_key.py
    `FilesAndKey`: folder, key and journal heads of an open ledger.
permissions.py
    Refuses files and folders that other users can read.
encryption.py
    Encrypted Parquet files and texts.
source_lock.py
    One process at a time publishes releases of a source.

Protection against tampering

journal.py
    A chain of MACs over every change of the database.
journal_heads.py
    The end of that chain, kept outside of the database to detect old copies.

What is remembered of a release

entry.py
    `Entry`: one remembered release.
release_files.py
    `ReleaseFiles`: its three encrypted files.
released_classes.py
    `ReleasedClasses`: the equivalence classes that it shows.
row_map.py
    Which private row is in which class, as keyed hashes.
hashed_rows.py
    The rows of a table, hashed as in the row map.

Checks on files, and recovery

published_file.py
    Find and read the file of an earlier release.
compare_staged_file.py
    Compare a staged file with its row map before it is published.
settle.py
    Decide after a crash whether a pending release was published.
"""
