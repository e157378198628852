"""What the screen *Protection* is made of. Start with ``protection_form.py``.

- ``protection_form.py``: reads the form, and changes the specification as it says.
- ``protection_fields.py``: the fields of a sensitive column, and what they stand for.
- ``choices.py``: what each choice means, in a line.
- ``attackers.py``: what is promised, and what others could still find, in words.
"""
