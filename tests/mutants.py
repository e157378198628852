"""Plant faults in a copy of the package, one at a time: the tests must see each of them.

Run ``python -m tests.mutants`` for all faults, with words that their names contain for some, or
with ``--some`` for a handful of quick ones that the last commit chooses (``--some COMMIT`` repeats
the choice of another commit).
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .mutant import ROOT, SOURCE, Mutant
from .planted_faults import MUTANTS

SOME = "--some"
HANDFUL = 6
"""How many faults a commit chooses."""
LONGEST_SECONDS = 600
"""A fault may keep a loop from ending. Without a fault, the tests of a room take about a minute."""
CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE)


def plant_all(chosen: Sequence[Mutant]) -> list[Mutant]:
    """Plant faults, each in a copy of its own; return those that no test saw."""
    survivors = []
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for mutant, seen in zip(chosen, workers.map(_is_seen, chosen), strict=True):
            print(f"{'seen    ' if seen else 'SURVIVED'}  {mutant.name}", flush=True)
            if not seen:
                survivors.append(mutant)
    return survivors


def _is_seen(mutant: Mutant) -> bool:
    """Tell whether the tests of a fault fail on a copy of the package that has it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src" / "lookalike"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        mutant.plant(copy)
        path = os.pathsep.join([str(copy.parent), os.environ.get("PYTHONPATH", "")])
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        try:
            run = subprocess.run(
                [*command, *mutant.tests],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": path},
                capture_output=True,
                check=False,
                timeout=LONGEST_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return True
    # A fault in a compiled loop may write beyond an array, which ends the process.
    if -run.returncode in CRASHES:
        return True
    if run.returncode not in (0, 1):
        sys.exit(f"{mutant.name}: the tests did not run\n{run.stdout.decode()[-2000:]}")
    return run.returncode == 1


def choose_some(commit: str) -> list[Mutant]:
    """Choose a handful of quick faults, others for each commit."""
    quick = [mutant for mutant in MUTANTS if mutant.is_quick]
    return sorted(quick, key=lambda mutant: _digest(f"{commit} {mutant.name}"))[:HANDFUL]


def _digest(text: str) -> str:
    """Return a number that looks drawn at random, as text."""
    return hashlib.sha256(text.encode()).hexdigest()


def _read_commit() -> str:
    """Return the last commit."""
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def main(words: list[str]) -> None:
    """Plant the faults that are asked for; fail if one survives."""
    if words[:1] == [SOME]:
        commit = (words[1:] or [_read_commit().strip()])[0]
        print(f"faults of commit {commit}; repeat with: python -m tests.mutants {SOME} {commit}")
        chosen = choose_some(commit)
    else:
        chosen = [mutant for mutant in MUTANTS if all(word in mutant.name for word in words)]
    survivors = plant_all(chosen)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} faults are seen")
    sys.exit(1 if survivors or not chosen else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
