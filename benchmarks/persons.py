"""What it costs that k counts persons: a million visits of 400,000 patients."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from lookalike.flow.make_release import make_release
from lookalike.spec.specification import Specification

ROWS, PATIENTS = 1_000_000, 400_000
METHODS = ("datafly", "mingen")
SHOWN = ("read", "count", "search", "preflight", "recode", "verify")
ATTRIBUTES = {
    "patient_no": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20]}},
    "ill": {"role": "sensitive"},
}


def run() -> None:
    """Releases of a million visits, k = 5, MaxSup 1 %, with and without ``person``; wall time."""
    with TemporaryDirectory() as folder:
        for kind, table in (("text", draw_visits("p")), ("integers", draw_visits(None))):
            file = Path(folder) / f"{kind}.parquet"
            pa.parquet.write_table(table, file)
            for method in METHODS:
                rows = _release(file, method, None, None)
                _release(file, method, kind, rows)


def draw_visits(prefix: str | None) -> pa.Table:
    """Draw visits of patients, whose ZIP code, sex and age stay the same.

    Parameters
    ----------
    prefix
        What the text of a patient number begins with; None for integers.
    """
    random = np.random.default_rng(0)
    patient = random.integers(0, PATIENTS, ROWS)
    codes = np.array([f"{number:05}" for number in range(2000, 3000)])
    numbers = patient if prefix is None else np.char.add(prefix, patient.astype(str))
    return pa.table(
        {
            "patient_no": pa.array(numbers),
            "zip": pa.array(codes[random.zipf(1.3, PATIENTS) % len(codes)][patient]),
            "sex": pa.array(random.choice(["m", "f"], PATIENTS)[patient]),
            "age": pa.array(random.integers(18, 95, PATIENTS)[patient]),
            "ill": pa.array(random.choice(["flu", "gout", "pox"], ROWS)),
        }
    )


def _release(file: Path, method: str, kind: str | None, rows: float | None) -> float:
    """Print the time of a release, and its ratio to the one that counts rows.

    Parameters
    ----------
    file
        The visits.
    method
        The method.
    kind
        The type of the person column; None to count rows.
    rows
        The seconds of the release that counts rows.
    """
    asked: dict[str, object] = {"k": 5, "max_suppressed": 0.01, "method": method}
    asked["accept"] = ["repeated-persons"]
    source = {"path": str(file), **({} if kind is None else {"person": "patient_no"})}
    specification = Specification.build(
        {"source": source, "attributes": ATTRIBUTES, "release": asked}
    )
    with TemporaryDirectory() as folder:
        release = make_release(_aim(specification, folder)).release
    spent = release.stopwatch.seconds
    steps = ", ".join(f"{step} {spent[step]:.2f}" for step in SHOWN)
    total = sum(spent[step] for step in SHOWN)
    print(
        f"{method:>8}, k counts {'rows' if kind is None else f'persons ({kind})':<18}: "
        f"{total:5.2f} s ({steps}), Prec {release.measures.precision:.4f}"
        + ("" if rows is None else f", {total / rows:.1f} × rows")
    )
    return total


def _aim(specification: Specification, folder: str) -> Specification:
    """Return a specification with a place for its release."""
    out = str(Path(folder) / "released" / "visits.parquet")
    return specification.model_copy(
        update={"release": specification.release.model_copy(update={"out": out})}
    )


if __name__ == "__main__":
    run()
