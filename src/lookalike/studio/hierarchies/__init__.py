"""What the screen *Hierarchies* is made of: definitions, previews, bounds and trees.

A *definition* is the ``hierarchy`` table of a column in the specification. Everything here is a
function of a definition and of the values of its column; the actions that change the specification
are in ``screens/hierarchies.py`` and ``screens/tree_actions.py``. Start reading at
``hierarchy_page.py``.

- ``hierarchy_page.py``: what the screen shows; ``hierarchy_column.py``: one column of it.
- ``definition_fields.py``: the fields of a form as a definition, and back;
  ``start_definition.py``: what a form begins with; ``column_rule.py``: a definition as a rule.
- ``hierarchy_view.py``: what each level makes of a column, with counts.
- ``histogram.py``, ``interval_bounds.py``, ``move_bounds.py``: numbers and bounds of intervals.
- ``edit_tree.py``: edits of a tree; ``column_tree.py``: the tree of a column;
  ``tree_view.py``: a tree with counts.
- ``hierarchy_files.py``: import and export.
"""
