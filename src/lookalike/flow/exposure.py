"""Measure what a published release shows beyond its values, given the holder's specification."""

from dataclasses import replace
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from lookalike.describe.exposure import explain_undefined, leave_out_blank
from lookalike.errors import InvalidInput
from lookalike.examine.holder_inputs import load_holder_specification
from lookalike.flow.counted_table import CountedTable
from lookalike.flow.source import read_and_count
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.progress import Announce, Stopwatch
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import state_decoys
from lookalike.publish.open_published import open_published
from lookalike.risk.table.exposure import Exposure, measure_exposure
from lookalike.risk.table.presence import measure_presence
from lookalike.risk.table.sequences import Sequences
from lookalike.search.lattice.constraints import Constraint, restrict
from lookalike.search.methods import TAKES
from lookalike.spec.specification import Specification
from lookalike.tables.clean import clean
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_table
from lookalike.verify.values import column_types, list_paths, recognize


def exposure(
    folder: str | PathLike[str],
    spec: Specification | str | PathLike[str],
    *,
    table: Any = None,
    population: Any = None,
    announce: Announce = lambda _: None,
) -> Exposure:
    """Measure what a published release shows beyond its values to a reader who knows the method.

    The result is for the data holder: it depends on how frequent values are in the private table.

    Parameters
    ----------
    folder
        The release.
    spec
        The data holder's specification.
    table
        The private table, a path or a frame. Default: the source of the specification.
    population
        A path or a frame with the columns of the quasi-identifier, their values as in the private
        table, and one row per person, such as a voter list. With it, the presence of these people
        is measured.
    announce
        Callback that receives the name of each step.

    Raises
    ------
    InvalidInput
        If the folder is not a release, the specification is that of another release, or the
        classes of the release are not joins.
    """
    place = Path(folder)
    certificate = Certificate.read(place)
    holder, frame = load_holder_specification(spec, certificate, table)
    decoys = _read_decoys(certificate)
    counted = read_and_count(holder, Stopwatch(announce), frame)
    allowed = read_allowed_levels(certificate, counted.frequency)
    rules = holder.hierarchies()
    announce("reading the release")
    classes = _read_classes(place, certificate, holder, counted)
    found = measure_exposure(classes, counted.frequency, rules, allowed, decoys)
    if population is None:
        return found
    announce("counting the population")
    people = count(clean(read_table(population, {}), holder.cleaning), list(rules))
    presence = measure_presence(classes, counted.frequency, rules, allowed, people)
    return replace(found, presence=presence)


def _read_decoys(certificate: Certificate) -> float:
    """Return the probability of decoys; refuse those of a version that drew one level only."""
    decoys = certificate.decoys
    if decoys is None:
        return 0.0
    if decoys.statement != state_decoys(Decimal(decoys.rate)):
        raise InvalidInput(
            "exposure is not defined for this release: an earlier version drew its decoys, one "
            "level up only; release the table again"
        )
    return float(decoys.rate)


def read_allowed_levels(certificate: Certificate, frequency: FrequencyList) -> Lattice:
    """Return the levels that the cells of a release may have.

    At the attribute level these are the levels of the certificate: no cell is above its least
    level.
    """
    names = tuple(certificate.generalized)
    if certificate.recoding == "attribute level":
        vector = tuple(done.level or 0 for done in certificate.generalized.values())
        return Lattice(vector, vector)
    if certificate.is_based_on_earlier:
        raise InvalidInput(
            "exposure is not defined for a release that is based on earlier ones: its classes may "
            "have lost rows since they were made"
        )
    if not TAKES[certificate.method].decoys:
        raise InvalidInput(explain_undefined(certificate.method))
    constraints = [Constraint.parse(text) for text in certificate.constraints]
    return restrict(Lattice.of_heights(frequency.heights), names, constraints)[0]


def _read_classes(
    folder: Path, certificate: Certificate, holder: Specification, counted: CountedTable
) -> Sequences:
    """Count the classes of a released file, and recognize the labels of its values."""
    connection = Connection(holder.resources)
    release = open_published(folder, certificate, connection)
    found = count(nw.from_native(release), list(certificate.generalized))
    types = column_types(as_relation(counted.table.frame, connection))
    label, rules = certificate.suppressed_label, holder.hierarchies()
    values, codes = [], np.empty_like(found.positions)
    for attribute, (name, shown) in enumerate(zip(rules, found.values, strict=True)):
        paths = list_paths(name, rules[name], counted.counted.values[attribute], label)
        levels = range(counted.frequency.heights[attribute] + 1)
        texts = recognize(shown, paths, levels, types[name], connection)
        numbers: dict[str | None, int] = {}
        lift = np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int32)
        values.append(tuple(numbers))
        codes[attribute] = lift[found.positions[attribute]]
    everything = Sequences(tuple(values), codes, found.counts)
    classes = everything.project(range(len(values)))[1]
    blank = certificate.suppressed_rows == "blank" and certificate.rows_shown < certificate.rows_in
    return leave_out_blank(classes, label) if blank else classes
