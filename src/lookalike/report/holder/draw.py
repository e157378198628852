"""Draw the charts of the holder's report."""

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from lookalike.describe.classes import ClassFacts, SizeFacts
from lookalike.describe.frontier import Frontier
from lookalike.describe.lattice import LatticeFacts
from lookalike.model.lattice import Vector, raise_level
from lookalike.report.chart import draw_chart

MOST_LABELLED = 40
"""The most vectors of a lattice that are drawn with their levels."""
_STEP = 44
_ORDER = ("satisfies", "fails", "not decided")


def draw_risk_change(classes: ClassFacts, over: str) -> Markup:
    """Draw the risk over one quasi-identifier, before and after."""
    after = _list_risks(classes.after)
    rows = [
        {"measure": name, "before": share, "after": after[name]}
        for name, share in _list_risks(classes.before).items()
    ]
    listed = "; ".join(
        f"{one['measure']} {one['before']:.1%} before and {one['after']:.1%} after" for one in rows
    )
    return draw_chart("risk", rows, f"Risk over {over}: {listed}.")


def _list_risks(sizes: SizeFacts) -> dict[str, float]:
    """Return the shares that the chart of the risk compares."""
    return {
        "unique": sizes.uniqueness.unique_share,
        "in classes below k": sizes.uniqueness.share_below_k,
        "highest risk": sizes.risk.highest,
        "average risk": sizes.risk.average,
    }


def draw_frontier(frontier: Frontier) -> Markup:
    """Draw what is kept with other k, with the release marked."""
    rows = [
        {"k": one.k, "kept": one.precision, "kind": "best at the attribute level"}
        for one in frontier.points
    ]
    made = frontier.release
    rows.append({"k": made.k, "kept": made.precision, "kind": "this release"})
    listed = "; ".join(f"{one.precision:.1%} with k = {one.k}" for one in frontier.points)
    summary = f"Precision at the attribute level: {listed}. This release: {made.precision:.1%}."
    return draw_chart("frontier", rows, summary)


def draw_heights(lattice: LatticeFacts) -> Markup:
    """Draw the share of the vectors at each height that satisfy the requirement."""
    rows = [
        {"height": str(one.height), "vectors": vectors, "decided": decided, "order": order}
        for one in lattice.heights
        for order, (decided, vectors) in enumerate(
            zip(_ORDER, (one.satisfying, one.failing, one.undecided), strict=True)
        )
    ]
    satisfying = [one.height for one in lattice.heights if one.satisfying]
    least = f"from height {min(satisfying)} on" if satisfying else "at no height"
    return draw_chart("heights", rows, f"Vectors satisfy the requirement {least}.")


def draw_hasse(lattice: LatticeFacts) -> Markup:
    """Draw every vector of a lattice, and what it is directly above."""
    places = place_vectors([one.vector for one in lattice.nodes])
    heights = {sum(one.vector) for one in lattice.nodes}
    rows = [*_list_edges(places), *_list_marks(lattice, places)]
    satisfying = sum(one.decided == "satisfies" for one in lattice.nodes)
    summary = (
        f"Hasse diagram of {len(lattice.nodes):,} vectors of levels, of which {satisfying:,} "
        f"satisfy the requirement."
    )
    return draw_chart("hasse", rows, summary, height=_STEP * len(heights))


def place_vectors(vectors: Sequence[Vector]) -> dict[Vector, float]:
    """Return where each vector is drawn from left to right: its height in equal steps.

    Examples
    --------
    >>> place_vectors([(0, 0), (0, 1), (1, 0), (1, 1)])
    {(0, 0): 0.0, (1, 0): -0.5, (0, 1): 0.5, (1, 1): 0.0}
    """
    places: dict[Vector, float] = {}
    for height in sorted(set(map(sum, vectors))):
        here = [vector for vector in vectors if sum(vector) == height]
        middle = (len(here) - 1) / 2
        places |= {vector: number - middle for number, vector in enumerate(reversed(here))}
    return places


def _list_edges(places: dict[Vector, float]) -> Iterator[dict[str, Any]]:
    """Yield a line from each vector to those directly above it."""
    for vector, x in places.items():
        for place in range(len(vector)):
            upper = raise_level(vector, place)
            if upper in places:
                ends = {"x": x, "height": sum(vector), "x2": places[upper]}
                yield {"kind": "edge", "height2": sum(upper), "label": None, **ends}


def _list_marks(lattice: LatticeFacts, places: dict[Vector, float]) -> Iterator[dict[str, Any]]:
    """Yield the mark of each vector."""
    for one in lattice.nodes:
        kind: str = "minimal" if one.is_minimal else one.decided
        kind = "this release" if one.vector == lattice.chosen else kind
        named = len(lattice.nodes) <= MOST_LABELLED or kind in ("this release", "minimal")
        yield {
            "kind": kind,
            "x": places[one.vector],
            "height": sum(one.vector),
            "size": {"this release": 200, "minimal": 110}.get(kind, 60),
            "label": ",".join(map(str, one.vector)) if named else None,
        }
