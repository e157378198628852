"""Measure what the classes of a release that was decided on show beyond their values."""

import numpy as np

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.kernels.grouping import group_equal
from lookalike.risk.table.exposure import Exposure, measure_exposure
from lookalike.risk.table.sequences import Sequences
from lookalike.search.methods import TAKES
from lookalike.search.takes import methods_taking
from lookalike.spec.policies import BASED_ON
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan


def expose_plan(specification: Specification, plan: Plan) -> Exposure | None:
    """Measure the exposure of a plan; None if its classes are not joins."""
    asked, frequency = specification.release, plan.frequency
    if plan.recoding.tuples is None or not TAKES[asked.method].decoys:
        return None
    return measure_exposure(
        list_released_classes(plan),
        frequency,
        specification.hierarchies(),
        specification.options().lattice_of(frequency)[0],
        float(asked.decoys),
    )


def list_released_classes(plan: Plan) -> Sequences:
    """List the classes of a release as a recipient sees them, without that of the blank rows."""
    frequency = plan.frequency
    tuples = plan.recoding.visible(frequency, plan.requirement)
    shown = [tuples.shown(frequency, place) for place in range(len(frequency.hierarchies))]
    codes = np.array([codes for _, codes in shown], dtype=np.int32)
    _, first, counts = group_equal(codes, [len(labels) for labels, _ in shown], tuples.counts)
    classes = Sequences(tuple(labels for labels, _ in shown), codes[:, first], counts)
    blank = plan.blank and bool(plan.recoding.suppressed.any())
    return leave_out_blank(classes, frequency.hierarchies[0].suppressed) if blank else classes


def leave_out_blank(classes: Sequences, suppressed: str) -> Sequences:
    """Return classes without the one whose every value is suppressed, which blank rows are in."""
    hidden = [
        np.array([label == suppressed for label in labels])[codes]
        for labels, codes in zip(classes.values, classes.codes, strict=True)
    ]
    kept = ~np.array(hidden).all(axis=0)
    return Sequences(classes.values, classes.codes[:, kept], classes.counts[kept])


def refuse_unmeasured(specification: Specification, *, follows: bool) -> None:
    """Refuse decoys or a greatest exposure where they cannot be honoured, before the search."""
    asked = specification.release
    named = {"decoys": bool(asked.decoys), "max_exposure": asked.max_exposure is not None}
    fields = [name for name, is_asked in named.items() if is_asked]
    if fields and follows and asked.policy == BASED_ON:
        raise InvalidInput(
            f"{fields[0]}: a release that is based on earlier ones keeps their classes as they "
            f'are; leave {fields[0]} out, or set policy = "check-only"'
        )
    takes = TAKES[asked.method]
    if asked.max_exposure is not None and takes.cells and not takes.decoys:
        raise InvalidInput(f"max_exposure: {explain_undefined(asked.method)}")


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


def explain_undefined(method: str) -> str:
    """Explain why the exposure of a cell-level method is not defined."""
    return (
        f"exposure is not defined for method {method}, whose classes are not the joins of their "
        f"rows; it is for {' and '.join(methods_taking('decoys'))}, and 0 at the attribute level"
    )
