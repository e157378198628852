"""Counted tables: a table that was read and counted, with its frequency list in memory or not."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import StoredList
from lookalike.tables.counted import Counted
from lookalike.tables.engines.engine import StoredSequences
from lookalike.tables.engines.join_tables import code_of
from lookalike.tables.plan import Plan
from lookalike.tables.table import Table


@dataclass(frozen=True, eq=False)
class CountedTable(Discreet):
    """A table that was read and counted.

    ``table``: the rows and the roles of their columns.
    ``counted``: the entries that were counted.
    ``sequence_of``: for each entry, its sequence in the frequency list.
    ``frequency``: the frequency list.
    ``stored_sequences``: the number of distinct sequences of the private table, if the list is a
    shorter one at higher levels.
    """

    table: Table
    counted: Counted
    sequence_of: Codes
    frequency: FrequencyList
    stored_sequences: int | None = None

    @property
    def is_coarsened(self) -> bool:
        """Whether the list begins above the values of the private table."""
        return self.frequency.coarsened is not None

    @property
    def sequences(self) -> int:
        """The number of distinct sequences of the private table."""
        kept = self.stored_sequences
        return len(self.frequency) if kept is None else kept

    def plan(self, recoding: Recoding, requirement: Requirement, *, keep_order: bool) -> Plan:
        """Return how its rows become released rows."""
        given = self.table, self.counted, self.sequence_of, self.frequency
        return Plan(*given, recoding=recoding, requirement=requirement, keep_order=keep_order)

    def settled(self, vector: Vector | None) -> "CountedTable":  # noqa: ARG002
        """Return the table by which a recoding at a vector is described: this one."""
        return self


@dataclass(frozen=True, eq=False)
class StoredTable(Discreet):
    """A table that was read and counted, whose sequences are too many for memory.

    ``table``: the rows and the roles of their columns.
    ``store``: the sequences, kept by the engine of the table.
    ``frequency``: the frequency list, over these sequences.
    """

    table: Table
    store: StoredSequences
    frequency: StoredList

    @property
    def sequences(self) -> int:
        """The number of distinct sequences of the private table."""
        return self.store.count((0,) * len(self.frequency.hierarchies))

    def settled(self, vector: Vector | None) -> CountedTable:
        """Return the table as counted at a vector; its rows are found by their codes there."""
        if vector is None:
            raise InternalError("a method at the cell level searched a list outside of memory")
        frequency = self.frequency.settled(vector)
        columns = [code_of(name) for name in frequency.attributes]
        counted = Counted(
            values=tuple(hierarchy.labels[0] for hierarchy in frequency.hierarchies),
            positions=frequency.codes,
            counts=frequency.counts,
            keys=pa.table(list(frequency.codes), columns),
            located=self.store.locate(self.table.numbered, vector),
        )
        own = np.arange(len(frequency), dtype=np.int32)
        return CountedTable(self.table, counted, own, frequency, self.sequences)
