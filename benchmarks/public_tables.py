"""Public tables, drafted by ``init --yes`` and released as drafted: what is kept and learned.

The tables are those of a folder; nothing is fetched. Each is drafted and released in a process of
its own. ``python -P benchmarks/public_tables.py FOLDER`` tries the lookalike that is imported, so
that with another ``PYTHONPATH`` the same script measures an older one. ``--protections`` measures
the same drafts with other protections of their sensitive columns.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import lookalike as la
from lookalike.describe.utility.models import try_models
from lookalike.describe.utility.trial import ModelTrial
from lookalike.flow.utility import align_release
from lookalike.model.frequency import FrequencyList
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples

TARGETS = {
    "hospital": "diagnosis",
    "adult": "salary-class",
    "nonvoters": "voter_category",
    "masculinity": "q0001",
    "thanksgiving": "Do you celebrate Thanksgiving?",
    "police_killings": "cause",
    "comma-survey": "In your opinion",
    "flying-etiquette": "Do you ever recline",
    "weather-check": "Do you typically check",
    "Chile": "vote",
    "flchain": "death",
    "birthwt": "low",
    "RetSchool": "col4",
    "Fair": "nbaffairs",
    "colon": "status",
}
"""What models predict, by the name of the table: the first column whose name begins so."""
REPEATS = 3
"""The splits into training and test rows over which accuracies are averaged."""
PROTECTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "none": ({}, "search"),
    "distinct = 2": ({"distinct": 2}, "search"),
    "share = 0.9": ({"share": 0.9}, "search"),
    "share = 0.8": ({"share": 0.8}, "search"),
    "closeness = 0.4": ({"closeness": {"t": 0.4, "distance": "equal"}}, "search"),
    "share = 0.8, lottery": ({"share": 0.8}, "lottery"),
}
MOST_VALUES = 20
"""A sensitive column with more values is not protected here."""


def draft(table: Path) -> la.Specification:
    """Write the specification that ``init --yes`` writes, and read it."""
    written = Path(tempfile.mkdtemp()) / f"{table.stem}.toml"
    la.draft(table).decide().write(written)
    return la.Specification.load(written)


def try_table(table: Path) -> dict[str, Any]:
    """Draft a table and release it: seconds, what is kept, and what a model learns."""
    begin = time.process_time()
    specification = draft(table)
    drafted = time.process_time()
    release = la.release(spec=specification)
    searched = time.process_time()
    roles = {name: one.role for name, one in release.specification.attributes.items()}
    return {
        "rows": release.plan.frequency.rows,
        "columns": len(roles),
        "seconds": [drafted - begin, searched - drafted],
        "rows_out": release.plan.rows_out,
        "precision": release.measures.precision,
        "kept": kept(release),
        "roles": roles,
        "stops": [one.name for one in release.preflight if one.severity == "error"],
        "learned": learn(release, TARGETS.get(table.stem)),
    }


def kept(release: la.Release) -> dict[str, float]:
    """Return 1 - loss of the known values of each quasi-identifier, by any version alike."""
    frequency, recoding = release.plan.frequency, release.recoding
    assert isinstance(frequency, FrequencyList)
    tuples = recoding.tuples
    places = range(len(frequency.attributes))
    return {frequency.attributes[one]: _kept(frequency, tuples, one) for one in places}


def _kept(frequency: FrequencyList, tuples: Tuples, attribute: int) -> float:
    """Return what is kept of an attribute: cells by the leaves under their labels."""
    bound, codes = frequency.hierarchies[attribute], frequency.codes[attribute]
    known = np.array([label is not None for label in bound.labels[0]], dtype=np.int64)
    rows = int(frequency.counts @ known[codes])
    most = max(int(bound.leaves[-1].sum()) - 1, 1)
    total = 0.0
    for level in set(tuples.levels[attribute].tolist()) - {SUPPRESSED_CELL}:
        here = np.flatnonzero(tuples.levels[attribute] == level)
        ground = codes[tuples.sequence[here]]
        code = bound.levels[level][ground]
        share = np.where(bound.hidden[level], 0, 1 - (bound.leaves[level] - 1) / most)[code]
        total += float((share * known[ground]) @ tuples.counts[here])
    return total / rows if rows else 1.0


def learn(release: la.Release, prefix: str | None) -> dict[str, Any] | str:
    """Return the accuracy of models that predict the target, or why none does."""
    released = [
        name
        for name, one in release.specification.attributes.items()
        if one.role in ("quasi-identifier", "sensitive", "other")
    ]
    target = next((name for name in released if prefix and name.startswith(prefix)), None)
    if target is None:
        return "the target is not released"
    try:
        models = try_models(align_release(release), ModelTrial(target, repeats=REPEATS))
    except la.InvalidInput as refused:
        return str(refused)
    scores = [(one.training, one.model, one.accuracy, one.auc) for one in models.scores]
    return {"target": target, "scores": scores}


def try_protections(table: Path) -> dict[str, Any]:
    """Release the draft of a table with each protection of its sensitive columns."""
    specification = draft(table)
    few = _list_few(specification)
    return {
        "columns": few,
        "tried": {name: _protect(specification, few, *one) for name, one in PROTECTIONS.items()},
    }


def _list_few(specification: la.Specification) -> list[str]:
    """Return the sensitive columns with few values."""
    plain = pa.table(la.release(spec=_with(specification, [], {}, "search")).table).to_pydict()
    sensitive = [n for n, one in specification.attributes.items() if one.role == "sensitive"]
    return [
        name
        for name in sensitive
        if name in plain and 2 <= len(set(plain[name]) - {None}) <= MOST_VALUES
    ]


def _with(
    specification: la.Specification, columns: list[str], protect: dict[str, Any], secrecy: str
) -> la.Specification:
    """Return a specification whose sensitive columns have another protection."""
    fields = specification.model_dump(exclude_unset=True)
    for name, one in fields["attributes"].items():
        one.pop("protect", None)
        if name in columns and protect:
            one["protect"] = protect
    fields["release"].pop("secrecy", None)
    if columns and protect:
        fields["release"]["secrecy"] = secrecy
    return la.Specification.build(fields)


def _protect(
    specification: la.Specification, columns: list[str], protect: dict[str, Any], secrecy: str
) -> dict[str, Any] | str:
    """Return what one protection leaves, and the largest share of a value in any class."""
    begin = time.process_time()
    try:
        release = la.release(spec=_with(specification, columns, protect, secrecy))
        rows = pa.table(release.table).to_pydict()
    except la.LookalikeError as refused:
        return f"{type(refused).__name__}: {refused}"[:200]
    shares = kept(release)
    found = list(_find_shares(rows, list(shares), columns))
    return {
        "kept": sum(shares.values()) / len(shares),
        "precision": release.measures.precision,
        "rows_out": release.plan.rows_out,
        "largest": max(one for one, _ in found) if found else None,
        "alike": sum(n for one, n in found if one == 1) / max(sum(n for _, n in found), 1),
        "nearly": sum(n for one, n in found if one >= 0.9) / max(sum(n for _, n in found), 1),
        "seconds": time.process_time() - begin,
    }


def _find_shares(
    rows: dict[str, list[Any]], by: list[str], columns: list[str]
) -> Iterator[tuple[float, int]]:
    """Yield the share of the most frequent value in each class, and the rows of the class."""
    table = pa.table({name: pa.array([str(v) for v in rows[name]]) for name in [*by, *columns]})
    for column in columns:
        counted = table.group_by([*by, column]).aggregate([([], "count_all")])
        sizes = counted.group_by(by).aggregate([("count_all", "sum"), ("count_all", "max")])
        for largest, size in zip(
            sizes["count_all_max"].to_pylist(), sizes["count_all_sum"].to_pylist(), strict=True
        ):
            yield largest / size, size


def main() -> None:
    """Try every table of a folder, or one in this process."""
    arguments = [one for one in sys.argv[1:] if not one.startswith("--")]
    options = [one for one in sys.argv[1:] if one.startswith("--")]
    place = Path(arguments[0])
    if place.is_file():
        print(json.dumps((try_protections if options else try_table)(place)))
        return
    for table in sorted(place.glob("*.csv"), key=lambda one: one.stat().st_size):
        command = [sys.executable, "-P", __file__, str(table), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        answer = done.stdout.strip().splitlines()[-1:] or [json.dumps(done.stderr[-600:])]
        print(json.dumps({"table": table.stem, "found": json.loads(answer[0])}), flush=True)


if __name__ == "__main__":
    main()
