"""Exposure: its time on Adult, its figures by k and method, and what decoys cost."""

import time
from pathlib import Path

import lookalike as la
from lookalike.describe.exposure import list_released_classes
from lookalike.flow.release import prepare
from lookalike.flow.result import Release
from lookalike.risk.table.exposure import measure_exposure

ADULT = Path(la.__file__).parent / "shell" / "data" / "adult" / "adult.toml"
METHODS = (
    ("quick", {"method": "mingen-cells", "effort": "quick"}),
    ("standard", {"method": "mingen-cells", "effort": "standard"}),
    ("k-similar", {"method": "k-similar"}),
)
RATES = (0.01, 0.02, 0.03)
TIMES = 5


def run() -> None:
    """Adult, nine attributes: exposure and its seconds, and the precision that decoys cost."""
    print("method      k  precision  certain   mean     greatest  bits   seconds  plain loop")
    for name, fields in METHODS:
        for k in (2, 5, 10) if name == "quick" else (5,):
            made = prepare(la.Specification.load(ADULT, {"k": k, **fields}))
            _report(name, k, made)
    for rate in RATES:
        asked = {"k": 5, "decoys": rate, **METHODS[0][1]}
        made = prepare(la.Specification.load(ADULT, asked))
        found, before = made.exposure, made.precision_before_decoys
        assert found is not None
        print(
            f"decoys {rate}: precision {before:.4f} to {made.measures.precision:.4f}, "
            f"{before - made.measures.precision:.4f} less; exposure {found.greatest_gain:.4f}"
        )


def _report(name: str, k: int, made: Release) -> None:
    """Time the exposure of a release, and a plain loop over classes and attributes."""
    plan, asked = made.plan, made.specification
    lattice = asked.options().lattice_of(plan.frequency)[0]
    taken = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        found = measure_exposure(
            list_released_classes(plan), plan.frequency, asked.hierarchies(), lattice
        )
        taken.append(time.perf_counter() - begin)
    begin = time.perf_counter()
    mean, greatest = _loop_over_classes(made)
    plain = time.perf_counter() - begin
    assert abs(found.greatest_gain - greatest) + abs(found.mean_gain - mean) < 1e-9
    print(
        f"{name:<10} {k:>2}     {made.measures.precision:.4f}   {found.certain_share:.3f}  "
        f"{found.mean_gain:.4f}     {found.greatest_gain:.4f}  {found.bits:.2f}     "
        f"{min(taken):.3f}  {plain:.2f} s, {plain / min(taken):.0f} ×"
    )


def _loop_over_classes(made: Release) -> tuple[float, float]:
    """Return the mean and the greatest gain by Theorem 2, class by class and child by child."""
    frequency, classes = made.plan.frequency, list_released_classes(made.plan)
    rows: list[dict[tuple[str | None, str | None], int]] = []
    for place, hierarchy in enumerate(frequency.hierarchies):
        below: dict[tuple[str | None, str | None], int] = {}
        for level in range(1, hierarchy.height + 1):
            counts = frequency.code_rows(place, level - 1).tolist()
            for child, parent in enumerate(hierarchy.lift(level - 1, level).tolist()):
                key = hierarchy.labels[level][parent], hierarchy.labels[level - 1][child]
                below[key] = counts[child]
        rows.append(below)
    total, cells, greatest = 0.0, 0, 0.0
    for number, size in enumerate(classes.counts.tolist()):
        for place, labels in enumerate(classes.values):
            label = labels[classes.codes[place, number]]
            children = [n for (above, _), n in rows[place].items() if above == label]
            if children:
                shares = [n / sum(children) for n in children]
                differ = 1 - sum(q**size for q in shares)
                gain = max(q * (1 - q ** (size - 1)) / differ - q for q in shares)
                total, cells, greatest = total + size * gain, cells + size, max(greatest, gain)
    return total / cells, greatest
