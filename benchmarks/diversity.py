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
        "share 0.5": {"share": 0.5},
    },
}
"""The sensitive columns and their protections. Two salary classes cannot have an entropy l of 2:
the whole table has 1.75."""


def run() -> None:
    """MinGen on Adult with eight attributes, k = 5, MaxSup 5 %, secrecy = "search"; CPU time."""
    for sensitive, protections in ASKED.items():
        alone = _search(sensitive, None, "k alone", None)
        for name, protect in protections.items():
            _search(sensitive, protect, name, alone)


def _search(
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
        f"suppressed, {known.evaluated:,} vectors, {1000 * seconds:.0f} ms"
        + ("" if alone is None else f", {seconds / alone:.1f} × k alone")
        + f"; least height {1000 * lowest:.0f} ms, all minimal vectors {minimal:.2f} s"
    )
    return seconds


def _specify(sensitive: str, protect: Mapping[str, object] | None) -> Specification:
    """Return the specification of Adult with one sensitive column."""
    folder = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    fields = tomllib.loads((folder / "adult.toml").read_text(), parse_float=Decimal)
    fields["attributes"][sensitive] = {"role": "sensitive"}
    if protect is not None:
        fields["attributes"][sensitive]["protect"] = dict(protect)
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
