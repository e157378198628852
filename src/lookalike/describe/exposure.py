"""Describe what the classes of a release show beyond their values."""

import numpy as np

from lookalike.kernels.grouping import group_equal
from lookalike.risk.table.exposure import Exposure, measure_exposure
from lookalike.risk.table.sequences import Sequences
from lookalike.search.methods import TAKES
from lookalike.search.takes import methods_taking
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


def explain_undefined(method: str) -> str:
    """Explain why the exposure of a cell-level method is not defined."""
    return (
        f"exposure is not defined for method {method}, whose classes are not the joins of their "
        f"rows; it is for {' and '.join(methods_taking('decoys'))}, and 0 at the attribute level"
    )
