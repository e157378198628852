"""Minimality: whether a given release is k-minimal, and whether it distorts as little as possible.

Both are properties of a release with respect to its private table (Achieving, Definitions 4
and 6; Samarati, Definition 4.3), so the holder can judge any release, whoever made it. There
are three answers: yes, proved; no, with what would be better; and not decided.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any, Literal

from lookalike.algorithms.mingen_cells import mingen_cells
from lookalike.cells.exact import MOST_SEQUENCES
from lookalike.cells.exact_finer import find_finer
from lookalike.cells.finer import SUPPRESSED_ROW, Change, assign, merge_equal, refine_classes
from lookalike.compare import write_vector
from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.given import Given, read_given
from lookalike.hierarchy.bound import Codes
from lookalike.lattice import Lattice, Vector
from lookalike.recoding import is_minimal, recode_at
from lookalike.search.branch import minimize
from lookalike.search.candidates import describe
from lookalike.search.minimal import find_minimal
from lookalike.search.objectives import make_objective
from lookalike.search.preferences import Candidate
from lookalike.search.rollup import RollUps
from lookalike.spec import Specification
from lookalike.stopwatch import Announce

TIME_LIMIT = 60.0
"""Seconds after which a question remains undecided, if the specification gives no time limit."""

Answer = Literal["yes", "no", "undecided"]


@dataclass(frozen=True)
class FinerCells:
    """Rows of one released tuple that a finer table shows with more specific values.

    Parameters
    ----------
    rows
        Their number.
    of
        How many rows have the released tuple; of suppressed rows, how many are suppressed.
    levels
        For each attribute that changes, its level in the release and in the finer table. For
        rows that are suppressed in the release, the levels of all attributes.
    released
        The released tuple; empty for suppressed rows.
    finer
        The values of these attributes in the finer table: they are the holder's own.
    """

    rows: int
    of: int
    levels: dict[str, tuple[int, int]]
    released: dict[str, str | None] = field(repr=False)
    finer: dict[str, str | None] = field(repr=False)


@dataclass(frozen=True)
class KMinimality:
    """Whether a release is a k-minimal generalization.

    Parameters
    ----------
    answer
        ``"yes"``, proved; ``"no"``, with what would be finer; or ``"undecided"``: a search found
        nothing finer, but did not go through everything.
    reason
        Why, in one sentence.
    level
        The level at which it was judged, ``"attribute"`` or ``"cell"``.
    k
        The k that was asked for.
    max_suppressed
        MaxSup, as a number of rows.
    rows_suppressed
        The rows that the release leaves out or blank.
    levels
        The level of each attribute; nothing at the cell level.
    below
        At the attribute level, if the answer is no: the k-minimal vectors below.
    finer
        At the cell level, if the answer is no: the changes that make a finer table.
    """

    answer: Answer
    reason: str
    level: str
    k: int
    max_suppressed: int
    rows_suppressed: int
    levels: dict[str, int] | None = None
    below: tuple[Candidate, ...] = ()
    finer: tuple[FinerCells, ...] = ()

    def __bool__(self) -> bool:
        return _decide(self.answer)


@dataclass(frozen=True)
class MinimalDistortion:
    """Whether no k-anonymous generalization has a greater Prec than a release.

    Parameters
    ----------
    answer
        ``"yes"``, proved; ``"no"``, a greater Prec is possible; or ``"undecided"``.
    reason
        Why, in one sentence.
    level
        The level at which it was judged, ``"attribute"`` or ``"cell"``.
    precision
        Prec of the release.
    possible
        The greatest Prec of a release that was found.
    bound
        No release has a greater Prec.
    better
        At the attribute level, if the answer is no: the vectors of that Prec.
    """

    answer: Answer
    reason: str
    level: str
    precision: float
    possible: float
    bound: float
    better: tuple[Candidate, ...] = ()

    @property
    def gap(self) -> float:
        """How much greater than that of the release Prec may be at most."""
        return max(0.0, self.bound - self.precision)

    def __bool__(self) -> bool:
        return _decide(self.answer)


def _decide(answer: Answer) -> bool:
    """Return a yes or a no; what is undecided is neither."""
    if answer == "undecided":
        raise InvalidInput("this is undecided, so it is neither true nor false; look at .answer")
    return answer == "yes"


def is_k_minimal(
    release: Any,
    *,
    specification: Specification | Mapping[str, Any] | str | PathLike[str],
    table: Any = None,
    level: str | None = None,
    announce: Announce = lambda _: None,
) -> KMinimality:
    """Tell whether a release is a k-minimal generalization of its private table.

    At the attribute level that is Samarati's Definition 4.3, with MaxSup: the release suppresses
    what it must and no more, no more than ``max_suppressed``, and no lower vector does with that.
    At the cell level it is Achieving's Definition 4: no other k-anonymous table lies between the
    private table and the release, where a suppressed row is the most general of all. It is
    decided for small tables. For others a search looks for a finer table.

    Parameters
    ----------
    release
        A published folder, or a frame of released rows.
    specification
        The holder's specification: a file, its content, or a value. It gives k, MaxSup,
        hierarchies, constraints and the private table.
    table
        The private table, a path or a frame; without it, the source of the specification.
    level
        ``"attribute"`` or ``"cell"``; without it, the level at which the release was made.
    announce
        Told the name of each step as it begins.

    Raises
    ------
    RequirementNotMet
        If the release is not k-anonymous, or not a true generalization of the private table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141", "02142"]})
    >>> spec = {
    ...     "release": {"k": 2},
    ...     "attributes": {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}},
    ... }
    >>> far = is_k_minimal(pa.table({"zip": ["021**"] * 4}), specification=spec, table=people)
    >>> far.answer, [one.vector for one in far.below]
    ('no', [(1,)])
    >>> near = pa.table({"zip": ["0213*", "0213*", "0214*", "0214*"]})
    >>> bool(is_k_minimal(near, specification=spec, table=people))
    True
    """
    return judge_k_minimal(read_given(release, specification, table, level, announce), announce)


def is_minimal_distortion(
    release: Any,
    *,
    specification: Specification | Mapping[str, Any] | str | PathLike[str],
    table: Any = None,
    level: str | None = None,
    announce: Announce = lambda _: None,
) -> MinimalDistortion:
    """Tell whether no k-anonymous generalization has a greater Prec (Achieving, Definition 6).

    Where several tables tie, the definition as printed admits none of them; MinGen's step 2.3
    keeps them all, and so does this. At the attribute level the answer is that of ``mingen``,
    at the cell level that of ``mingen-cells``: proved for small tables, else within a bound.

    Parameters
    ----------
    release, specification, table, level, announce
        As for :func:`is_k_minimal`. The weights of Prec are those of the specification.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141", "02142"]})
    >>> spec = {
    ...     "release": {"k": 2},
    ...     "attributes": {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}},
    ... }
    >>> far = pa.table({"zip": ["021**"] * 4})
    >>> found = is_minimal_distortion(far, specification=spec, table=people)
    >>> found.answer, found.precision, found.possible
    ('no', 0.6, 0.8)
    """
    given = read_given(release, specification, table, level, announce)
    return judge_distortion(given, announce)


def judge_k_minimal(given: Given, announce: Announce = lambda _: None) -> KMinimality:
    """Tell whether a release that was read is k-minimal."""
    announce("looking for a finer table")
    told = KMinimality(
        answer="undecided",
        reason="",
        level="cell" if given.vector is None else "attribute",
        k=given.requirement.largest_k,
        max_suppressed=given.allowance,
        rows_suppressed=given.rows_suppressed,
        levels=None
        if given.vector is None
        else dict(zip(given.frequency.attributes, given.vector, strict=True)),
    )
    if given.vector is None:
        return _judge_cells(given, told)
    return _judge_vector(given, given.vector, told)


def _judge_vector(given: Given, vector: Vector, told: KMinimality) -> KMinimality:
    """Judge a release at the attribute level (Samarati, Definition 4.3)."""
    lattice, _ = given.options.lattice_of(given.frequency)
    refused = _refuse_vector(given, vector, lattice)
    if refused is not None:
        return replace(told, answer="no", reason=refused)
    if is_minimal(given.frequency, vector, given.requirement, given.allowance, lattice):
        return replace(
            told,
            answer="yes",
            reason="every vector below its own would suppress more rows than may be",
        )
    rollups = RollUps(given.frequency, given.requirement)
    part = Lattice(lattice.bottom, vector)
    found = find_minimal(rollups, part, given.allowance, _limit(given))
    below = describe(found.vectors, rollups, given.options)
    return replace(
        told,
        answer="no",
        reason=f"{write_vector(below[0].vector)} lies below its vector {write_vector(vector)} and "
        "is k-anonymous within the suppression that is allowed",
        below=tuple(below),
    )


def _refuse_vector(given: Given, vector: Vector, lattice: Lattice) -> str | None:
    """Say why a release cannot be k-minimal whatever lies below it, if it cannot."""
    if vector not in lattice:
        return (
            f"its vector {write_vector(vector)} is not among those that the constraints on levels "
            f"leave, {write_vector(lattice.bottom)} to {write_vector(lattice.top)}"
        )
    required = recode_at(given.frequency, vector, given.requirement, given.allowance, lattice)
    if required.rows_suppressed > given.allowance:
        return _too_many(required.rows_suppressed, given.allowance)
    must = required.rows_suppressed + required.rows_complementary
    suppressed = given.rows_suppressed - _count_hidden(given, vector)
    if suppressed > must:
        return (
            f"it suppresses {suppressed:,} rows, and at its vector {write_vector(vector)} only "
            f"{must:,} must be"
        )
    return None


def _count_hidden(given: Given, vector: Vector) -> int:
    """Count the rows that look blank and are not: they show nothing at a vector, and are kept."""
    if not given.blank.any():
        return 0
    classes = given.frequency.roll_up(vector)
    kept = ~given.requirement.outlying(classes, vector)
    for hierarchy, level, codes in zip(classes.hierarchies, vector, classes.codes, strict=True):
        kept &= hierarchy.hidden[level][codes]
    return int(classes.counts[kept].sum())


def _too_many(suppressed: int, allowance: int) -> str:
    """Say that a release suppresses more than allowed."""
    return f"it suppresses {suppressed:,} rows, and {allowance:,} may be (max_suppressed)"


def _limit(given: Given) -> float:
    """Return how many seconds a search may take."""
    limit = given.options.time_limit
    return TIME_LIMIT if limit is None else limit


def _judge_cells(given: Given, told: KMinimality) -> KMinimality:
    """Judge a release at the cell level (Achieving, Definition 4)."""
    deadline = time.monotonic() + _limit(given)
    k = _check_one(given)
    bottom = given.options.lattice_of(given.frequency)[0].bottom
    if given.rows_left_out > given.allowance:
        reason = _too_many(given.rows_left_out, given.allowance)
        return replace(told, answer="no", reason=reason)
    first, shown = merge_equal(given.frequency, given.shown())
    assignment = assign(given.frequency, shown)
    if assignment is None:
        raise RequirementNotMet(
            "some released rows generalize no row of the private table as it is now, so they "
            "cannot be compared with it; is the release based on an earlier one?"
        )
    changes = refine_classes(given.frequency, shown, assignment, k, bottom)
    exhausted = False
    if not changes:
        changes, exhausted = find_finer(given.frequency, shown, assignment, k, bottom, deadline)
    if changes:
        finer = tuple(_describe_change(given, change, first) for change in changes)
        rows = sum(one.rows for one in changes)
        reason = f"a k-anonymous table exists that shows {rows:,} of its rows more specifically"
        return replace(told, answer="no", reason=reason, finer=finer)
    if exhausted:
        reason = "no other k-anonymous table lies between the private table and the release"
        return replace(told, answer="yes", reason=reason)
    reason = (
        "no class can be refined by itself, but not all tables between the private table and the "
        "release were considered"
    )
    return replace(told, reason=reason)


def _check_one(given: Given) -> int:
    """Return the k of the one quasi-identifier that the cell level knows."""
    one, *others = given.requirement.protected(given.frequency.attributes)
    if others or one.attributes != given.frequency.attributes:
        raise InvalidInput(
            "the cell level is defined for one quasi-identifier without linking weights; ask at "
            "the attribute level"
        )
    return one.k


def _describe_change(given: Given, change: Change, first: Codes) -> FinerCells:
    """Say which cells of which released tuple become finer."""
    frequency = given.frequency
    suppressed = change.shown == SUPPRESSED_ROW
    place = 0 if suppressed else int(first[change.shown])
    before = frequency.heights if suppressed else tuple(given.levels[:, place].tolist())
    changed = [
        attribute
        for attribute, (old, new) in enumerate(zip(before, change.levels, strict=True))
        if suppressed or old != new
    ]
    names = frequency.attributes
    finer = {}
    for attribute in changed:
        hierarchy, level = frequency.hierarchies[attribute], change.levels[attribute]
        code = hierarchy.levels[level][change.ground[attribute]]
        finer[names[attribute]] = hierarchy.labels[level][code]
    shown = zip(names, given.labels, given.codes[:, place].tolist(), strict=True)
    return FinerCells(
        rows=change.rows,
        of=given.rows_left_out if suppressed else int(given.counts[place]),
        levels={names[a]: (int(before[a]), change.levels[a]) for a in changed},
        released={} if suppressed else {name: texts[code] for name, texts, code in shown},
        finer=finer,
    )


def judge_distortion(given: Given, announce: Announce = lambda _: None) -> MinimalDistortion:
    """Tell whether a release that was read has the greatest Prec."""
    announce("looking for a greater precision")
    if given.vector is None:
        _check_one(given)
        return _judge_cells_precision(given, announce)
    return _judge_vector_precision(given, given.vector)


def _judge_vector_precision(given: Given, vector: Vector) -> MinimalDistortion:
    """Compare a release with what MinGen proves at the attribute level."""
    rollups = RollUps(given.frequency, given.requirement)
    weights = given.options.weights_of(given.frequency)
    objective = make_objective("precision", rollups, weights, given.allowance)
    lattice, _ = given.options.lattice_of(given.frequency)
    standing = minimize(objective, lattice, given.allowance, _limit(given))
    possible = objective.measured(standing.best[0].cost)
    refused = _refuse_vector(given, vector, lattice)
    told = MinimalDistortion(
        answer="undecided",
        reason=refused or "",
        level="attribute",
        precision=given.precision,
        possible=possible,
        bound=objective.measured(standing.bound),
    )
    own = objective.judge(vector).cost
    if refused is None and own == standing.best[0].cost:
        return _settle(told, proved=standing.proved)
    if refused is None and own < standing.best[0].cost:
        return replace(told, reason="the search was stopped before it found as good a vector")
    better = describe([judged.vector for judged in standing.best], rollups, given.options)
    named = ", ".join(write_vector(one.vector) or "" for one in better[:3])
    reason = refused or f"Prec {possible:.4f} is possible, at {named}"
    return replace(told, answer="no", reason=reason, better=tuple(better))


def _judge_cells_precision(given: Given, announce: Callable[[str], None]) -> MinimalDistortion:
    """Compare a release with what MinGen finds and proves cell by cell."""
    small = len(given.frequency) <= MOST_SEQUENCES
    options = replace(
        given.options,
        effort="exact" if small else given.options.effort,
        time_limit=_limit(given),
        prefer=(),
        objective="precision",
        tell=announce,
    )
    requirement = replace(given.requirement, max_suppressed=given.allowance)
    optimality = mingen_cells(given.frequency, requirement, options).optimality
    if optimality is None:
        raise InvalidInput("mingen-cells told no bound")
    told = MinimalDistortion(
        answer="undecided",
        reason="",
        level="cell",
        precision=given.precision,
        possible=max(optimality.reached, given.precision),
        bound=optimality.reached if optimality.proved else optimality.bound,
    )
    if given.rows_left_out > given.allowance:
        reason = _too_many(given.rows_left_out, given.allowance)
        return replace(told, answer="no", reason=reason)
    if optimality.reached > given.precision:
        reason = f"Prec {optimality.reached:.4f} is possible"
        return replace(told, answer="no", reason=reason)
    return _settle(told, proved=given.precision >= told.bound)


def _settle(told: MinimalDistortion, *, proved: bool) -> MinimalDistortion:
    """Say that nothing better exists, or by how much it may be better at most."""
    if proved:
        return replace(
            told, answer="yes", reason="no k-anonymous generalization has a greater Prec"
        )
    reason = f"no greater Prec was found, and none is greater than {told.bound:.4f}"
    return replace(told, reason=reason)
