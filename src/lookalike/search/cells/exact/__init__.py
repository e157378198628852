"""Find a release of least cost and prove that none is better, for small tables.

A release is a choice of *columns*, the classes that could be part of it, that takes every row
once: a set partitioning problem. The search solves it by linear and integer programs (HiGHS) over
the columns that come near the bound. Start with ``prove_best.py``, whose docstring gives the
argument.

``prove_best.py``
    Raise the bound and lower the cost until they meet; put releases together from columns.
``columns.py``
    List all groups, which are the generalized tuples that a class can be released as, and their
    columns within a given gap; convert between columns and classes.
``column_program.py``
    The linear or integer program over columns, as HiGHS takes it.
"""
