"""Gather what the holder's report shows, from a release that was decided on and verified.

Everything is computed from the frequency list and the plan, and not from the rows, so it takes
about as long for a large table as for a small one. Searches have a time limit.

- ``gather_holder_facts.py``: the whole, from left to right, and what is kept with other k.
- ``compare_attributes.py``: each attribute before and after.
- ``measure_classes.py``: class sizes and risk before and after, and the sensitive columns.
- ``walk_lattice.py``: which vectors of levels satisfy the requirement.

Start reading at
:func:`lookalike.flow.documents.holder.gather_holder_facts.gather_holder_facts`.
"""
