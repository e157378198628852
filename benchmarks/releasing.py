"""Releases based on those before: how many rows are still shown, and how long it takes."""

import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import numpy.typing as npt

import lookalike
from lookalike.flow.release import prepare
from lookalike.kernels.types import Digests, Flags
from lookalike.ledger.policies.based_on import NextFate, NextRelease, finish_plan, plan_next
from lookalike.ledger.policies.history import History, RowMap, build_history
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.model.frequency import FrequencyList
from lookalike.model.requirement import Requirement
from lookalike.search.methods import mingen
from lookalike.spec.specification import Specification

K = 5
RELEASES = 12
LEAVING = 0.001
Classes = npt.NDArray[np.int64]
Follow = Callable[[list[Classes], Flags], Classes]


def run() -> None:
    """Adult, mingen, k = 5, 12 more releases with 0.1 % of the rows leaving before each."""
    data = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    frequency = prepare(
        Specification.load(data / "adult.toml", {"method": "datafly"})
    ).plan.frequency
    for limit in (Decimal("0.0"), Decimal("0.01"), Decimal("0.05")):
        classes = _classes(frequency, limit)
        first = np.count_nonzero(classes != ABSENT)
        print(f"MaxSup {limit:.0%}: {first:,} rows shown at first")
        for name, follow in (("with companions", _companions), ("withdrawn whole", _whole)):
            shown = _repeat(classes, follow)
            print(f"  {name}: {shown[0]:,} in the next release, {shown[-1]:,} in the last")
    _time_large()


def _classes(frequency: FrequencyList, limit: Decimal) -> Classes:
    """Return the class of every row at the optimum, or that it is left out."""
    recoding = mingen(frequency, Requirement(K, limit))
    assert recoding.vector is not None
    class_of, classes = frequency.classify(recoding.vector)
    of_row = np.repeat(class_of, frequency.counts)
    return np.where(classes.counts[of_row] >= K, of_row, ABSENT).astype(np.int64)


def _repeat(classes: Classes, follow: Follow) -> list[int]:
    """Release again and again, and return how many rows each release shows."""
    generator = np.random.default_rng(7)
    present = np.ones(len(classes), dtype=np.bool_)
    releases, shown = [classes], []
    for _ in range(RELEASES):
        present = present & (generator.random(len(classes)) >= LEAVING)
        releases.append(follow(releases, present))
        shown.append(int(np.count_nonzero(releases[-1] != ABSENT)))
    return shown


def _companions(releases: list[Classes], present: Flags) -> Classes:
    """Follow the rule of the policy based-on: others wait with those that leave."""
    keys = np.arange(len(present), dtype=np.int64)
    same = np.zeros_like(keys)
    history = build_history(
        [RowMap(str(n), keys, each, same, {}) for n, each in enumerate(releases)]
    )
    kept = np.zeros_like(present)
    kept[present] = _plan(history, keys[present]).fate == NextFate.KEEPS
    return np.where(kept, releases[-1], ABSENT)


def _plan(history: History, keys: Digests) -> NextRelease:
    """Plan a release in which no row joins and none changes."""
    no = np.zeros((1, len(keys)), dtype=np.bool_)
    plan = plan_next(history, keys, moved=no[0], changed=no, k=K)
    return finish_plan(plan, np.full(len(keys), ABSENT, dtype=np.int64))


def _whole(releases: list[Classes], present: Flags) -> Classes:
    """Withdraw every class that 1 … k - 1 rows leave, or in which 1 … k - 1 stay."""
    last = releases[-1]
    number = int(last.max()) + 1
    left = np.bincount(last[~present & (last != ABSENT)], minlength=number)
    stay = np.bincount(last[present & (last != ABSENT)], minlength=number)
    broken = ((left > 0) & (left < K)) | ((stay > 0) & (stay < K))
    return np.where(present & (last != ABSENT) & ~broken[last], last, ABSENT)


def _time_large() -> None:
    """Tell how long it takes to plan after ten releases of a million rows."""
    generator = np.random.default_rng(1)
    keys = generator.integers(0, 2**63, (1_000_000, 2)).view("V16").ravel()
    classes = generator.integers(0, 30_000, len(keys))
    releases = []
    for number in range(10):
        classes = np.where(generator.random(len(keys)) < LEAVING, ABSENT, classes)
        order = generator.permutation(len(keys))
        mixed = keys[order]
        releases.append(RowMap(str(number), mixed, classes[order], mixed, {"ill": mixed}))
    begin = time.perf_counter()
    history = build_history(releases)
    remembered = time.perf_counter()
    _plan(history, keys)
    planned = time.perf_counter()
    print(
        f"10 releases of 1,000,000 rows: {remembered - begin:.1f} s to put together, "
        f"{planned - remembered:.1f} s to plan the next"
    )
