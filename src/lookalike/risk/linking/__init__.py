"""Link a release with an external table, as an attacker would to re-identify people.

Start with :func:`~lookalike.risk.linking.link.link`. It reads both tables, makes their columns
comparable, counts the possible matches of every person and row, and compares the result with the
true identities if these are given. This room may know tables, published folders and hierarchies; it
contains no SQL and does not import the verifier.

- ``link.py``: the public function, from both tables to a ``Linkage``; how often linking is right.
- ``linking_columns.py``: reads the release, and makes the values of a column comparable.
- ``matching.py``: counts the possible matches; the one place for missing and suppressed values.
- ``linkage.py``: the result, with the protection that holds.
- ``link_records.py``: the same for people with records, of whom some records are known; with
  ``owned_rows.py``, rows and the person of each, and ``record_linkage.py``, the result.
"""
