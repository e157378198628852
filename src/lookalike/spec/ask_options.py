"""Ask_options: from the fields of a specification to the options of its search."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from lookalike.model.progress import Announce
from lookalike.search.argus.options import ArgusOptions, Decide, decide_as_listed
from lookalike.search.options import SearchOptions

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification


def ask_options(
    specification: "Specification",
    announce: Announce,
    decide: Decide | None,
    keep_best: Callable[[], bool],
) -> SearchOptions:
    """Return the options of a search; the parameters are those of ``Specification.options``."""
    asked, names = specification.release, list(specification.hierarchies())
    columns = [specification.attributes[name] for name in names]
    return SearchOptions(
        weights=tuple(column.weight for column in columns),
        tolerances=tuple(specification.tolerance(name) for name in names),
        objective=asked.objective,
        prefer=asked.prefer,
        constraints=asked.read_constraints(),
        time_limit=asked.time_limit,
        effort=asked.effort,
        bound=asked.bound,
        keep_best=keep_best,
        argus=ArgusOptions(
            identification=tuple(column.identification for column in columns),
            dimension=None if asked.dimension == "all" else asked.dimension,
            combinations=asked.combinations,
            suppress_by=asked.suppress_by,
            repair=asked.repair,
        ),
        decide=decide or (decide_as_listed(asked.generalize) if asked.generalize else None),
        announce=announce,
        decoys=asked.decoys,
    )
