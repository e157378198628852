"""Check whether a table is k-anonymous over a quasi-identifier, counted in rows or persons."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from lookalike.errors import InvalidInput
from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_table
from lookalike.json_result import JsonResult
from lookalike.kernels.grouping import group_equal
from lookalike.model.beside import number_persons
from lookalike.tables.count import StoredCount, count_within
from lookalike.tables.counted import Counted
from lookalike.tables.name_options import name_options
from lookalike.tables.read import read_table
from lookalike.tables.resources import Resources, sequences_that_fit
from lookalike.tables.source import ReadingOptions


@dataclass(frozen=True)
class Checked(JsonResult):
    """The classes of a table over a quasi-identifier.

    Parameters
    ----------
    k
        The size of the smallest class, which is the largest k that the table satisfies; None for
        an empty table.
    rows
        The number of rows.
    classes
        The number of classes.
    unique_rows
        The number of rows that are alone in their class.
    holds
        Whether the table satisfies the k asked for.
    persons
        The number of persons, if they were counted; all missing persons are one.
    k_persons
        The number of persons of the class with the fewest, which is the largest k of persons that
        the table satisfies.
    """

    json_names = "k rows classes unique_rows holds persons? k_persons?"

    k: int | None
    rows: int
    classes: int
    unique_rows: int
    holds: bool
    persons: int | None = None
    k_persons: int | None = None

    def _repr_html_(self) -> str:
        figures: list[tuple[str, HtmlCell]] = [
            ("satisfies the k asked for", self.holds),
            ("rows of the smallest class, the largest k that holds", self.k),
            ("rows", self.rows),
            ("classes", self.classes),
            ("unique rows", ShareBar(self.unique_share)),
        ]
        if self.persons is not None:
            figures.append(("persons", self.persons))
            figures.append(("persons of the class with the fewest", self.k_persons))
        return write_html_table("Classes of a table", ["", "figure"], figures)

    @property
    def unique_share(self) -> float:
        """The share of unique rows; 0 for a table without rows."""
        return self.unique_rows / self.rows if self.rows else 0.0


@name_options
def check(
    table: Any,
    quasi_identifier: Sequence[str],
    k: int = 2,
    *,
    person: str | None = None,
    max_sequences: int | None = None,
    **source: Unpack[ReadingOptions],
) -> Checked:
    """Check whether a table satisfies k-anonymity (Achieving, Definition 2).

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    quasi_identifier
        The columns that could be linked with other data.
    k
        Minimum number of rows of each combination of their values; 1 always holds.
    person
        The column that identifies persons, if a person may have several rows; k is then the
        minimum number of persons of each combination.
    max_sequences
        How many distinct sequences may come to memory; more are counted by DuckDB. Default: what
        fits in half of `memory`.
    **source
        For a path, further fields of :class:`~lookalike.tables.source.Source`; for a frame
        ``missing`` and ``trim``.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02138", "02139"], "sex": ["m", "m", "f"]})
    >>> found = check(people, ["zip", "sex"])
    >>> found.k, found.classes, found.unique_rows, found.holds
    (1, 2, 1, False)
    """
    if isinstance(quasi_identifier, str):
        raise InvalidInput("give the quasi-identifier as a list of column names")
    if k < 1:
        raise InvalidInput(f"k must be at least 1, not {k}")
    if max_sequences is not None and max_sequences < 1:
        raise InvalidInput(f"max_sequences must be at least 1, not {max_sequences}")
    resources = Resources(source.get("memory"))
    columns = [*quasi_identifier, *(() if person is None else (person,))]
    most = max_sequences or sequences_that_fit(len(columns), resources)
    counted = count_within(read_table(table, source), columns, most)
    if person is not None:
        return _check_persons(counted, person, k)
    sizes, classes = counted.count_sizes()
    smallest = int(sizes.min()) if len(sizes) else None
    return Checked(
        k=smallest,
        rows=int(sizes @ classes),
        classes=int(classes.sum()),
        unique_rows=int(classes[sizes == 1].sum()),
        holds=smallest is None or smallest >= k,
    )


def _check_persons(counted: Counted | StoredCount, person: str, k: int) -> Checked:
    """Check whether every class has k persons; the person is the last column that was counted."""
    if isinstance(counted, StoredCount):
        raise InvalidInput(
            f"the combinations of the quasi-identifier with {person!r} do not fit in memory, where "
            "persons are counted; raise max_sequences (--max-sequences) or memory (--memory)"
        )
    linkable, sizes = counted.positions[:-1], [len(values) for values in counted.values[:-1]]
    class_of, _, rows = group_equal(linkable, sizes, counted.counts)
    persons = number_persons(person, counted.positions[-1], counted.counts)
    fewest = persons.count(class_of, counted.counts, len(rows)).min(initial=counted.rows)
    return Checked(
        k=int(rows.min()) if len(rows) else None,
        rows=counted.rows,
        classes=len(rows),
        unique_rows=int((rows == 1).sum()),
        holds=not len(rows) or bool(fewest >= k),
        persons=len(counted.values[-1]),
        k_persons=int(fewest) if len(rows) else None,
    )
