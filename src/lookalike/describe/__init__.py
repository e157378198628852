"""Describe: what is known of a release that was decided on, computed once, as frozen values.

Reports, terminal, studio and JSON show these values. This room may know the model, the search, a
plan and the risk of tables; it draws nothing and writes nothing. Almost everything is computed
from the frequency list and the plan, and not from the rows, so it takes about as long for a large
table as for a small one. Searches have a limit of work.

- ``description.py``: the whole, as the holder's report shows it.
- ``attributes.py``: each attribute: what is kept, its values before and after, its levels.
- ``classes.py``: class sizes and risk before and after, and the sensitive columns.
- ``lattice.py``: which vectors of levels satisfy the requirement.
- ``linked.py``: linked tables: their columns, records of persons, and whom these single out.
- ``frontier.py``: what is kept with other k.
- ``exposure.py``: what classes show beyond their values.
- ``bound.py``: how far a release is from what is possible, and from its requirement.

Start reading at :func:`lookalike.describe.description.describe_plan`.
"""
