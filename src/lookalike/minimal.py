"""Minimal: every k-minimal generalization of a source (Samarati, Definition 4.3)."""

from lookalike.algorithms.samarati import MinimalCandidates, list_minimal
from lookalike.intake import take_in
from lookalike.spec import Specification
from lookalike.stopwatch import Announce, Stopwatch


def minimal(
    specification: Specification, announce: Announce = lambda _: None
) -> tuple[tuple[str, ...], MinimalCandidates]:
    """Find every k-minimal generalization of a source, and the preferred ones.

    Returns
    -------
    attributes
        The attributes that the levels of a vector belong to.
    found
        The k-minimal generalizations.
    """
    stopwatch = Stopwatch(announce)
    frequency = take_in(specification, stopwatch).frequency
    stopwatch.begin("search")
    requirement = specification.requirement(frequency.rows)
    options = specification.options(stopwatch.tell)
    return frequency.attributes, list_minimal(frequency, requirement, options)
