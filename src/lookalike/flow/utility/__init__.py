"""Utility: what a release is still good for, measured by the data holder on the private rows.

The holder knows which released row each private row became. So the private table and the release
are compared row by row: distributions of columns and of pairs of columns, and models that are
trained on released rows and tested on private ones. One encoding serves every method: a released
cell is the uniform distribution over the private values that it may stand for. Start with
``utility.py``, then ``released_cells.py``.

==================  ============================================================================
file                what it does
==================  ============================================================================
utility.py          the verb: align the rows, measure distances, test models
utility_figures.py  the figures that come out, and the tidy table of them
released_cells.py   the private value and the released cell of every row, column by column
bins.py             summarizes a column with many values in at most 100 bins
trial.py            which rows train and which rows test a model
features.py         columns as numbers for models
models.py           trains and tests the models of scikit-learn
comparison_columns.py
                    the utility of each method as columns of their comparison
==================  ============================================================================
"""
