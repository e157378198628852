"""Prove a lower bound of the cost of any release at the cell level.

The bound is the dual of the problem: a value for each row, such that in every generalized tuple
with at least k rows the k largest values sum to at most k times its cost. The sum of all values
is then a bound. This room knows problems and costs, but no classes; only the last file runs the
greedy, to count the vectors that it examines. Start with ``row_values.py``.

``row_values.py``
    Raise the values towards the optimum, and turn them into whole numbers that prove a bound.
``walk_vectors.py``
    Find the groups of sequences whose largest values reach their cost, vector by vector.
"""
