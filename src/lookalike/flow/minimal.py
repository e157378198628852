"""Find the k-minimal generalizations of a table, or trace a search for them.

K-minimal generalizations are those of Samarati, Definition 4.3.
"""

from collections.abc import Mapping
from os import PathLike
from typing import Any, Unpack

from lookalike.flow.source import describe_table, read_and_count
from lookalike.model.progress import Announce, Stopwatch
from lookalike.search.lattice.trace import SearchTrace, trace
from lookalike.search.methods.samarati import MinimalCandidates, list_minimal
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options
from lookalike.tables.table import Frame


def minimal(
    specification: Specification, announce: Announce = lambda _: None
) -> tuple[tuple[str, ...], MinimalCandidates]:
    """Find every k-minimal generalization of a source, and the preferred ones.

    Of linked tables, these are levels of the attributes of all tables, and persons are suppressed.
    """
    stopwatch = Stopwatch(announce)
    if specification.is_linked:
        from lookalike.flow.release_records import read_to_search  # what one table does not need
        from lookalike.search.linked import list_linked_minimal

        sources, requirement, options = read_to_search(specification, stopwatch)
        found = list_linked_minimal(sources.linked, requirement, options)
        return sources.linked.attributes, found
    specification = settle_columns(specification)
    frequency = read_and_count(specification, stopwatch).frequency
    stopwatch.begin("search")
    requirement = specification.requirement(frequency.rows)
    options = specification.options(stopwatch.report)
    return frequency.attributes, list_minimal(frequency, requirement, options)


def trace_specified(
    specification: Specification,
    search: str,
    announce: Announce = lambda _: None,
    frame: Frame | None = None,
) -> SearchTrace:
    """Run one of Samarati's searches on the source of a specification, and return its steps."""
    specification = settle_columns(specification, frame)
    stopwatch = Stopwatch(announce)
    frequency = read_and_count(specification, stopwatch, frame).frequency
    stopwatch.begin("search")
    requirement = specification.requirement(frequency.rows)
    return trace(frequency, requirement, search, specification.options(stopwatch.report))


@name_options
def trace_search(
    table: Any = None,
    search: str = "find-vector",
    *,
    spec: Specification | str | PathLike[str] | None = None,
    source: Mapping[str, Any] | None = None,
    announce: Announce = lambda _: None,
    **changes: Unpack[SpecificationOptions],
) -> SearchTrace:
    """Run one of Samarati's searches on a private table, and return its steps.

    The searches are those of the paper. ``lookalike minimal`` and the method ``samarati`` find
    the same vectors faster.

    Parameters
    ----------
    table, spec, source, **changes
        As for :func:`lookalike.release`.
    search
        ``find-vector`` (Figure 10), ``halving`` (end of section 6), ``strategies`` (Theorem
        5.1), or ``matrix`` (Figure 10 with the matrix VT of section 5).
    announce
        Callback that receives the name of each step of the flow.

    Returns
    -------
    SearchTrace
        The steps, the vectors that each step evaluated, and the vectors found.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141", "02142"]})
    >>> zips = {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}}
    >>> found = trace_search(people, "matrix", attributes=zips, k=2)
    >>> found.matrix.least_upper_bound(), found.found, len(found.steps)
    ((2,), ((1,),), 1)
    """
    specification, frame = describe_table(table, spec, source, changes)
    return trace_specified(specification, search, announce, frame)
