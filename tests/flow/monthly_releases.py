"""A steward who publishes releases of a small table month by month, based on earlier ones."""

from collections import Counter

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import lookalike as la

from ..small_tables import rows_of

ROLES = {
    "id": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "ill": {"role": "sensitive"},
}
MARCH = [
    ("ann", "02138", "flu"),
    ("bob", "02138", "gout"),
    ("cid", "02139", "flu"),
    ("dee", "02139", "flu"),
    ("eve", "02139", "pox"),
    ("fay", "02141", "gout"),
]


def table_of(rows):
    return pa.table(dict(zip(ROLES, map(list, zip(*rows, strict=True)), strict=True)))


def changed(rows, **values):
    """Return rows in which some people have other values: of ``ill``, or (zip, ill)."""
    return [
        (
            name,
            *(
                (zip_, values.get(name, ill))
                if isinstance(values.get(name, ill), str)
                else values[name]
            ),
        )
        for name, zip_, ill in rows
    ]


class Steward:
    """Publishes one release after the other, each to a folder of its own."""

    def __init__(self, folder):
        self.folder, self.turn = folder, 0

    def prepare(self, table, **fields):
        table = table_of(table) if isinstance(table, list) else table
        source = {"row_key": "id", "name": "people"}
        given = {"k": 2, "method": "datafly", "attributes": ROLES, "source": source}
        ledger = {"ledger": str(self.folder / "l.db"), "ledger_key": str(self.folder / "key")}
        return la.release(table, **given | ledger | fields)

    def release(self, table, out="table.csv", **fields):
        made = self.prepare(table, **fields)
        self.turn += 1
        made.publish(self.place / out)
        return made

    @property
    def place(self):
        return self.folder / str(self.turn)

    @property
    def rows(self):
        """The rows of the last release, counted."""
        options = pa.csv.ConvertOptions(column_types={"zip": pa.string(), "ill": pa.string()})
        shown = pa.csv.read_csv(self.place / "table.csv", convert_options=options)
        return Counter(rows_of(shown))

    def ledger(self):
        return la.open_ledger(self.folder / "l.db", key=self.folder / "key")


def fates(made):
    basis = made.basis
    return (basis.rows_kept, basis.rows_renewed, basis.rows_joined, basis.rows_waiting)
