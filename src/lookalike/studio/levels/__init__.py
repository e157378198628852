"""What the screen *Levels* is made of: the lattice, and settings that are tried at once.

Everything is evaluated on the counted table, within time limits. Start with ``open_levels.py``.

- ``open_levels.py``: the counted table, its specification, and what is asked for.
- ``level_settings.py``: weights, bounds on levels, k and suppression, and how they are written.
- ``level_work.py``: what requests have in common, done once for a counted table.
- ``try_weights.py``: the best vector, and what it keeps.
- ``vector_facts.py``: what a vector keeps, and why it fails.
- ``lattice_view.py``: the lattice as a Hasse diagram, by height, and as a map.
- ``sliders.py``: the sliders and their ranges.
"""
