"""What the screen *µ-Argus* is made of.

- ``argus_state.py``: where µ-Argus stands after the decisions of a specification.
"""
