"""Link a release with an external table, as an attacker would to re-identify people.

Start with :func:`~lookalike.risk.linking.link.link`. It reads both tables, makes their columns
comparable, counts the possible matches of every person and row, and compares the result with the
true identities if these are given. This room may know tables, published folders and hierarchies; it
contains no SQL and does not import the verifier.

- ``link.py``: the public function, from both tables to a ``Linkage``.
- ``release_facts.py``: reads the release, and what is known about its levels and hierarchies.
- ``linking_columns.py``: makes the values of one column comparable in both tables.
- ``missing_values.py``: how missing and suppressed values are matched, the one place for it.
- ``matching.py``: counts the possible matches of every person and row.
- ``ground_truth.py``: the true identity of each row, and how often linking finds it.
- ``linkage.py``: the result, with the protection that holds.
"""
