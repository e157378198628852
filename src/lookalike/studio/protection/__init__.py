"""What the screen *Protection* is made of. Start with ``protection_form.py``.

- ``protection_form.py``: the fields of sensitive columns, and what the form changes.
- ``attackers.py``: what is promised, and what others could still find, in words.
"""
