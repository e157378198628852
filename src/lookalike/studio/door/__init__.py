"""Who may see the studio: every request is checked before it is answered. Start with ``guard.py``.

- ``guard.py``: refuses every request that is not the user's own.
- ``gate.py``: lets one browser in, by a token that works once, and recognizes it afterwards.
- ``peer.py``: finds the user at the other end of a connection within this machine.
"""
