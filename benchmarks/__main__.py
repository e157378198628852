"""Run every benchmark, or those named: ``python -m benchmarks counting adult scale``."""

import sys

from benchmarks import adult, counting, scale

BENCHMARKS = {"counting": counting.run, "adult": adult.run, "scale": scale.run}


def main() -> None:
    """Run the benchmarks that are named, or all."""
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"== {name}: {BENCHMARKS[name].__doc__}")
        BENCHMARKS[name]()
        print()


if __name__ == "__main__":
    main()
