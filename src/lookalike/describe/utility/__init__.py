"""Utility: what a release is still good for, measured by the data holder on the private rows.

The holder knows which released row each private row became. So the private table and the release
are compared row by row: distributions of columns and of pairs of columns, and models that are
trained on released rows and tested on private ones. One encoding serves every method: a released
cell is the uniform distribution over the private values that it may stand for. The verb is
:func:`lookalike.flow.utility.utility`; start reading at ``released_cells.py``.

- ``released_cells.py``: the private value and the released cell of every row, column by column; a
  column with many values in at most 100 bins.
- ``distances.py``: compares the distributions of columns, and of pairs of columns.
- ``trial.py``: which column models predict, and which rows train and which rows test them.
- ``models.py``: columns as numbers, and the models of scikit-learn, trained and tested.
- ``utility_figures.py``: the figures that come out, also as tables.
"""
