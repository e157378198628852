"""Construct classes of at least k rows, from nothing.

There are three ways. The greedy closes the cheapest groups first. Rounding fixes the classes that
a fractional solution, found with the bound, opens most. Clustering groups the most similar rows.
This room knows problems and bounds. Start with ``greedy.py``.

``greedy.py``
    Close every group that still has k free rows, cheapest vectors first.
``round_solution.py``
    Round a fractional solution to classes, a few percent of the rows at a time.
``assign_leftovers.py``
    Assign rows without a class to the class where they cost least, and divide large classes.
``ground_sequences.py``, ``near_units.py``, ``cluster_rows.py``
    Clustering: the sequences at the lowest allowed levels, the near ones of each, and their
    grouping by similarity.
"""
