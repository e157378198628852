"""How much the random tests try: the same examples each time, or many new ones (``make fuzz``)."""

import os

from hypothesis import HealthCheck, settings

FUZZING = os.environ.get("LOOKALIKE_FUZZ") == "1"
MORE = 10
"""How many times as many examples ``make fuzz`` tries."""

settings.register_profile(
    "lookalike",
    deadline=None,
    derandomize=not FUZZING,
    print_blob=FUZZING,
    max_examples=100 * (MORE if FUZZING else 1),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("lookalike")


def at_most(examples: int) -> int:
    """Return how many examples a loop of our own tries."""
    return examples * (MORE if FUZZING else 1)


def examples(number: int) -> settings:
    """Return the settings of a property that is tried on so many examples."""
    return settings(max_examples=at_most(number))
