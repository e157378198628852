"""The verb ``utility``: measure what a release is still good for."""

from collections.abc import Sequence

from lookalike.describe.utility.distances import column_distances, pair_distances
from lookalike.describe.utility.models import require_models, try_models
from lookalike.describe.utility.released_cells import ReleasedCells, align_rows
from lookalike.describe.utility.trial import ModelTrial, check_target
from lookalike.describe.utility.utility_figures import ModelScore, Utility
from lookalike.errors import InvalidInput
from lookalike.flow.result import Release
from lookalike.spec.specification import Specification


def utility(
    release: Release,
    target: str | None = None,
    *,
    repeats: int = 1,
    seed: int = 0,
    test_share: float = 0.3,
) -> Utility:
    """Measure what a release is still good for, against the private table.

    The figures are for the data holder: they show distributions of the private table.

    Parameters
    ----------
    release
        The release.
    target
        A released column that models predict: trained on released rows, tested on private rows
        that were held out. It needs the extra ``utility``, scikit-learn.
    repeats
        The number of splits into training and test rows, over which scores are averaged.
    seed
        The seed of the first split.
    test_share
        The share of the rows of each class that are held out; rows of one person stay together.

    Examples
    --------
    >>> import lookalike as la
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["021", "021", "022", "022"], "ill": ["a", "a", "b", "b"]})
    >>> roles = {
    ...     "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    ...     "ill": {"role": "sensitive"},
    ... }
    >>> made = la.release(people, attributes=roles, k=4, max_suppressed=0, method="mingen")
    >>> found = utility(made)
    >>> found.column_distance, found.pair_distance
    (0.0, 0.5)
    >>> found.pairs[0].association_before, found.pairs[0].association_after
    (1.0, 0.0)
    """
    if target is None:
        return measure_utility(release)
    check_target(release.specification, target)
    return measure_utility(release, ModelTrial(target, repeats, seed, test_share))


def ask_trial(specification: Specification, target: str) -> ModelTrial:
    """Return a trial for a target, before the table is read; refuse what cannot be tried."""
    check_target(specification, target)
    require_models()
    return ModelTrial(target)


def measure_utility(
    release: Release, trial: ModelTrial | None = None, references: Sequence[ModelScore] = ()
) -> Utility:
    """Measure a release, with models if a trial is asked for."""
    rows = align_release(release)
    return Utility(
        columns=column_distances(rows),
        pairs=pair_distances(rows),
        models=None if trial is None else try_models(rows, trial, references),
    )


def align_release(release: Release) -> ReleasedCells:
    """Align the rows of a release; refuse one that cannot be compared with the private table."""
    if release.basis is not None:
        raise InvalidInput(
            "utility: a release that is based on earlier ones shows earlier values, which are not "
            "compared with the private table; measure a release without a ledger"
        )
    if release.specification.release.knows_answers is not None:
        raise InvalidInput(
            "utility: values that are left out of answers (knows_answers) are not compared with "
            "the private table; measure a release without knows_answers"
        )
    if release.plan.frequency.coarsened is not None:
        raise InvalidInput(
            "utility: the sequences of the table do not fit in memory, and its values are "
            "needed there; raise memory or max_sequences, or measure a sample"
        )
    person = next(iter(release.specification.persons), None)
    return align_rows(release.plan, release.trail, person)
