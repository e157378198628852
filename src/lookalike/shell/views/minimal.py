"""Output of ``lookalike minimal``: the k-minimal generalizations, and whether a release is one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from rich.console import RenderableType, group
from rich.text import Text

from lookalike.flow.minimality.answers import FinerCells, KMinimality, MinimalDistortion
from lookalike.json_result import JsonResult
from lookalike.model.lattice import write_vector
from lookalike.search.lattice.preferences import Candidate
from lookalike.search.methods.samarati import MinimalCandidates
from lookalike.shell.views.printing import fold, show_rows, write_value


class MinimalVector(TypedDict):
    """A k-minimal generalization and its figures."""

    levels: dict[str, int]
    height: int
    suppressed: int
    precision: float
    distinct: int


@dataclass(frozen=True, eq=False)
class Minimal(JsonResult):
    """All k-minimal generalizations of a table, and the preferred ones."""

    json_names = (
        "lattice=found.lattice.size evaluated=found.evaluated complete=found.complete minimal "
        "preferred"
    )

    attributes: Sequence[str]
    found: MinimalCandidates

    @property
    def minimal(self) -> list[MinimalVector]:
        """The k-minimal generalizations."""
        return [self._describe(one) for one in self.found.minimal]

    @property
    def preferred(self) -> list[MinimalVector]:
        """Those that the preferences choose."""
        return [self._describe(one) for one in self.found.preferred]

    def _describe(self, one: Candidate) -> MinimalVector:
        """Return a vector and its figures."""
        return {
            "levels": dict(zip(self.attributes, one.vector, strict=True)),
            "height": sum(one.vector),
            "suppressed": one.suppressed,
            "precision": one.precision,
            "distinct": one.distinct,
        }


@group()
def show_minimal(minimal: Minimal, most: int) -> Iterator[RenderableType]:
    """List the k-minimal generalizations; an asterisk marks the preferred ones."""
    found = minimal.found
    ordered = sorted(found.minimal, key=lambda one: one not in found.preferred)
    rows = []
    for one in ordered[:most]:
        numbers = (sum(one.vector), one.suppressed, one.distinct)
        cells = [*map(str, one.vector), *(f"{n:,}" for n in numbers), f"{one.precision:.4f}"]
        rows.append(["*" if one in found.preferred else "", *cells])
    headings = ["", *minimal.attributes, "height", "suppressed", "distinct", "Prec"]
    yield show_rows(headings, rows, text=1)
    yield (
        f"{len(ordered):,} k-minimal generalizations{'' if found.complete else ' so far'}, "
        f"{len(found.preferred):,} preferred (*); {found.evaluated:,} of {found.lattice.size:,} "
        "vectors evaluated."
    )
    if len(ordered) > most:
        yield f"{len(ordered) - most:,} more are not shown; show them with --most."


DECIDED = {"yes": True, "no": False, "undecided": None}
ANSWERS = {"yes": "yes, proved", "no": "no", "undecided": "undecided"}
ANSWER_STYLES = {"yes": "bold green", "no": "bold red", "undecided": "bold yellow"}


class BetterVector(TypedDict):
    """A vector that would be better than the release."""

    levels: dict[str, int]
    suppressed: int
    precision: float


class DistortionAnswer(TypedDict):
    """Whether no release has a greater precision; null if that is undecided."""

    holds: bool | None
    reason: str
    precision_possible: float
    precision_bound: float
    gap: float
    better: list[BetterVector]


@dataclass(frozen=True, eq=False)
class JudgedRelease(JsonResult):
    """Whether a release is k-minimal and of minimal distortion, and what would be better."""

    json_names = (
        "level=minimal.level k=minimal.k max_suppressed=minimal.max_suppressed "
        "rows_suppressed=minimal.rows_suppressed levels=minimal.levels "
        "precision=distortion.precision k_minimal reason=minimal.reason below finer=minimal.finer "
        "minimal_distortion"
    )

    minimal: KMinimality
    distortion: MinimalDistortion

    def as_json(self, *, show: bool = False) -> dict[str, Any]:
        """Return what ``minimal --of --json`` prints, with values of the finer table on request."""
        judged = super().as_json()
        for one, written in zip(self.minimal.finer, judged["finer"], strict=True):
            written |= {"finer": one.finer} if show else {}
        return judged

    @property
    def k_minimal(self) -> bool | None:
        """Whether the release is k-minimal; null if that is undecided."""
        return DECIDED[self.minimal.answer]

    @property
    def below(self) -> list[BetterVector]:
        """The k-minimal vectors below that of the release."""
        return self._describe(self.minimal.below)

    @property
    def minimal_distortion(self) -> DistortionAnswer:
        """Whether no release has a greater precision."""
        distortion = self.distortion
        return {
            "holds": DECIDED[distortion.answer],
            "reason": distortion.reason,
            "precision_possible": distortion.possible,
            "precision_bound": distortion.bound,
            "gap": distortion.gap,
            "better": self._describe(distortion.better),
        }

    def _describe(self, vectors: Sequence[Candidate]) -> list[BetterVector]:
        """Return vectors and their figures."""
        return [
            {
                "levels": dict(zip(self.minimal.levels or (), one.vector, strict=True)),
                "suppressed": one.suppressed,
                "precision": one.precision,
            }
            for one in vectors
        ]


@group()
def show_minimality(judged: JudgedRelease, most: int, *, show: bool) -> Iterator[RenderableType]:
    """Show whether a release is k-minimal and of minimal distortion, or what would be better."""
    minimal, distortion = judged.minimal, judged.distortion
    known = ", ".join(f"{name} {level}" for name, level in (minimal.levels or {}).items())
    levels = "" if minimal.levels is None else f" Levels: {known}."
    yield fold(
        f"Judged at the {minimal.level} level: k = {minimal.k:,}, MaxSup = "
        f"{minimal.max_suppressed:,} rows; {minimal.rows_suppressed:,} rows suppressed, Prec "
        f"{distortion.precision:.4f}.{levels}",
        indent="  ",
    )
    yield _state_answer("k-minimal", minimal.answer, minimal.reason)
    yield from _show_vectors(minimal.below, most)
    yield from _show_finer(minimal.finer, most, show=show)
    gap = f" (gap {distortion.gap:.4f})" if distortion.answer == "undecided" else ""
    yield _state_answer("minimal distortion", distortion.answer, f"{distortion.reason}{gap}")
    yield from _show_vectors(distortion.better, most)


def _state_answer(what: str, answer: str, reason: str) -> Text:
    """State an answer and its reason."""
    stated = f"{what}: {ANSWERS[answer]}: {reason}."
    return fold(stated, indent="  ", style=ANSWER_STYLES[answer])


def _show_vectors(vectors: Sequence[Candidate], most: int) -> Iterator[RenderableType]:
    """List vectors that would be better."""
    rows = [
        [write_vector(one.vector) or "", f"{one.suppressed:,}", f"{one.precision:.4f}"]
        for one in vectors[:most]
    ]
    if len(vectors) > most:
        rows.append([f"… and {len(vectors) - most:,} more", "", ""])
    if rows:
        yield show_rows(["levels", "suppressed", "Prec"], rows, text=1)


def _show_finer(finer: tuple[FinerCells, ...], most: int, *, show: bool) -> Iterator[Text]:
    """List the rows that could be released at lower levels."""
    for one in finer[:most]:
        values = ", ".join(write_value(text) for text in one.released.values())
        what = f"rows released as {values}" if one.released else "suppressed rows"
        cells = []
        for name, (old, new) in one.levels.items():
            value = f" ({write_value(one.finer[name])})" if show else ""
            cells.append(f"{name} at level {new} instead of {old}{value}")
        yield fold(f"  {one.rows:,} of {one.of:,} {what}: {'; '.join(cells)}.", indent="  ")
    if len(finer) > most:
        yield Text(f"  … not shown: {len(finer) - most:,} more; see --most.")
