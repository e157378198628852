"""How much the random tests try: the same examples each time, or many new ones (``make fuzz``)."""

import os
from collections.abc import Iterator
from random import Random, SystemRandom

from hypothesis import HealthCheck, settings

FUZZING = os.environ.get("LOOKALIKE_FUZZ") == "1"
MORE = 30
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


def examples(number: int) -> settings:
    """Return the settings of a property that is tried on so many examples."""
    return settings(max_examples=number * (MORE if FUZZING else 1))


def draw_cases(few: int, many: int) -> Iterator[tuple[int, Random]]:
    """Yield seeds with their generators, for a loop of our own.

    Parameters
    ----------
    few
        How many cases the tests try, the same ones each time.
    many
        How many ``make fuzz`` tries, drawn afresh.
    """
    fresh = SystemRandom()
    for number in range(many if FUZZING else few):
        seed = fresh.getrandbits(48) if FUZZING else number
        yield seed, Random(seed)
