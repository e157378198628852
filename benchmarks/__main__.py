"""Run every benchmark, or those named: ``python -m benchmarks counting lattice``."""

import sys

from benchmarks import (
    adult,
    argus,
    as_is,
    attacks,
    cell_phases,
    cells,
    counting,
    diversity,
    explore,
    exposure,
    figures,
    growth,
    lattice,
    levels,
    linking,
    persons,
    records,
    register,
    releasing,
    scale,
    secrecy,
    sequences,
    spark,
    start,
    studio,
    truth,
    uniqueness,
    year,
)

BENCHMARKS = {
    "counting": counting.run,
    "start": start.run,
    "adult": adult.run,
    "scale": scale.run,
    "sequences": sequences.run,
    "spark": spark.run,
    "lattice": lattice.run,
    "levels": levels.run,
    "register": register.run,
    "argus": argus.run,
    "truth": truth.run,
    "cells": cells.run,
    "cell_phases": cell_phases.run,
    "explore": explore.run,
    "diversity": diversity.run,
    "persons": persons.run,
    "records": records.run,
    "growth": growth.run,
    "linking": linking.run,
    "uniqueness": uniqueness.run,
    "as-is": as_is.run,
    "exposure": exposure.run,
    "releasing": releasing.run,
    "attacks": attacks.run,
    "year": year.run,
    "secrecy": secrecy.run,
    "studio": studio.run,
    "figures": figures.run,
}


def main() -> None:
    """Run the benchmarks that are named, or all."""
    if not {*sys.argv[1:]} <= BENCHMARKS.keys():
        raise SystemExit(
            f"these benchmarks can be named: {', '.join(BENCHMARKS)}; the README's figures are "
            "written by python -m benchmarks.figures [NAME…] --write"
        )
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"== {name}: {BENCHMARKS[name].__doc__}")
        BENCHMARKS[name]()
        print()


if __name__ == "__main__":
    main()
