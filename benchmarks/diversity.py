"""The proven optimum with protections of sensitive values, against the search for k alone."""

import time
import tomllib
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

import lookalike
from lookalike.flow.source import read_and_count
from lookalike.model.progress import Stopwatch
from lookalike.search.methods import mingen, samarati
from lookalike.search.methods.samarati import list_minimal
from lookalike.spec.specification import Specification

ASKED: dict[str, dict[str, dict[str, object]]] = {
    "salary-class": {
        "distinct 2": {"distinct": 2},
        "entropy 1.5": {"entropy": 1.5},
        "t = 0.2": {"closeness": {"t": 0.2}},
        "share 0.9": {"share": 0.9},
    },
    "occupation": {
        "distinct 2": {"distinct": 2},
        "distinct 5": {"distinct": 5},
        "entropy 2": {"entropy": 2},
        "recursive (3, 2)": {"recursive": {"c": 3, "l": 2}},
        "t = 0.2": {"closeness": {"t": 0.2}},
        "t = 0.2 by tree": {"closeness": {"t": 0.2, "distance": "hierarchy"}},
        "likeness 2": {"likeness": {"beta": 2}},
        "disclosure 2": {"disclosure": {"delta": 2}},
        "share 0.5": {"share": 0.5},
    },
    "age": {
        "t = 0.2 by order": {"closeness": {"t": 0.2, "distance": "ordered"}},
        "t = 0.1 by order": {"closeness": {"t": 0.1, "distance": "ordered"}},
    },
}
"""The sensitive columns and their protections. Two salary classes cannot have an entropy l of 2:
the whole table has 1.75."""
ARX = {"t = 0.2 by tree": 0.99, "likeness 2": 0.97}
"""Seconds of the search of ARX's own library, recorded on two calm cores for Adult with
hierarchical t-closeness and β-likeness; its parameters may differ from ours."""


def run() -> None:
    """MinGen on Adult with eight attributes, k = 5, MaxSup 5 %, secrecy = "search"; CPU time."""
    for sensitive, protections in ASKED.items():
        alone = search(sensitive, None, "k alone", None)
        for name, protect in protections.items():
            search(sensitive, protect, name, alone)


def search(
    sensitive: str, protect: Mapping[str, object] | None, name: str, alone: float | None
) -> float:
    """Print the answer and the time of one search, and its ratio to the search for k alone."""
    specification = _specify(sensitive, protect)
    frequency = read_and_count(specification, Stopwatch()).frequency
    requirement = specification.requirement(frequency.rows)
    found = mingen(frequency, requirement)
    seconds = _best_time(lambda: mingen(frequency, requirement), 5)
    lowest = _best_time(lambda: samarati(frequency, requirement), 2)
    minimal = _best_time(lambda: list_minimal(frequency, requirement), 1)
    known = found.optimality
    if known is None or not known.proved:
        raise SystemExit(f"{sensitive}, {name}: the optimum was not proved")
    print(
        f"{sensitive:>12}, {name:<16}: Prec {known.reached:.4f}, {found.rows_suppressed:,} "
        f"suppressed, {1000 * seconds:.0f} ms for {known.evaluated:,} vectors, "
        f"{1000 * seconds / known.evaluated:.2f} ms each"
        + ("" if alone is None else f", {seconds / alone:.1f} × k alone")
        + (f", ARX (recorded) {ARX[name] / seconds:.1f} × as long" if name in ARX else "")
        + f"; least height {1000 * lowest:.0f} ms, all minimal vectors {minimal:.2f} s"
    )
    return seconds


def _specify(sensitive: str, protect: Mapping[str, object] | None) -> Specification:
    """Return the specification of Adult with one sensitive column."""
    folder = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    fields = tomllib.loads((folder / "adult.toml").read_text(), parse_float=Decimal)
    column = fields["attributes"][sensitive] | {"role": "sensitive"}
    if protect is None or "hierarchy" not in str(protect):
        del column["hierarchy"]
    fields["attributes"][sensitive] = column | ({} if protect is None else {"protect": protect})
    fields["release"] |= {"max_suppressed": 0.05, "method": "mingen", "secrecy": "search"}
    return Specification.build(fields).located(folder)


def _best_time(function: Callable[[], object], repeats: int) -> float:
    """Return the least CPU time of several calls."""
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        function()
        seconds.append(time.process_time() - begin)
    return min(seconds)
