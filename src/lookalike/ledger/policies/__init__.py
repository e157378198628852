"""Policies: how a release is judged against earlier ones, and how the next release is planned.

Somebody who has several releases of a source can compare them. Rows that every release shows in the
same class, with new values in the same columns, have the same *history* and are indistinguishable.
Every policy demands that at least k rows share the history of each row that a release shows. The
policies differ in how they make such a release:

``based-on``
    Rows stay in their classes, and new rows form classes of their own.
``all-released-attributes``
    Every column that was released before joins the quasi-identifier.
``check-only``
    The release is made without regard to earlier ones, and only checked.

This room works on arrays of hashes and class numbers. It reads entries through
:mod:`lookalike.ledger.store`, and contains no SQL.

Start with :mod:`~lookalike.ledger.policies.policy`, then read
:mod:`~lookalike.ledger.policies.history`.

Judging a release:

- ``policy.py``: `judge_candidate`, the one place where a release is accepted or refused;
  `EarlierEntries`, the earlier releases that matter, and their history.
- ``history.py``: `History`, what every row showed in every release.
- ``shown_columns.py``: `ShownColumn`, the value that each row last showed in one column; which
  values of a release are new, also in a renamed column.
- ``label_paths.py``: checks that hierarchies did not change between releases.
- ``protections_over_time.py``: protections that releases keep by themselves and break together;
  a release that breaks one is refused.
- ``shared_classes.py``: which attributes classes are chosen over, for recipients of other columns.
- ``recognized_rows.py``: checks that the ledger recognizes the rows by their keys.

Planning the next release:

- ``based_on.py``: which rows stay, wait or join under ``based-on``, and why that is safe.
- ``least_rows.py``: how many rows of a part must stay together so that protections hold whichever
  rows they are.
- ``new_values.py``: which new values are shown of rows that stay in their class, and which rows are
  held back at random so that no fewer than k wait.
"""
