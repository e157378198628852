"""The re-identification risk of one table.

Start with :func:`~lookalike.risk.table.assess.risk`, or, if the quasi-identifier is not yet known,
with :func:`~lookalike.risk.table.propose.propose_quasi_identifiers`. Both count the distinct
sequences of values once and compute everything else from these counts, so this room never reads
rows twice.

- ``assess.py``: the public function ``risk``, and its result.
- ``propose.py``: finds the minimal sets of columns that single out rows.
- ``sequences.py``: the distinct sequences of values of a table, with counts.
- ``records.py``: the persons whom some of their records single out.
- ``uniqueness.py``: unique rows and small classes, for every subset of the quasi-identifier.
- ``budget.py``: how many bits the labels of a release can carry, and what each column costs.
- ``as_is.py``: what the columns released as they are single out, for every subset of up to four.
- ``coarser_numbers.py``: how far numbers must be rounded to single out few rows.
- ``attacker_risk.py``: the probability that a prosecutor, a journalist or a marketer is right.
- ``diversity.py``: the distribution of sensitive values over classes (l-diversity, t-closeness).
- ``exposure.py``: what a release shows beyond its values to a reader who knows the method.
- ``released_column.py``: released values as nodes of their hierarchy, and the beliefs they cause.
- ``presence.py``: how likely the people of a population are in the table.
- ``warnings.py``: sentences about the risks that were found.
"""
