"""ExaminedRelease: a published release and its certificate, and what its holder has beside it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from duckdb import DuckDBPyRelation

from lookalike.examine.promises import make_truth_claim
from lookalike.hierarchy.bound import LabelPath
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.certificate import Certificate
from lookalike.publish.open_published import open_published
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.labels import label
from lookalike.tables.table import Frame
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.released_values import count_column_values
from lookalike.verify.values import column_types, list_paths


@dataclass(frozen=True, eq=False)
class ExaminedRelease(Discreet):
    """A published release, as a recipient has it."""

    folder: Path
    certificate: Certificate
    connection: Connection

    @cached_property
    def rows(self) -> DuckDBPyRelation:
        """The rows of its table; raises if the file cannot be read."""
        return open_published(self.folder, self.certificate, self.connection)


@dataclass(frozen=True, eq=False)
class HeldRelease(ExaminedRelease):
    """A published release, with the specification and the private table of its holder."""

    specification: Specification
    private: Frame

    @cached_property
    def original(self) -> DuckDBPyRelation:
        """The private rows."""
        return as_relation(self.private, self.connection)

    @cached_property
    def types(self) -> dict[str, Any]:
        """The types of the private columns."""
        return column_types(self.original)

    @cached_property
    def claim(self) -> TruthClaim:
        """What must be true of the released rows."""
        return make_truth_claim(self.specification, self.certificate)

    @cached_property
    def paths(self) -> dict[str, list[LabelPath]]:
        """For each attribute, the labels of each private value at every level."""
        found = {}
        for name in self.certificate.generalized:
            labels = [label(value) for value in count_column_values(self.original, name)[0]]
            rule, hidden = self.claim.hierarchies[name], self.claim.suppressed_label
            found[name] = list_paths(name, rule, labels, hidden)
        return found
