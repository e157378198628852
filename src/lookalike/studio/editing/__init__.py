"""The specification while it is edited: every change returns another text. Start: ``project.py``.

- ``project.py``: the specification with its history, kept as a draft at each change, and saved.
- ``edit_toml.py``: changes one field of a TOML text, and leaves everything else as it is.
- ``form_fields.py``: the fields of forms, made from what the specification declares.
- ``changes.py``: changes that several screens make.
"""
