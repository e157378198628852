"""Explore: what a release would keep and lose at several k, limits of suppression and methods.

The table is read and counted once, and searches that differ in the limit of suppression share
their work. All figures are for the data holder. Start reading at ``explore.py``.

==============  ============================================================================
explore.py      the verb: every point of a grid, then weights, steps and advice
grid.py         `Grid`: which points, in which order; `Point`, `Outcome`: the result of one
run_point.py    one point: search, and measure what the release would keep and lose
look_closer.py  what other weights would keep, and which steps keep a vector from being lower
advise.py       what to try next, from figures that were computed
exploration.py  `Exploration`: all of it, also as a tidy table
==============  ============================================================================
"""
