"""MinGen at the cell level: how close to the bound, in what time, and how both grow."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as parquet

import lookalike
from benchmarks.process import run_cold

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
SEED = 20020501
SMALL = ((2, 400), (3, 100), (5, 60))
"""k and rows of samples of Adult that are solved exactly."""
LARGE = (
    (301_620, 0.1, False, 45),
    (1_000_000, 0.1, False, 200),
    (1_000_000, 0.33, True, 200),
)
"""Tables made of Adult: rows, share of the cells drawn anew, whether evenly, and the time limit."""


def run() -> None:
    """Adult by effort and k; larger tables made of it; growth by rows, attributes and k."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "adult"
        copytree(ADULT, place)
        run_cold("release", _specify(place, k=2), "--replace")
        print(f"{'':52}  {'k':>3}  {'Prec':>7}  {'bound':>7}  {'gap':>7}  search    all     peak")
        _measure_adult(place)
        _measure_small(place)
        _measure_large(place)
        _measure_growth(place)


def _measure_adult(place: Path) -> None:
    """Adult itself."""
    for k in (2, 5, 10):
        for effort in ("quick", "standard"):
            _measure(f"Adult, {effort}", place, k=k, effort=effort)


def _measure_small(place: Path) -> None:
    """Samples, solved to the end."""
    adult = read_adult()
    for k, rows in SMALL:
        for seed in range(3):
            drawn = np.random.default_rng(seed).choice(len(adult), rows, replace=False)
            parquet.write_table(adult.take(pa.array(drawn)), place / "sample.parquet")
            name = f"{rows} rows of Adult, sample {seed + 1}, exact"
            _measure(name, place, table="sample.parquet", k=k, effort="exact")


def _measure_large(place: Path) -> None:
    """Many rows."""
    for rows, share, evenly, limit in LARGE:
        table = replicate(rows, share, evenly=evenly)
        parquet.write_table(table, place / "large.parquet")
        distinct = table.group_by(table.column_names).aggregate([]).num_rows
        name = f"{rows:,} rows, {distinct:,} distinct, limit {limit} s"
        _measure(name, place, table="large.parquet", k=5, limit=limit)


def _measure_growth(place: Path) -> None:
    """One thing at a time grows."""
    for rows in (7_500, 15_000, 30_000, 60_000):
        parquet.write_table(replicate(rows, 0.1), place / "some.parquet")
        _measure(f"{rows:,} rows", place, table="some.parquet", k=5)
    names = read_adult().column_names
    for number in (3, 5, 7, 9):
        left_out = names[number:]
        _measure(f"{number} attributes", place, k=5, left_out=left_out)
    for k in (3, 20, 50):
        _measure("Adult, standard", place, k=k)


def _measure(
    name: str,
    place: Path,
    *,
    k: int,
    table: str = "adult.csv",
    effort: str = "standard",
    limit: int = 600,
    left_out: Sequence[str] = (),
) -> None:
    """Release a table and print what came of it."""
    specification = _specify(place, k=k, table=table, effort=effort, left_out=left_out)
    taken = run_cold("release", specification, "--replace", "--time-limit", str(limit))
    answer = taken.answer
    reached, bound = answer["precision"], answer["precision_bound"]
    proved = "  proved" if answer["optimal"] else ""
    print(
        f"{name:52}  {k:3}  {reached:7.5f}  {bound:7.5f}  {bound - reached:7.5f}  "
        f"{answer['seconds']['search']:4.0f} s  {taken.seconds:4.0f} s  "
        f"{taken.megabytes:5.0f} MB{proved}",
        flush=True,
    )


def _specify(
    place: Path,
    *,
    k: int,
    table: str = "adult.csv",
    effort: str = "standard",
    left_out: Sequence[str] = (),
) -> str:
    """Write a specification beside Adult's own."""
    text = (ADULT / "adult.toml").read_text()
    text = text.replace('path = "adult.csv"', f'path = "{table}"')
    text = text.replace("k = 5", f'k = {k}\nmethod = "mingen-cells"\neffort = "{effort}"')
    for name in left_out:
        quasi = f'[attributes.{name}]\nrole = "quasi-identifier"\nhierarchy = '
        assert quasi in text
        text = text.replace(quasi, f'[attributes.{name}]\nrole = "identifier"\n# ')
    specification = place / "cells.toml"
    specification.write_text(text)
    return str(specification)


def read_adult() -> pa.Table:
    """Read Adult as text."""
    names = csv.read_csv(ADULT / "adult.csv", parse_options=csv.ParseOptions(delimiter=";"))
    types = dict.fromkeys(names.column_names, pa.string())
    return names.cast(pa.schema(types.items()))


def replicate(rows: int, share: float, *, evenly: bool = False) -> pa.Table:
    """Repeat Adult, and draw some of the cells anew.

    Parameters
    ----------
    rows
        How many rows to make.
    share
        The share of the cells that are drawn.
    evenly
        Whether every value of a column is drawn equally often, not as often as it occurs.
    """
    adult = read_adult()
    draw = np.random.default_rng(SEED)
    source = np.arange(rows) % len(adult)
    columns = {}
    for name in adult.column_names:
        encoded = adult[name].combine_chunks().dictionary_encode()
        codes = encoded.indices.to_numpy()
        among = np.arange(len(encoded.dictionary)) if evenly else codes
        drawn = among[draw.integers(0, len(among), rows)]
        kept = np.where(draw.random(rows) < share, drawn, codes[source])
        columns[name] = encoded.dictionary.take(pa.array(kept))
    return pa.table(columns)
