"""A register of a million people as a requirement: what k-map costs against k alone."""

import time
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa

import lookalike
from lookalike.flow.count_register import bind_register
from lookalike.flow.release import prepare
from lookalike.model.frequency import FrequencyList
from lookalike.model.population import K_MAP, PRESENCE, KMap, PresenceBounds
from lookalike.model.requirement import Requirement
from lookalike.search.methods import mingen
from lookalike.spec.specification import Specification
from lookalike.tables.count import count
from lookalike.tables.read import read_frame

PEOPLE = 1_000_000
SEED = 20020501


def run() -> None:
    """MinGen over Adult, k = 5, MaxSup 5 %, with a register of 1,000,000 people."""
    data = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
    specification = Specification.load(data / "adult.toml", {"method": "datafly"})
    plain = prepare(specification).plan.frequency
    begin = time.perf_counter()
    known = _add_registers(specification, plain)
    sequences = len(known.registers[0].counts)
    print(
        f"counting and generalizing {PEOPLE:,} people, twice: {time.perf_counter() - begin:.1f} s "
        f"({sequences:,} distinct sequences; the table has {len(plain):,})"
    )
    alone = Requirement(5, Decimal("0.05"))
    base = _show("k = 5 alone", plain, alone)
    half = PresenceBounds(Fraction(0), Fraction(1, 2))
    for title, conditions in (
        ("k-map 20", (KMap(20),)),
        ("k-map 1,000", (KMap(1_000),)),
        ("presence at most 0.5", (half,)),
    ):
        _show(title, known, replace(alone, registers=conditions), base)


def _add_registers(specification: Specification, frequency: FrequencyList) -> FrequencyList:
    """Invent a register whose people have each value of some row of the table, by the same lot."""
    generator = np.random.default_rng(SEED)
    rows = np.repeat(np.arange(len(frequency)), frequency.counts)
    drawn, other = generator.choice(rows, (2, PEOPLE))
    columns = {}
    for hierarchy, codes in zip(frequency.hierarchies, frequency.codes, strict=True):
        chosen = np.where(generator.random(PEOPLE) < 0.8, codes[drawn], codes[other])
        columns[hierarchy.column] = pa.array(hierarchy.labels[0]).take(pa.array(chosen))
    rules = specification.hierarchies()
    counted = count(read_frame(pa.table(columns)), list(rules))
    registers = (
        bind_register(name, rules, frequency.hierarchies, counted) for name in (K_MAP, PRESENCE)
    )
    return replace(frequency, registers=tuple(registers))


def _show(
    title: str, frequency: FrequencyList, requirement: Requirement, base: float | None = None
) -> float:
    """Print the answer of a search and its time, against that of k alone."""
    mingen(frequency, requirement)
    begin = time.process_time()
    found = mingen(frequency, requirement)
    seconds = time.process_time() - begin
    known = found.optimality
    if known is not None:
        ratio = "" if base is None else f", {seconds / base:.1f} × k alone"
        print(
            f"{title:>22}: Prec {known.reached:.4f}, {found.rows_suppressed:,} suppressed, "
            f"{known.evaluated:,} vectors evaluated, {1000 * seconds:.0f} ms{ratio}"
        )
    return seconds
