"""Announce: the callback by which long steps report their progress."""

from collections.abc import Callable

Announce = Callable[[str], None]
"""Callback that receives the name of each step as it begins, or a short progress message."""
