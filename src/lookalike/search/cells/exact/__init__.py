"""Find a release of least cost and prove that none is better, for small tables.

A release is a choice of *columns*, the classes that could be part of it, that takes every row
once: a set partitioning problem. The search solves it by linear and integer programs (HiGHS) over
the columns that come near the bound. Start with ``prove_best.py``, whose docstring gives the
argument.

``prove_best.py``
    Raise the bound and lower the cost until they meet.
``enumerate_groups.py``
    List all groups: the generalized tuples that a class can be released as.
``columns.py``
    List the columns within a given gap, and convert between columns and classes.
``partition.py``
    Put a release together from columns within a target cost.
``column_program.py``
    The linear or integer program over columns, as HiGHS takes it.
"""
