"""What the screen *Levels* is made of: the lattice, and settings that are tried at once.

Everything is evaluated on the counted table, within time limits. Start with ``open_levels.py``.

- ``open_levels.py``: the counted table, its specification, what is asked for, and the sliders.
- ``level_settings.py``: weights, bounds on levels, k and suppression, and how they are written.
- ``level_work.py``: the best vector, and what requests have in common, done once.
- ``vector_facts.py``: what a vector keeps, and why it fails.
- ``lattice_view.py``: the lattice as a Hasse diagram, by height, and as a map.
"""
