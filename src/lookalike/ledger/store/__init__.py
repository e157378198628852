"""Store: what a ledger remembers, and where.

A ledger consists of a database (SQLite or PostgreSQL), a folder of encrypted files, and a key in a
file of its own. The database has one row per release; the files hold the released classes, the map
of private rows to classes, and the hashed labels of every value. This room reads and writes them.
It judges nothing: that is the task of :mod:`lookalike.ledger.policies`.

Start with :mod:`~lookalike.ledger.store.ledger` (open a ledger, list its releases), then read
:mod:`~lookalike.ledger.store.entry` (one remembered release).

Database, files and key:

- ``ledger.py``: `Ledger`: open, list, forget, hold the lock of a source, and decide after a crash
  whether a pending release was published.
- ``database.py``: connections, readable errors, and files that other users must not read.
- ``schema.py``: the three tables of the database.
- ``key.py``: the secret key, the keys derived from it, and encryption under them.
- ``source_lock.py``: one process at a time publishes releases of a source.

Protection against tampering:

- ``journal.py``: a chain of MACs over every change of the database, and its end, kept outside of it
  to detect old copies.

What is remembered of a release:

- ``entry.py``: `Entry`: one remembered release; `ReleaseFiles`: its three encrypted files;
  `ReleasedClasses`: what it shows.
- ``row_map.py``: which private row is in which class, as keyed hashes; the rows of a table as such.
- ``published_file.py``: reads the file of a release, and compares a staged one with its row map.
"""
