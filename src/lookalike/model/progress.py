"""Announce: how long steps report their progress."""

from collections.abc import Callable

Announce = Callable[[str], None]
"""Receives the name of each step as it begins, or a short text on how far it is."""
