"""What the screen *Levels* is made of: the lattice, and settings that are tried at once.

Everything is evaluated on the counted table, within time limits. Start with ``open_levels.py``.

- ``open_levels.py``: the counted table, its specification, and the settings that are tried.
- ``level_work.py``: the best vector, and what requests have in common, done once.
- ``vector_facts.py``: what a vector keeps and why it fails, and the lattice around it.
- ``wanted_vectors.py``: the vectors that keep enough and lose few enough rows.
"""
