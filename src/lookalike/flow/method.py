"""Method: which method decides, and what it must not be asked for.

A search at the attribute level asks for counts at vectors, which the engine of the table counts.
Everything else needs the list of sequences in memory, and is refused here with the way out.
"""

from functools import partial

from lookalike.describe.exposure import explain_undefined
from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.source import most_sequences
from lookalike.model.frequency import FrequencyList
from lookalike.model.kept import find_lacking, name_share
from lookalike.model.lattice import raise_level
from lookalike.model.recoding import Recoding
from lookalike.risk.table.exposure import Exposure
from lookalike.search.argus.options import Decide
from lookalike.search.cells.ambiguous_labels import list_ambiguous_columns
from lookalike.search.methods import TAKES
from lookalike.search.options import SearchOptions
from lookalike.search.takes import refuse_untaken
from lookalike.spec.choose_method import choose_method
from lookalike.spec.policies import BASED_ON
from lookalike.spec.specification import Specification


def settle_method(
    specification: Specification, counted: CountedTable | StoredTable
) -> tuple[Specification, str | None]:
    """Choose the method for a counted table, if the specification names none."""
    rows = counted.frequency.rows
    return choose_method(specification, partial(_find_obstacle, counted), rows)


def _find_obstacle(counted: CountedTable | StoredTable, specification: Specification) -> str | None:
    """Return why the method of a specification cannot be used on a table, if it cannot."""
    method = specification.release.method
    if not TAKES[method].cells:
        return None
    if isinstance(counted, StoredTable):
        return (
            f"{method} needs all {counted.sequences:,} distinct sequences in memory, where "
            f"max_sequences = {most_sequences(specification):,} may be"
        )
    lattice, _ = specification.options().lattice_of(counted.frequency)
    ambiguous = next(list_ambiguous_columns(counted.frequency, lattice), None)
    if ambiguous is None:
        return None
    return (
        f"{method} mixes levels, and the hierarchy of column {ambiguous[0]!r} writes different "
        "values alike at different levels"
    )


COUNTED_OBJECTIVES = ("precision", "loss", "entropy")
"""The objectives that need no list of the classes at every vector."""


def refuse_beyond_memory(specification: Specification, counted: CountedTable | StoredTable) -> None:
    """Raise if a release needs a list of sequences that is not in memory.

    ``counted``: the table. If its list is shorter because levels are bounded from below, it is in
    memory, and only a ledger needs the sequences of the private table.
    """
    if isinstance(counted, CountedTable) and not counted.is_coarsened:
        return
    asked = specification.release
    what, remedy = _name_need(specification, counted)
    if what is None:
        return
    remedies = [remedy, "raise max_sequences"]
    bounded = TAKES[asked.method].level_bounds and asked.ledger is None
    if bounded and isinstance(counted, StoredTable):
        remedies.insert(0, _suggest_constraints(counted))
    raise InvalidInput(
        f"the table has {counted.sequences:,} distinct sequences, more than the max_sequences = "
        f"{most_sequences(specification):,} that may be in memory, and {what} needs them "
        f"there; {', or '.join(remedies)}"
    )


def _name_need(
    specification: Specification, counted: CountedTable | StoredTable
) -> tuple[str | None, str]:
    """Name the part of a request that needs the whole list in memory, and what to do instead."""
    asked, frequency = specification.release, counted.frequency
    if asked.ledger is not None:
        return "a ledger", "release it without a ledger"
    if isinstance(counted, CountedTable):
        return None, ""
    if TAKES[asked.method].cells:
        return f"the method {asked.method}", "use datafly, samarati or mingen"
    if not specification.requirement(frequency.rows).is_single(frequency.attributes):
        return "a k of several quasi-identifiers", "protect all attributes together"
    if asked.average_risk is not None:
        return "average_risk", "ask for highest_risk instead"
    if asked.objective not in COUNTED_OBJECTIVES:
        return f"the objective {asked.objective}", "use precision, loss or entropy"
    return None, ""


def _suggest_constraints(stored: StoredTable) -> str:
    """Suggest the bounds on levels by which the list becomes short enough."""
    frequency = stored.frequency
    vector = frequency.vector
    while vector != frequency.heights and frequency.store.estimate(vector) > frequency.most:
        left = [place for place, top in enumerate(frequency.heights) if vector[place] < top]
        distinct = frequency.distinct(vector)
        vector = raise_level(vector, max(left, key=lambda place: distinct[place]))
    levels = zip(frequency.attributes, vector, strict=True)
    bounds = ", ".join(f'"{name} >= {level}"' for name, level in levels if level)
    return f"generalize first, with constraints = [{bounds}]"


def refuse_unmeasured(specification: Specification, *, follows: bool) -> None:
    """Refuse decoys, a greatest exposure or keep where they cannot be honoured."""
    asked = specification.release
    named = {
        "decoys": bool(asked.decoys),
        "max_exposure": asked.max_exposure is not None,
        "keep": asked.keep is not None or any(specification.options().keep),
    }
    fields = [name for name, is_asked in named.items() if is_asked]
    if fields and follows and asked.policy == BASED_ON:
        raise InvalidInput(
            f"{fields[0]}: a release that is based on earlier ones keeps their classes as they "
            f'are; leave {fields[0]} out, or set policy = "check-only"'
        )
    takes = TAKES[asked.method]
    if asked.max_exposure is not None and takes.cells and not takes.decoys:
        raise InvalidInput(f"max_exposure: {explain_undefined(asked.method)}")


def refuse_lacking(frequency: FrequencyList, recoding: Recoding, options: SearchOptions) -> None:
    """Refuse a release that keeps less than the specification asks for."""
    for place, kept in find_lacking(frequency, recoding, options.keep).items():
        raise RequirementNotMet(
            f"keep asks for at least {name_share(options.keep[place])} of "
            f"{frequency.attributes[place]}, and the release keeps {name_share(kept)} of it"
        )


def refuse_exposed(specification: Specification, found: Exposure | None) -> None:
    """Refuse a release whose exposure is greater than ``max_exposure``."""
    most = specification.release.max_exposure
    if most is None or found is None or found.greatest_gain <= most:
        return
    worst = found.announcements[0]
    value = "a missing value" if worst.value is None else repr(worst.value)
    raise RequirementNotMet(
        f"the exposure is {found.greatest_gain:.4f}, above max_exposure = {most:f}: a class that "
        f"shows {value} for {worst.attribute} has rows with different values, which makes a rare "
        "one so much more likely. Change the hierarchy so that several frequent values lie below "
        "this one, set decoys = 0.02, raise k, or use a method at the attribute level"
    )


def refuse_ignored(specification: Specification, decide: Decide | None = None) -> None:
    """Refuse what the method would ignore, before the table is read."""
    specification, _ = choose_method(specification)
    refuse_untaken(
        specification.release.method,
        tuple(specification.hierarchies()),
        specification.requirement(rows=0),
        specification.options(decide=decide),
    )
