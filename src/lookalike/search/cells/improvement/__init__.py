"""Improve given classes: exchange rows between classes, or suppress costly rows.

Every step keeps at least k rows in each class. This room knows problems, bounds and the classes
that construction made. Start with ``anneal_classes.py``.

``anneal_classes.py``
    Simulated annealing, guided by the values of the bound.
``swap_between_classes.py``
    Move and swap rows between near classes while that lowers the cost.
"""
