"""Output of ``lookalike minimal``: the k-minimal generalizations, as a table and as JSON."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType

from lookalike.json_result import pick_json
from lookalike.search.lattice.preferences import Candidate
from lookalike.search.methods.samarati import MinimalCandidates
from lookalike.shell.views.printing import begin_table


def minimal_as_json(attributes: Sequence[str], found: MinimalCandidates) -> dict[str, Any]:
    """Return what ``minimal --json`` prints."""
    return {
        **pick_json(found, "lattice=lattice.size evaluated complete"),
        "minimal": [_candidate_as_json(attributes, one) for one in found.minimal],
        "preferred": [_candidate_as_json(attributes, one) for one in found.preferred],
    }


def _candidate_as_json(attributes: Sequence[str], candidate: Candidate) -> dict[str, Any]:
    """Return a vector and its figures."""
    return {
        "levels": dict(zip(attributes, candidate.vector, strict=True)),
        "height": sum(candidate.vector),
        **pick_json(candidate, "suppressed precision distinct"),
    }


def show_minimal(attributes: Sequence[str], found: MinimalCandidates, most: int) -> RenderableType:
    """List the k-minimal generalizations; an asterisk marks the preferred ones."""
    table = begin_table("", *attributes, "height", "suppressed", "distinct", "Prec")
    ordered = sorted(found.minimal, key=lambda one: one not in found.preferred)
    for one in ordered[:most]:
        mark = "*" if one in found.preferred else ""
        numbers = (sum(one.vector), one.suppressed, one.distinct)
        cells = [*map(str, one.vector), *(f"{n:,}" for n in numbers), f"{one.precision:.4f}"]
        table.add_row(mark, *cells)
    hidden = len(ordered) - most
    return Group(
        table,
        f"{len(ordered):,} k-minimal generalizations{'' if found.complete else ' so far'}, "
        f"{len(found.preferred):,} preferred (*); {found.evaluated:,} of {found.lattice.size:,} "
        "vectors evaluated.",
        *([f"{hidden:,} more are not shown; show them with --most."] if hidden > 0 else []),
    )
