"""Check the bound on precision of a cell-level release, without the search that found it.

A release with a proof of optimality claims that no release has a higher precision than its bound.
The proof consists of one number for each distinct sequence of the private table (dual values).
:func:`~lookalike.verify.bound.optimality.check_optimality` checks step by step that these numbers
imply the bound. This room imports nothing of the search; it may know the frequency list, the
lattice and the hierarchies.

- ``optimality.py``: the check, from the proof to the findings; start here.
- ``proof.py``: the proof as a file of the holder's dossier.
- ``claims.py``: the statements of the certificate that the proof must agree with.
- ``proof_origin.py``: checks that the proof belongs to this release and this requirement.
- ``dual_values.py``: checks the numbers of the proof.
- ``search_again.py``: searches small tables again for a cheaper release, with another algorithm.
- ``released_cost.py``: recomputes the cost of the released cells.
- ``cost_units.py``: the cost of a cell, as an integer.
"""
