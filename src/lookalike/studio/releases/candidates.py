"""Which released rows may be a person's, for an attacker who knows some of the person's values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts, Flags
from lookalike.risk.releases.seen_release import SeenRelease, read_certified, read_released_rows
from lookalike.spec.specification import Specification
from lookalike.studio.releases.paired_table import PairedColumn, PairedTable, SmallCodes

KnownValues = Mapping[int, int]
"""What an attacker knows: by the place of a column, that of a person's value among its labels."""
VALUES_LISTED = 5


@dataclass(frozen=True)
class Narrowing(Discreet):
    """How many rows are possible once an attacker knows one value more.

    ``column``, ``value``: what is known in addition; no column before anything is known.
    """

    column: str | None
    value: str | None
    private: int
    released: int


@dataclass(frozen=True)
class Guess(Discreet):
    """What an attacker concludes of a column that is not known: values with their shares.

    ``usual``: the share that the likeliest value has in the whole release.
    """

    column: str
    is_generalized: bool
    values: tuple[tuple[str | None, float], ...]
    values_left_out: int
    usual: float

    @property
    def sure(self) -> float:
        """The share of the likeliest value."""
        return self.values[0][1]


@dataclass(frozen=True)
class EarlierCandidates(Discreet):
    """How many rows of an earlier release are possible, and of this one together with it.

    ``unused``: known columns that say nothing there. ``shared``: the columns that both release as
    they are, by which rows are matched.
    """

    name: str
    rows: int
    possible: int
    unused: tuple[str, ...]
    shared: tuple[str, ...]
    together: int


@dataclass(frozen=True)
class Attacker(Discreet):
    """An attacker who knows some values of a person, and looks for the person's row."""

    table: PairedTable
    known: KnownValues

    @cached_property
    def possible(self) -> Flags:
        """The entries whose rows in the release may be the person's."""
        return self._narrow_release(list(self.known))

    def list_narrowings(self) -> Iterator[Narrowing]:
        """Yield how the possible rows become fewer with each value."""
        counts, places = self.table.counts, list(self.known)
        private = np.ones(len(counts), dtype=bool)
        released = self._narrow_release(())
        yield Narrowing(None, None, self.table.rows, int(counts[released].sum()))
        for place in places:
            column, code = self.table.columns[place], self.known[place]
            private &= column.private == code
            released &= _match(self.table, column, code)
            left = int(counts[private].sum()), int(counts[released].sum())
            yield Narrowing(column.name, column.labels[code], *left)

    def _narrow_release(self, places: Sequence[int]) -> Flags:
        """Return the entries that are possible with the values of some columns."""
        possible = ~self.table.is_left_out
        for place in places:
            possible &= _match(self.table, self.table.columns[place], self.known[place])
        return possible

    def count_persons(self) -> int | None:
        """Count the persons whose rows are possible; None if rows are counted."""
        if self.table.persons is None:
            return None
        return len(np.unique(self.table.persons[self.possible[self.table.entry_of]]))

    def list_guesses(self) -> Iterator[Guess]:
        """Yield what the possible rows show of the other columns, first what is shown as it is."""
        order = sorted(enumerate(self.table.columns), key=lambda one: one[1].levels is not None)
        for place, column in order:
            if place not in self.known:
                yield self._guess(column)

    def _guess(self, column: PairedColumn) -> Guess:
        """Return what the possible rows show of a column."""
        size = len(column.shown)
        every = _tally(column.released, self.table.counts * ~self.table.is_left_out, size)
        here = np.flatnonzero(self.possible)
        found = _tally(column.released[here], self.table.counts[here], size)
        first = np.argsort(-found, kind="stable")[: np.count_nonzero(found)]
        rows = max(int(found.sum()), 1)
        listed = first[:VALUES_LISTED].tolist()
        return Guess(
            column.name,
            column.levels is not None,
            tuple((column.shown[one], int(found[one]) / rows) for one in listed),
            len(first) - len(listed),
            float(every[listed[0]] / every.sum()) if listed else 0.0,
        )

    def compare_earlier(self, earlier: "Sequence[EarlierRelease]") -> Iterator[EarlierCandidates]:
        """Yield what each earlier release shows, if the person is in it with the same values."""
        for one in earlier:
            possible, unused = self._narrow_earlier(one)
            shared = tuple(
                column.name
                for place, column in enumerate(self.table.columns)
                if column.levels is None
                and column.name in one.seen.columns
                and column.name not in one.seen.levels
                and place not in self.known
            )
            together = self._share_values(one.seen, possible, shared)
            yield EarlierCandidates(
                one.name,
                one.seen.rows,
                int(one.seen.counts[possible].sum()),
                unused,
                shared,
                int(self.table.counts[together].sum()),
            )

    def _narrow_earlier(self, earlier: "EarlierRelease") -> tuple[Flags, tuple[str, ...]]:
        """Return the classes of an earlier release that are possible, and what was not used."""
        seen, unused = earlier.seen, []
        possible, blank = np.ones(len(seen), dtype=bool), seen.find_blank()
        for place, code in self.known.items():
            column = self.table.columns[place]
            texts = earlier.find_texts(column, code)
            if texts is None:
                unused.append(column.name)
                continue
            at = seen.position(column.name)
            fits = np.array([label in texts for label in seen.labels[at]], dtype=bool)
            hidden = blank if column.name in seen.levels else False  # blank rows show the others
            possible &= fits[seen.codes[at]] | hidden
        return possible, tuple(unused)

    def _share_values(self, seen: SeenRelease, possible: Flags, shared: Sequence[str]) -> Flags:
        """Return the possible entries whose values in some columns an earlier row has, too."""
        named = {one.name: one for one in self.table.columns}
        ours = [np.zeros(int(self.possible.sum()), np.int64)]
        theirs = [np.zeros(int(possible.sum()), np.int64)]
        for name in shared:
            position = {label: code for code, label in enumerate(named[name].labels)}
            at = seen.position(name)
            codes = np.array([position.get(label, -1) for label in seen.labels[at]], np.int64)
            ours.append(named[name].private[self.possible].astype(np.int64))
            theirs.append(codes[seen.codes[at, possible]])
        both = np.hstack([np.array(ours), np.array(theirs)])
        number = np.unique(both, axis=1, return_inverse=True)[1].ravel()
        found = self.possible.copy()
        found[self.possible] = np.isin(number[: len(ours[0])], number[len(ours[0]) :])
        return found


def _match(table: PairedTable, column: PairedColumn, code: int) -> Flags:
    """Return the entries whose rows in the release may have a private value of a column.

    A suppressed cell may have any value, and so may a blank row.
    """
    if column.levels is None:
        same: Flags = column.released == code
        return same
    fits = np.zeros(len(column.shown) + 1, dtype=bool)  # the last place: not shown
    for positions in column.possible:
        fits[positions[code]] = True
    fits[-1] = False
    return fits[column.released] | table.is_blank


def _tally(codes: SmallCodes, counts: Counts, size: int) -> Counts:
    """Count the rows of each code."""
    return np.bincount(codes, counts, minlength=size).astype(np.int64)


@dataclass(frozen=True, eq=False)
class EarlierRelease(Discreet):
    """An earlier release of the ledger as everybody sees it.

    ``heights``: those of the hierarchies by which its columns were generalized.
    """

    name: str
    seen: SeenRelease
    heights: Mapping[str, int]

    def find_texts(self, column: PairedColumn, code: int) -> set[str | None] | None:
        """Return what it may show of a private value; None if that is not known of the column."""
        if column.name not in self.seen.columns:
            return None
        if column.name not in self.seen.levels:
            return {column.labels[code]}
        if not column.texts or self.heights[column.name] != column.height:
            return None
        level = self.seen.levels[column.name]
        if level is not None:
            return {column.texts[level][code]}
        return {self.seen.suppressed, *(at[code] for at in column.texts)}


def see_earlier_releases(specification: Specification) -> tuple[tuple[EarlierRelease, ...], str]:
    """Read the earlier releases that somebody may have with the next one, or say why not."""
    if specification.release.ledger is None:
        return (), ""
    from lookalike.ledger.policies.policy import find_earlier_releases  # imports sqlalchemy
    from lookalike.ledger.store.published_file import find_published_file

    earlier, found = find_earlier_releases(specification), list[EarlierRelease]()
    try:
        for one in () if earlier is None else earlier.entries:
            rows = read_released_rows(find_published_file(one), one.certificate)
            seen = read_certified(one.name, rows, one.certificate, [one.certificate])
            heights = {name: done.height for name, done in one.certificate.generalized.items()}
            found.append(EarlierRelease(f"{one.name} ({one.date})", seen, heights))
    except InvalidInput as problem:
        return (), str(problem)
    return tuple(found), ""
