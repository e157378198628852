"""Search at the cell level: each class of rows gets levels of its own.

The rows are divided into classes of at least k. A class is released as its *join*, the least
generalized tuple that covers all of its rows. Among all divisions the search looks for one of
least cost, that is, of greatest precision or least loss, and proves a lower bound of what any
division costs.
This room knows frequency lists, lattices and costs in whole units. It knows no table, and it does
not know which method calls it. Start with ``problem.py`` and ``solve.py``.

The way from problem to release:

1. *Problem and costs.* ``costs.py`` counts the loss of each cell in whole units, so that ties are
   ties. ``problem.py`` states the problem: counts, costs, allowed levels, k. ``classes.py`` holds
   the rows of each class, adjusts their sizes and releases classes as tuples.
   ``ambiguous_labels.py`` refuses hierarchies whose labels do not show the level.
2. *Bound* (``bound.py``). A value for each row, such that the values prove a lower bound.
3. *Construction* (``construction.py``, ``clustering.py``). First classes: greedy, rounded from the
   fractional solution that belongs to the bound, or clustered from similar rows.
4. *Improvement* (``improvement.py``). Exchange rows between classes while that lowers the cost.
5. *Exact search* (``exact/``). For small tables: raise the bound and lower the cost until they
   meet.
6. *Keep* (``keep.py``). On request, raise the weights of attributes until enough of them is kept.
7. *Decoys* (``decoys.py``). On request, show some cells more general than needed, at random.

``solve.py`` takes steps 1 to 4 for the method ``mingen-cells``; ``exact/prove_best.py`` continues
from its result. The method ``k-similar`` takes its own way through construction and improvement.
``satisfy/`` follows both if persons or sensitive values are to be protected, too.
``finer/`` answers another question: whether a given release is minimal, or a k-anonymous table
exists that is strictly more specific.
"""
