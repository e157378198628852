"""Samarati's preferences (section 6), applied to vectors one by one."""

from fractions import Fraction


def relative(vector, heights):
    """Return the relative distances of the attributes."""
    return [Fraction(d, h) if h else Fraction(0) for d, h in zip(vector, heights, strict=True)]


def rank(policy, exhaustive, vector, scales):
    """Apply a policy of Samarati's section 6 to a vector; the least is preferred."""
    distances = relative(vector, exhaustive.heights)
    weighted = [
        Fraction(s) * d for s, d in zip(scales or [1] * len(vector), distances, strict=True)
    ]
    raised = [level for level in vector if level]
    return {
        "minimum-absolute-distance": sum(vector),
        "minimum-relative-distance": sum(distances),
        "minimum-weighted-distance": sum(weighted),
        "maximum-distribution": -len(exhaustive.sizes(vector)),
        "minimum-suppression": exhaustive.suppressed(vector),
        "smallest-absolute-peak": max(vector),
        "largest-absolute-peak": -max(vector),
        "smallest-relative-peak": max(distances),
        "largest-relative-peak": -max(distances),
        "fewest-generalized-attributes": len(raised),
        "most-generalized-attributes": -len(raised),
    }[policy]


def choose(policies, exhaustive, vectors, scales):
    """Keep the vectors that no policy, one after the other, puts behind."""
    for policy in policies:
        ranks = {vector: rank(policy, exhaustive, vector, scales) for vector in vectors}
        vectors = [vector for vector in vectors if ranks[vector] == min(ranks.values())]
    return sorted(vectors)
