"""Follow-up: the steps that let a release follow earlier releases of the same source.

:func:`lookalike.flow.release.search` calls these steps. They may use the ledger, the search and the
tables. Rules about what is safe are in :mod:`lookalike.ledger.policies`; here they are applied to a
table. Start with ``plan_based_release.py``.

- ``plan_based_release.py``: policy ``based-on``: finds every row of the source in the history, and
  plans the whole release.
- ``place_new_rows.py``: places rows that were not shown lately into classes of their own, and turns
  the levels of each row into one recoding of the table.
- ``show_columns.py``: shows a recipient some columns of the classes that all recipients share.
"""
