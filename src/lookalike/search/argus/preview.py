"""Preview what each decision of the data holder would leave (Achieving, Figure 11, step 4)."""

import math
from collections.abc import Iterator

from lookalike.model.clock import OutOfTime
from lookalike.model.lattice import raise_level
from lookalike.search.argus.combinations import Tested, find_unsafe


def preview_decisions(tested: Tested, k: int, deadline: float = math.inf) -> dict[str, int]:
    """Count for each attribute the rows that have rare values if it is generalized one level more.

    Attributes at the top of their hierarchy are left out, and at the deadline those that were not
    counted yet.
    """
    return dict(_preview(tested, k, deadline))


def _preview(tested: Tested, k: int, deadline: float) -> Iterator[tuple[str, int]]:
    """Yield each attribute below its top with the rows that would have rare values."""
    classes = tested.classes
    for place, name in enumerate(classes.attributes):
        if classes.vector[place] == classes.heights[place]:
            continue
        try:
            yield name, _count_left(tested, place, k, deadline)
        except OutOfTime:
            return


def _count_left(tested: Tested, place: int, k: int, deadline: float) -> int:
    """Count the rows with rare values one level higher.

    Only the combinations that contain the attribute are tested again.
    """
    classes = tested.classes
    within = [place in combination for combination in tested.combinations]
    again = [one for one, contains in zip(tested.combinations, within, strict=True) if contains]
    others = [column for column, contains in enumerate(within) if not contains]
    class_of, rolled = classes.classify(raise_level(classes.vector, place))
    changed = find_unsafe(rolled, again, k, deadline).unsafe[class_of].any(axis=1)
    return int(classes.counts[changed | tested.unsafe[:, others].any(axis=1)].sum())
