"""Plant faults in a copy of the package, one at a time: the tests must see each of them.

Run ``python -m tests.mutants`` for all faults, or with words that their names contain for some.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .mutant import ROOT, SOURCE, Mutant
from .planted_faults import MUTANTS


def plant_all(chosen: list[Mutant]) -> list[Mutant]:
    """Plant faults one at a time; return those that no test saw."""
    survivors = []
    for mutant in chosen:
        seen = _is_seen(mutant)
        print(f"{'seen    ' if seen else 'SURVIVED'}  {mutant.name}", flush=True)
        if not seen:
            survivors.append(mutant)
    return survivors


def _is_seen(mutant: Mutant) -> bool:
    """Tell whether the tests of a fault fail on a copy of the package that has it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src" / "lookalike"
        shutil.copytree(SOURCE, copy)
        mutant.plant(copy)
        path = os.pathsep.join([str(copy.parent), os.environ.get("PYTHONPATH", "")])
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        run = subprocess.run(
            [*command, *mutant.tests],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            check=False,
        )
    if run.returncode not in (0, 1):
        sys.exit(f"{mutant.name}: the tests did not run\n{run.stdout.decode()[-2000:]}")
    return run.returncode == 1


def main(words: list[str]) -> None:
    """Plant the faults whose names contain all words; fail if one survives."""
    chosen = [mutant for mutant in MUTANTS if all(word in mutant.name for word in words)]
    survivors = plant_all(chosen)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} faults are seen")
    sys.exit(1 if survivors or not chosen else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
