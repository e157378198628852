"""The flow: each verb of the package as one function that reads from left to right.

A verb takes a specification or a table, calls the rooms below one after the other (read, count,
search, recode, verify, publish), and returns a frozen result. It may use every room below; it
prints nothing and knows no command line. Start reading at
:func:`lookalike.flow.release.release`.

- ``release.py``: make and publish a release.
- ``source.py``: read and count the table of a specification.
- ``check.py``: check whether a table is k-anonymous.
- ``compare.py``: compare the methods on one table.
- ``minimal.py``: find k-minimal generalizations, or trace a search for them.
- ``attack_ledger.py``: attack the releases in a ledger.
- ``read_promises.py``: read from a specification what verification must find.
- ``stopwatch.py``: measure and announce the steps.
- ``documents/``: make the certificate, the proof and the ledger record of a release.
- ``followup/``: release again, based on earlier releases.
- ``minimality/``: judge whether an existing release is minimal.
- ``verify/``: verify a published release.
"""
