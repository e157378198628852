"""Check linked tables before publishing: what stands out over several records of a person."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow.compute as arrow_compute

from lookalike.flow.count_linked import LinkedSource, LinkedSources
from lookalike.flow.preflight import as_is, columns, derived
from lookalike.flow.preflight.facts import Facts
from lookalike.flow.preflight.run import mark_accepted
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.lattice import Vector
from lookalike.risk.finding import PreflightFinding, grade
from lookalike.search.linked import LinkedRecoding
from lookalike.spec.fields import PersonUnit, name_units
from lookalike.spec.preflight_names import (
    AS_IS_UNIQUE,
    DATES_AS_IS,
    ONE_SENSITIVE_VALUE,
    RECORD_NUMBERS,
)
from lookalike.spec.specification import Specification
from lookalike.tables.count import fetch
from lookalike.tables.labels import encode_column

_DAY = r"^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{4}"
"""How the text of a day begins."""
MOST_DATES = 0.9
"""The share of days from which a column is one of dates."""


def check_linked(
    specification: Specification, sources: LinkedSources, recoding: LinkedRecoding, k: int
) -> tuple[PreflightFinding, ...]:
    """Make the checks of linked tables; the most serious findings come first."""
    unit = specification.release.unit
    found = [
        *_check_numbers(sources, recoding.released, k, unit),
        *_check_alike(sources, recoding, unit),
    ]
    for source, own in sources.divide(recoding.vector):
        found += _check_as_is(source, recoding.released, unit)
        found += () if sources.apart else _check_dates(source, unit)
        found += _check_alone(source, own, k)
    return mark_accepted(found, specification.release)


def _check_numbers(
    sources: LinkedSources, released: Flags, k: int, unit: PersonUnit
) -> Iterator[PreflightFinding]:
    """Check whether persons stand out by the number of their records."""
    shown = [one for one in sources.linked.records if one.within or not sources.apart]
    open_numbers = [one for one in shown if one.knows != "all"]
    if not open_numbers or not released.any():
        return
    numbers = np.stack([one.sizes[released] for one in open_numbers]).astype(np.int32)
    class_of, alike = _group(numbers)
    few, alone = int((alike[class_of] < k).sum()), int((alike[class_of] == 1).sum())
    if not few:
        return
    names = ", ".join(one.name for one in open_numbers)
    most = max(int(one.sizes[released].max()) for one in open_numbers)
    whose, them = ("somebody", "them") if unit == "person" else (f"a {unit}", "it")
    yield PreflightFinding(
        RECORD_NUMBERS,
        grade(few, len(class_of)),
        f"{_count_persons(few, len(class_of), unit)} share the number of their records ({names}) "
        f"with fewer than k = {k} {name_units(unit)}, {alone:,} with nobody; the most records of a "
        f"{unit} are {most:,}. Whoever knows how many records {whose} has can find {them}.",
        f'count this knowledge, too (knows = "all"), or keep fewer records of each {unit}, drawn '
        "at random (at_most = 20 under [records.NAME])",
        share=few / len(class_of),
    )


def _check_alike(
    sources: LinkedSources, recoding: LinkedRecoding, unit: PersonUnit
) -> Iterator[PreflightFinding]:
    """Check whether a sensitive value follows from what may be known of persons."""
    persons = sources.tables[0]
    for name in persons.table.sensitive if sources.has_persons else ():
        values = persons.encode(name)
        alike = sources.linked.mark_alike(recoding.vector, recoding.released, values)
        several, released = int(alike.sum()), int(recoding.released.sum())
        if several and len(np.unique(values[recoding.released])) > 1:
            yield PreflightFinding(
                ONE_SENSITIVE_VALUE,
                grade(several, released),
                f"{_count_persons(several, released, unit)} share their value of {name!r} with all "
                "who share something that may be known of them, so whoever knows that learns it.",
                f"protect = {{ distinct = 2 }} under [attributes.{name}], or fewer levels",
                share=several / released,
            )


def _check_as_is(
    source: LinkedSource, released: Flags, unit: PersonUnit
) -> Iterator[PreflightFinding]:
    """Check whether single rows show persons by the columns that are released as they are."""
    table, hidden = source.table, source.table.incomparable
    names = [one for one in table.unchanged if one not in hidden]
    kept = np.flatnonzero(released[source.person_of])
    if not names or not len(kept):
        return
    [rows] = fetch(table.frame, names)
    lines = [encode_column(name, rows.column(name))[1][kept] for name in names]
    class_of, _ = _group(np.stack(lines))
    person_of = source.person_of[kept].astype(np.int32)
    pairs = np.stack([class_of, person_of])
    first = group_equal(pairs, [int(one.max()) + 1 for one in pairs], np.ones(len(kept), np.int64))[
        1
    ]
    persons_of = np.bincount(class_of[first])
    alone = len(np.unique(person_of[persons_of[class_of] == 1]))
    if alone:
        persons = int(released.sum())
        severity = grade(alone, persons)
        if severity == "error" and len(names) == 1:
            severity = "warning"
        yield PreflightFinding(
            AS_IS_UNIQUE,
            severity,
            f"{source.name}: {_count_persons(alone, persons, unit)} have a row whose values "
            f"of {', '.join(map(repr, names))}, released as they are, no other {unit} has; over "
            f"several records of a {unit} more stand out.",
            "give the columns that others may know the role quasi-identifier, write them less "
            "precisely, or leave them out (role drop)",
            share=alone / persons,
        )


def _check_dates(source: LinkedSource, unit: PersonUnit) -> Iterator[PreflightFinding]:
    """Check whether dates are released as they are."""
    dates = [name for name in source.table.unchanged if _is_date(source, name)]
    if dates:
        yield PreflightFinding(
            DATES_AS_IS,
            "warning",
            f"{source.name}: {', '.join(map(repr, dates))} "
            f"{'is a date' if len(dates) == 1 else 'are dates'} released as "
            f"{'it is' if len(dates) == 1 else 'they are'}; the intervals between the records of a "
            f"{unit} show when each of them was.",
            'make it a quasi-identifier with hierarchy = { kind = "dates" }, or leave it out '
            "(role drop)",
        )


def _is_date(source: LinkedSource, name: str) -> bool:
    """Return whether nearly all values of a column are days."""
    [rows] = fetch(source.table.frame, [name])
    kind = rows.schema.field(name).type
    if kind in ("date32[day]", "date64[ms]") or str(kind).startswith("timestamp"):
        return True
    if not str(kind).endswith("string"):
        return False
    known = rows.column(name).drop_null()
    days = arrow_compute.match_substring_regex(known, _DAY)
    return bool(len(known)) and days.to_numpy().mean() >= MOST_DATES


def _check_alone(source: LinkedSource, levels: Vector, k: int) -> Iterator[PreflightFinding]:
    """Make the checks of one table that do not depend on other tables."""
    if not levels or not len(source.linked.sequence_of):
        return
    plan = source.plan(levels, np.ones_like(source.person_of, dtype=np.bool_), k)
    facts = Facts(source.specification, source.table, plan.frequency, plan)
    for check in (
        derived.check_derived,
        as_is.check_free_text,
        columns.check_unknown,
        columns.check_one_value,
        as_is.list_incomparable,
    ):
        for one in check(facts):
            yield replace(one, sentence=f"{source.name}: {one.sentence}")


def _group(lines: Codes) -> tuple[Codes, Counts]:
    """Group equal columns; return the group of each, and the size of each group."""
    sizes: Sequence[int] = [int(one.max(initial=0)) + 1 for one in lines]
    class_of, _, counts = group_equal(lines, sizes, np.ones(lines.shape[1], dtype=np.int64))
    return class_of, counts


def _count_persons(concerned: int, persons: int, unit: PersonUnit) -> str:
    """Write a number of persons and their share."""
    share = 100 * concerned / max(1, persons)
    return f"{concerned:,} of {persons:,} {name_units(unit)} ({share:.1f} %)"
