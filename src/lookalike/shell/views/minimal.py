"""Output of ``lookalike minimal``: the k-minimal generalizations, and whether a release is one."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.flow.minimality.answers import FinerCells, KMinimality, MinimalDistortion
from lookalike.json_result import pick_json
from lookalike.model.lattice import write_vector
from lookalike.search.lattice.preferences import Candidate
from lookalike.search.methods.samarati import MinimalCandidates
from lookalike.shell.views.printing import begin_table, fold, write_value


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


DECIDED = {"yes": True, "no": False, "undecided": None}
ANSWER_STYLES = {"yes": "bold green", "no": "bold red", "undecided": "bold yellow"}


def minimality_as_json(
    minimal: KMinimality, distortion: MinimalDistortion, *, show: bool
) -> dict[str, Any]:
    """Return what ``minimal --of --json`` prints, with values of the finer table on request."""
    return {
        "level": minimal.level,
        "k": minimal.k,
        "max_suppressed": minimal.max_suppressed,
        "rows_suppressed": minimal.rows_suppressed,
        "levels": minimal.levels,
        "precision": distortion.precision,
        "k_minimal": DECIDED[minimal.answer],
        "reason": minimal.reason,
        "below": [_better_as_json(minimal, one) for one in minimal.below],
        "finer": [_finer_as_json(one, show=show) for one in minimal.finer],
        "minimal_distortion": {
            "holds": DECIDED[distortion.answer],
            "reason": distortion.reason,
            "precision_possible": distortion.possible,
            "precision_bound": distortion.bound,
            "gap": distortion.gap,
            "better": [_better_as_json(minimal, one) for one in distortion.better],
        },
    }


def _better_as_json(minimal: KMinimality, candidate: Candidate) -> dict[str, Any]:
    """Return a vector and its figures."""
    return {
        "levels": dict(zip(minimal.levels or (), candidate.vector, strict=True)),
        "suppressed": candidate.suppressed,
        "precision": candidate.precision,
    }


def _finer_as_json(one: FinerCells, *, show: bool) -> dict[str, Any]:
    """Return which cells could be released at lower levels."""
    fields = asdict(one)
    if not show:
        del fields["finer"]
    return fields


def show_minimality(
    minimal: KMinimality, distortion: MinimalDistortion, most: int, *, show: bool
) -> RenderableType:
    """Show whether a release is k-minimal and of minimal distortion, or what would be better."""
    levels = "" if minimal.levels is None else f" Levels: {_write_levels(minimal.levels)}."
    return Group(
        fold(
            f"Judged at the {minimal.level} level: k = {minimal.k:,}, MaxSup = "
            f"{minimal.max_suppressed:,} rows; {minimal.rows_suppressed:,} rows suppressed, Prec "
            f"{distortion.precision:.4f}.{levels}",
            indent="  ",
        ),
        _state_answer("k-minimal", minimal.answer, minimal.reason),
        *([_show_vectors(minimal.below, most)] if minimal.below else []),
        *(_show_finer(minimal.finer, most, show=show) if minimal.finer else []),
        _state_answer("minimal distortion", distortion.answer, _explain(distortion)),
        *([_show_vectors(distortion.better, most)] if distortion.better else []),
    )


def _write_levels(levels: dict[str, int]) -> str:
    """Write the level of each attribute."""
    return ", ".join(f"{name} {level}" for name, level in levels.items())


def _state_answer(what: str, answer: str, reason: str) -> Text:
    """State an answer and its reason."""
    words = {"yes": "yes, proved", "no": "no", "undecided": "undecided"}[answer]
    return fold(f"{what}: {words}: {reason}.", indent="  ", style=ANSWER_STYLES[answer])


def _explain(distortion: MinimalDistortion) -> str:
    """State the reason, and for an undecided answer how far the release may be from the best."""
    gap = f" (gap {distortion.gap:.4f})" if distortion.answer == "undecided" else ""
    return f"{distortion.reason}{gap}"


def _show_vectors(vectors: tuple[Candidate, ...], most: int) -> Table:
    """List vectors that would be better."""
    table = begin_table("levels", "suppressed", "Prec")
    for one in vectors[:most]:
        levels = escape(write_vector(one.vector) or "")
        table.add_row(levels, f"{one.suppressed:,}", f"{one.precision:.4f}")
    if len(vectors) > most:
        table.add_row(f"… and {len(vectors) - most:,} more", "", "")
    return table


def _show_finer(finer: tuple[FinerCells, ...], most: int, *, show: bool) -> Iterator[Text]:
    """List the rows that could be released at lower levels."""
    for one in finer[:most]:
        values = ", ".join(write_value(text) for text in one.released.values())
        what = f"rows released as {values}" if one.released else "suppressed rows"
        cells = "; ".join(_list_cells(one, show=show))
        yield fold(f"  {one.rows:,} of {one.of:,} {what}: {cells}.", indent="  ")
    if len(finer) > most:
        yield Text(f"  … not shown: {len(finer) - most:,} more; see --most.")


def _list_cells(one: FinerCells, *, show: bool) -> Iterator[str]:
    """List the level that each attribute has and could have, on request with its value."""
    for name, (old, new) in one.levels.items():
        value = f" ({write_value(one.finer[name])})" if show else ""
        yield f"{name} at level {new} instead of {old}{value}"
