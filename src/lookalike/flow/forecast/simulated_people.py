"""Simulated people: the rows of each month, drawn from a private table.

A person stands for all rows of one person of the table, so that a source with several rows per
person is simulated person by person.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.flow.source import open_table
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts
from lookalike.model.progress import Stopwatch
from lookalike.spec.fields import Attribute
from lookalike.spec.specification import Specification
from lookalike.tables.count import fetch
from lookalike.tables.labels import encode_column
from lookalike.tables.source import EACH_ROW, Source
from lookalike.tables.table import Frame

ROW_KEY, PERSON_KEY = "simulated row", "simulated person"
"""The columns of a simulated table that identify its rows and its people."""
PEOPLE_AT_FIRST = 30_000
"""How many people a simulation begins with, if nobody asks for more."""
FRESH = 2
"""A sample has so many times as many people, so that newcomers of a large table are no copies."""
_CLEANED = dict.fromkeys(("missing", "zero_pad", "map", "round", "top", "bottom"))
"""The fields of a column by which its values are read, which happens before rows are drawn."""


@dataclass(frozen=True)
class Rates:
    """The shares of the people who leave, come, and get other values each month."""

    leave: float
    come: float
    change: float

    def __post_init__(self) -> None:
        for name, rate in (("leave", self.leave), ("come", self.come), ("change", self.change)):
            if not 0 <= rate <= 1:  # false for not-a-number, too
                raise InvalidInput(f"{name} is a share of the people from 0 to 1, not {rate}")


@dataclass(frozen=True, eq=False)
class PrivatePeople(Discreet):
    """The people of a private table, of whom a simulation draws.

    Parameters
    ----------
    rows
        The columns that a release shows, of the people who were drawn.
    places, begins
        The places of the rows, person after person, and where each person begins among them.
    as_is
        The columns that are released as they are. Their values change.
    rows_in_source
        How many rows the source has.
    """

    rows: pa.Table
    places: Counts
    begins: Counts
    as_is: tuple[str, ...]
    rows_in_source: int

    @property
    def people(self) -> int:
        """How many people were drawn."""
        return len(self.begins) - 1

    def list_rows(self, people: Counts) -> tuple[Counts, Counts]:
        """Return the places of all rows of some people, and for each row whose it is."""
        sizes = self.begins[people + 1] - self.begins[people]
        owner = np.repeat(np.arange(len(people)), sizes)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return self.places[self.begins[people][owner] + within], owner


@dataclass(frozen=True, eq=False)
class Month(Discreet):
    """The rows of one month: for each its key, its person, and where its values come from.

    ``linkable`` and ``values``: the places of the private rows whose quasi-identifier, and whose
    values of columns released as they are, the row has. ``copies``: how many people came as copies
    of somebody who was drawn before.
    """

    keys: Counts
    person: Counts
    linkable: Counts
    values: Counts
    copies: int = 0

    def to_table(self, population: PrivatePeople) -> pa.Table:
        """Return the rows as a table of the source would have them."""
        columns = {
            name: column.take(pa.array(self.values if name in population.as_is else self.linkable))
            for name, column in zip(
                population.rows.column_names, population.rows.columns, strict=True
            )
        }
        keys = {ROW_KEY: self.keys, PERSON_KEY: self.person}
        return pa.table(
            columns | {name: pa.array(key).cast(pa.string()) for name, key in keys.items()}
        )


def draw_population(
    specification: Specification,
    frame: Frame | None,
    people: int | None,
    draw: np.random.Generator,
) -> PrivatePeople:
    """Read the released columns of the people of a source; of a large one, those of a sample."""
    if any(one.respondent is not None for one in specification.quasi_identifiers):
        raise InvalidInput(
            "a forecast simulates one kind of person, but a quasi-identifier has a respondent of "
            "its own; leave respondent out of the specification for the forecast"
        )
    table = open_table(specification, Stopwatch(), frame, None)
    roles = specification.decided_roles()
    as_is = tuple(name for name, role in roles.items() if role in ("sensitive", "other"))
    shown = [*_list_shown(specification)]
    most = FRESH * (people or PEOPLE_AT_FIRST)
    rows, person, total = _sample(table.frame, shown, specification.person_column, most, draw)
    places = np.argsort(person, kind="stable")
    begins = np.append(np.unique(person[places], return_index=True)[1], len(places))
    return PrivatePeople(rows, places, begins, as_is, total)


def _list_shown(specification: Specification) -> Iterator[str]:
    """Yield the columns that a release shows, and those that it shows as pseudonyms."""
    for name, role in specification.decided_roles().items():
        if role not in ("identifier", "drop") or specification.attributes[name].pseudonym:
            yield name


def _sample(
    frame: Frame,
    columns: Sequence[str],
    person: str | None,
    most: int,
    draw: np.random.Generator,
) -> tuple[pa.Table, Counts, int]:
    """Return the rows of at most so many people, the number of each row's person, and all rows.

    Each person has a random ticket, and those with the lowest ones are drawn, with all their rows.
    """
    secret, total = draw.bytes(32), 0
    rows, tickets = pa.table({}), np.zeros(0, dtype=np.uint64)
    for piece in fetch(frame, [*dict.fromkeys([*columns, *([person] if person else [])])]):
        if person is None:
            own = draw.integers(2**63, size=len(piece), dtype=np.uint64)
        else:
            texts, codes = encode_column(person, piece[person])
            own = np.array([_hash(text, secret) for text in texts], dtype=np.uint64)[codes]
        kept = piece.select(columns)
        rows = pa.concat_tables([rows, kept]) if total else kept
        tickets, total = np.concatenate([tickets, own]), total + len(piece)
        lowest = np.unique(tickets)[:most]
        stays = tickets <= lowest[-1] if len(lowest) else np.ones(0, dtype=np.bool_)
        rows, tickets = rows.filter(pa.array(stays)), tickets[stays]
    return rows.combine_chunks(), np.unique(tickets, return_inverse=True)[1], total


def _hash(text: str | None, secret: bytes) -> int:
    """Return a number that only the text and a secret of this process decide."""
    written = b"" if text is None else b"=" + text.encode()
    return int.from_bytes(blake2b(written, key=secret, digest_size=8).digest(), "big")


def simulate_months(
    population: PrivatePeople, people: int, rates: Rates, months: int, draw: np.random.Generator
) -> Iterator[Month]:
    """Let people leave, come and change, and yield the rows of each month.

    Those who come are people of the table who were not drawn yet, then copies of any of them.
    """
    waiting = draw.permutation(population.people)
    first, waiting = waiting[:people], waiting[people:]
    places, owner = population.list_rows(first)
    now = Month(np.arange(len(places)), owner, places, places)
    yield now
    born = people
    for _ in range(months - 1):
        present = np.unique(now.person)
        coming = round(rates.come * len(present))
        gone = draw.choice(present, round(rates.leave * len(present)), replace=False)
        fresh, waiting = waiting[:coming], waiting[coming:]
        copies = draw.integers(population.people, size=coming - len(fresh))
        places, owner = population.list_rows(np.concatenate([fresh, copies]))
        stays = ~np.isin(now.person, gone)
        last = int(now.keys.max(initial=-1)) if len(now.keys) else -1
        now = Month(
            keys=np.concatenate([now.keys[stays], last + 1 + np.arange(len(places))]),
            person=np.concatenate([now.person[stays], born + owner]),
            linkable=np.concatenate([now.linkable[stays], places]),
            values=np.concatenate([now.values[stays], places]),
            copies=now.copies + len(copies),
        )
        born += coming
        now = _change(now, rates.change, len(population.rows), draw)
        yield now


def _change(now: Month, rate: float, rows: int, draw: np.random.Generator) -> Month:
    """Give some people the values of other rows in the columns that are released as they are."""
    present = np.unique(now.person)
    changed = draw.choice(present, round(rate * len(present)), replace=False)
    which = np.isin(now.person, changed)
    values = now.values.copy()
    values[which] = draw.integers(rows, size=int(which.sum()))
    return replace(now, values=values)


def describe_simulated(specification: Specification) -> Specification:
    """Return the specification of simulated rows: the columns that are shown, and the keys.

    The rows are cleaned already.
    """
    source = specification.source
    attributes = {
        name: specification.attributes[name].model_copy(update=_CLEANED)
        for name in _list_shown(specification)
    }
    counts_persons = specification.person_column is not None
    own = Source(
        name="simulated",
        row_key=ROW_KEY,
        person=PERSON_KEY if counts_persons else EACH_ROW,
        memory=None if source is None else source.memory,
        spill=None if source is None else source.spill,
    )
    keys = dict.fromkeys((ROW_KEY, PERSON_KEY), Attribute(role="identifier"))
    return specification.model_copy(update={"attributes": attributes | keys, "source": own})
