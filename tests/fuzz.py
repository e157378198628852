"""How many random cases a loop of ours tries: a few that are always the same, or very many."""

import os
from collections.abc import Iterator
from random import Random, SystemRandom

FUZZ = os.environ.get("LOOKALIKE_FUZZ") == "1"


def draw_cases(few: int, many: int) -> Iterator[tuple[int, Random]]:
    """Yield seeds with their generators: the first few, or many drawn afresh under ``make fuzz``.

    Parameters
    ----------
    few
        How many the tests try, the same ones each time.
    many
        How many ``make fuzz`` tries.
    """
    fresh = SystemRandom()
    for number in range(many if FUZZ else few):
        seed = fresh.getrandbits(48) if FUZZ else number
        yield seed, Random(seed)
