"""What the screen *Hierarchies* is made of: definitions, previews, bounds and trees.

A *definition* is the ``hierarchy`` table of a column in the specification. Everything here is a
function of a definition and of the values of its column; the actions that change the specification
are in ``screens/hierarchies.py``. Start reading at ``hierarchy_page.py``.

- ``hierarchy_page.py``: what the screen shows, and what each level makes of a column.
- ``hierarchy_column.py``: one column of it: its rule, its tree, and what its form begins with.
- ``definition_fields.py``: the fields of a form as a definition, and back.
- ``edit_tree.py``: a tree, its edits, and how it is shown.
- ``order_values.py``: a tree of neighbours among values in an order.
- ``interval_bounds.py``: bounds of intervals, moved on a histogram.
"""
