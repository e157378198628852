"""Exploration: the usual grid on one count with shared work, against a release for each point."""

import time
from pathlib import Path

import lookalike
from lookalike.describe.frontier import with_setting
from lookalike.flow.explore.exploration import Grid
from lookalike.flow.explore.explore import explore_specification
from lookalike.flow.release import prepare
from lookalike.spec.specification import Specification

METHODS = ("mingen-cells", "mingen", "samarati", "datafly")


def run() -> None:
    """Adult, 9 attributes: the usual grid of 112 points, CPU seconds; then each point alone."""
    data = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    specification = Specification.load(data / "adult.toml")
    explore_specification(specification, Grid(ks=(5,), limits=(0,)))
    begin = time.process_time()
    found = explore_specification(specification, Grid())
    grid = time.process_time() - begin
    print(f"{len(found.points)} points on one count, with weights: {grid:6.1f} s of the processor")
    total = 0.0
    for method in METHODS:
        settings = [point.setting for point in found.points if point.setting.method == method]
        begin = time.process_time()
        for setting in settings:
            prepare(with_setting(specification, setting))
        alone = time.process_time() - begin
        total += alone
        print(f"  {len(settings)} releases by {method:<12} decided alone: {alone:6.1f} s")
    print(f"all releases decided alone: {total:6.1f} s, {total / grid:.1f} times the grid")
