"""Decide whether a given release is minimal: whether a finer k-anonymous table exists.

A table is finer than a release if each of its rows generalizes to a row of the release of its
own, and one of them strictly (Achieving, Definition 4). The release may come from anywhere. This
room knows frequency lists and hierarchies, but no costs. Start with ``refine_classes.py``.

``given_release.py``
    The release as codes, an assignment of private rows to its rows, and changes to it.
``refine_classes.py``
    Look for a finer table class by class; quick on any table.
``find_finer.py``, ``flows.py``
    Decide small tables exactly: list the joins of at least k rows, and send rows through them by
    maximum flows.
"""
