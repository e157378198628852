"""The rows of a table with what stands beside them: joins, costs and failing classes."""

from dataclasses import dataclass, replace

import numpy as np

from lookalike.kernels.lower_bound import gather_lists
from lookalike.kernels.nearest_units import RowSets
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.progress import Announce
from lookalike.model.requirement import Requirement
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.clustering import GroundSequences


@dataclass(frozen=True, eq=False)
class RowsBeside:
    """The sequences of a list with columns beside the quasi-identifier, ready to form classes.

    ``frequency``: the frequency list.
    ``ground``: the sequences of quasi-identifier values alone, at the lowest allowed levels.
    ``ground_of``: for each sequence of the list, its sequence in `ground`.
    ``announce``: callback that receives the progress.
    """

    frequency: FrequencyList
    ground: GroundSequences
    ground_of: Codes
    announce: Announce = lambda _: None

    def units(self, classes: Classes) -> RowSets:
        """Return classes as units that can be joined."""
        return self.ground.units(replace(classes, sequence=self.ground_of[classes.sequence]))

    def cost(self, classes: Classes) -> int:
        """Return the loss of a release of these classes; rows in no class are suppressed."""
        units = self.units(classes)
        gone = self.frequency.rows - int(units.rows.sum())
        return int(row_costs(units) @ units.rows) + gone * self.ground.suppressed

    def not_shown(self, classes: Classes) -> Counts:
        """Return the number of rows of each sequence that are in no class."""
        shown = np.bincount(classes.sequence, classes.counts, len(self.frequency))
        gone: Counts = self.frequency.counts - shown.astype(np.int64)
        return gone

    def failing(self, classes: Classes, requirement: Requirement) -> Flags:
        """Mark the classes that have too few persons or fail a protection.

        Classes of fewer than k rows fail, too.
        """
        shown = self.frequency.taken(classes.sequence, classes.counts)
        fails = classes.sizes() < requirement.largest_k
        for one in requirement.combined(self.frequency.attributes):
            for _, member in requirement.conditions(shown, classes.class_of, one):
                fails[classes.class_of[member.failing(classes.counts)]] = True
        return fails


def row_costs(units: RowSets) -> Counts:
    """Return the cost of a row of each unit."""
    ancestors, prices, _ = units.cells
    places = np.arange(ancestors.shape[1])
    total: Counts = prices[ancestors[units.shown[:, None], places, units.levels]].sum(axis=1)
    return total


def unite(classes: Classes, first: Codes, second: Codes) -> Classes:
    """Return the union of each of some pairs of classes, as a class of its own."""
    order = np.argsort(classes.class_of, kind="stable")
    starts = np.searchsorted(classes.class_of[order], np.arange(len(classes) + 1))
    entries, begins = gather_lists(starts, np.concatenate([first, second]))
    pair = np.repeat(np.tile(np.arange(len(first), dtype=np.int32), 2), np.diff(begins))
    return Classes(pair, classes.sequence[order[entries]], classes.counts[order[entries]])
