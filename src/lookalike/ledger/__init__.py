"""Ledger: the record of every published release, and the rules for the next one.

A ledger belongs to the data holder. It remembers what each release of a source showed of which
private row, with all private values hashed or encrypted. Before another release of the same source
is published, it is judged against the earlier ones: at least k rows must share every history, so
that they are indistinguishable even for somebody who has all releases.

This room may use everything below it (publishing, attacks on releases, verification, tables). It
does not know how a release is made: that is the task of :mod:`lookalike.flow`.

Start with :mod:`~lookalike.ledger.record`, which shows in order what happens in the ledger when a
release is published.

store/
    Where the memory is kept: database, files, key, journal, locks. The only place with SQL.
policies/
    How a release is judged against earlier ones, and how the next release is planned. Uses
    store/, never the other way round.
record.py
    Records a release while it is published: waits for the lock, judges, enters, confirms.
"""
