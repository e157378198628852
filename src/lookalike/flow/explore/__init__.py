"""Explore: what a release would keep and lose at several k, limits of suppression and methods.

The table is read and counted once, and searches that differ in the limit of suppression share
their work. All figures are for the data holder. Start reading at ``explore.py``.

===============  ===========================================================================
explore.py       the verb: every point of a grid, then weights, lower steps and advice
run_settings.py  one setting: search, and measure what the release would keep and lose
advise.py        what to try next, from figures that were computed
linked.py        linked tables: what it costs that 0, 1 or 2 records may be known
exploration.py   `Grid`: which settings, in which order; `Exploration`: what came out
===============  ===========================================================================
"""
