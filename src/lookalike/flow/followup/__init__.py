"""Follow-up: the steps that let a release follow earlier releases of the same source.

:mod:`lookalike.flow.release` calls these steps. They may use the ledger, the search and the
tables. Rules about what is safe are in :mod:`lookalike.ledger.policies`; here they are applied to a
table.

Start with :mod:`~lookalike.flow.followup.plan_based_release`. In the order of a release:

find_earlier_releases.py
    Asks the ledger for the earlier releases that matter for the next one.
plan_based_release.py
    Policy ``based-on``: plans the whole release with the four steps below.
find_rows.py
    Finds every row of the source in the history, with the levels at which it was last shown.
place_new_rows.py
    Places rows that were not shown lately into classes of their own.
recode_by_tag.py
    Turns the levels of each row into one recoding of the table.
"""
