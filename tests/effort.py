"""How many examples random tests try: the same few each time, or many new (``make fuzz``)."""

import os
from collections.abc import Iterator
from random import Random, SystemRandom

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

FUZZING = os.environ.get("LOOKALIKE_FUZZ") == "1"
MORE = 30
"""How many times as many examples ``make fuzz`` tries."""
LESS = 2
"""How many times fewer ``make test`` tries, so that it ends soon."""

settings.register_profile(
    "lookalike",
    deadline=None,
    derandomize=not FUZZING,
    print_blob=FUZZING,
    max_examples=100 * MORE if FUZZING else 100 // LESS,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("lookalike")
if not FUZZING:
    # Hypothesis draws constants of the modules that are loaded. Which they are depends on the tests
    # that this process has run before, and the same examples are tried each time.
    providers._get_local_constants = lambda: providers._local_constants


def examples(number: int) -> settings:
    """Return the settings of a property test with a number of examples."""
    return settings(max_examples=number * MORE if FUZZING else number // LESS)


def draw_cases(few: int, many: int) -> Iterator[tuple[int, Random]]:
    """Yield seeds with their generators, for tests that loop without hypothesis.

    Parameters
    ----------
    few
        The number of cases in a test run, the same each time.
    many
        The number of cases of ``make fuzz``, new each time.
    """
    fresh = SystemRandom()
    for number in range(many if FUZZING else few):
        seed = fresh.getrandbits(48) if FUZZING else number
        yield seed, Random(seed)
