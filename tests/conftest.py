"""Settings of all tests."""

from . import effort  # noqa: F401  (loads the profile of the random tests)
