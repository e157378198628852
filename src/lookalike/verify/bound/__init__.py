"""Check the bound on a cell-level release, without the search that found it.

A release with a proof of optimality claims that no release has a higher precision, or a smaller
loss, than its bound.
The proof consists of one number for each distinct sequence of the private table (dual values).
:func:`~lookalike.verify.bound.optimality.check_optimality` checks step by step that these numbers
imply the bound. This room imports nothing of the search; it may know the frequency list, the
lattice and the hierarchies.

- ``optimality.py``: the check, from the proof to the findings; start here.
- ``proof.py``: the proof as a file of the holder's dossier.
- ``claims.py``: the statements of the certificate, with which the proof must agree.
- ``dual_values.py``: checks the numbers of the proof.
- ``search_again.py``: searches small tables again for a cheaper release, with another algorithm.
- ``cost.py``: the cost of a cell as an integer, and of all released cells.
"""
