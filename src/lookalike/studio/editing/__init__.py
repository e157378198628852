"""The specification while it is edited: every change returns another text. Start: ``project.py``.

- ``project.py``: the specification with its history: undo and redo.
- ``draft_store.py``: keeps the project as a draft at each change, and saves it.
- ``edit_toml.py``: changes one field of a TOML text, and leaves everything else as it is.
- ``changes.py``: changes that several screens make.
"""
