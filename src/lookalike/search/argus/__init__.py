"""The parts of µ-Argus (Achieving, Figures 11 and 12).

The room knows ``model/`` and ``kernels/``. Start reading at
:mod:`lookalike.search.methods.mu_argus`, which calls these parts in the order of the figure.

===============  ==========================================================================
options.py       `ArgusOptions` and `Unsafe`: the data holder's options and decisions
combinations.py  combinations of attributes, their rare values, and what a decision would leave
suppression.py   cell suppression and its repair
===============  ==========================================================================
"""
