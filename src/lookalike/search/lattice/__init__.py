"""Searches at the attribute level, over the lattice of vectors of levels.

The room knows ``model/`` and the search options. Start reading at ``rollup.py``, which evaluates
a vector, and ``branch.py``, which finds the best one.

===================  ======================================================================
rollup.py            `RollUps`: frequency lists at vectors, and what is suppressed there
objectives.py        objectives with lower bounds for branch and bound
branch.py            branch and bound: the vectors of least cost, with a proof
minimal.py           all k-minimal vectors
decide.py            which vectors satisfy the requirement, as many as the time allows
preferences.py       Samarati's policies that choose among solutions, and what they compare
constraints.py       bounds on levels and conditions on solutions
keep.py              the share of an attribute that must be kept, as a condition on vectors
find_vector.py       Samarati's own searches, as she describes them, and their steps
distance_matrix.py   Samarati's matrix VT of distance vectors
trace.py             run one of Samarati's searches and record its steps
===================  ======================================================================
"""
