"""Releases of a source that changes, through the whole flow: no attacker gets below k."""

import tempfile
from collections import Counter
from itertools import count
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.ledger.store.row_map import digest_column, hash_rows

from ..effort import examples
from ..releasing import Person, Released, least_candidates, sources
from ..small_tables import rows_of

ROLES = {
    "id": {"role": "identifier"},
    "number": {"role": "quasi-identifier", "hierarchy": la.Mask(length=2)},
    "version": {"role": "other", "unique": True},
}
MASKED = {"0*": (1, 0), "1*": (1, 1), "*": (2, 0)}
"""The meaning of a label: its level, and the number shifted by that many bits."""
MOST_VERSION = 5


def meaning(label):
    return MASKED.get(label) or (0, int(label, 2))


def table_of(source):
    people = sorted(source.items())
    return pa.table(
        {
            "id": [str(key) for key, _ in people],
            "number": [f"{person.number:02b}" for _, person in people],
            "version": [str(person.version) for _, person in people],
        }
    )


class Office:
    """Publishes releases of a source, and reads its ledger to find out which row is whose."""

    def __init__(self, folder, **fields):
        self.folder, self.fields, self.turns = Path(folder), fields, count()
        self.releases = []
        self.place = {"ledger": str(self.folder / "l.db"), "ledger_key": str(self.folder / "key")}

    def release(self, source, name="people"):
        """Release the present source if possible."""
        folder = self.folder / str(next(self.turns))
        try:
            made = la.release(
                table_of(source),
                attributes=ROLES,
                source={"row_key": "id", "name": name, "new_people": True},
                **self.place,
                **self.fields,
            )
        except la.Infeasible:
            return
        made.publish(folder / "table.csv")
        self.releases.append(self.read(source, folder))

    def read(self, source, folder):
        """Return what the release shows of each row; the file must show the same."""
        ledger = la.open_ledger(self.place["ledger"], key=self.place["ledger_key"])
        files, secret = ledger.releases()[-1].files, ledger.secret()
        owners = self.known(secret, id=[str(key) for key in range(12)])
        texts = self.known(secret, version=[str(number) for number in range(MOST_VERSION)])
        labels, versions = {}, {}
        for row in files.read_rows().to_pylist():
            if row["class"] is not None:
                key = int(owners["key", row["key"]])
                labels[key] = files.read_classes().labels[0][row["class"]]
                versions[key] = texts["value", row["value version"]]
        names = {"number": pa.string(), "version": pa.string()}
        options = pa.csv.ConvertOptions(column_types=names)
        file = pa.csv.read_csv(folder / "table.csv", convert_options=options)
        assert Counter(rows_of(file)) == Counter((labels[key], versions[key]) for key in labels)
        meant = {key: meaning(label) for key, label in labels.items()}
        return Released(source, meant, {key: int(text) for key, text in versions.items()})

    def known(self, secret, **values):
        """Return the value of each hash."""
        [(name, texts)] = values.items()
        if name == "id":
            kind, hashes = "key", hash_rows(pa.table(values), [name], secret=secret, kind="key")
        else:
            kind, hashes = "value", digest_column(name, pa.array(texts), secret)
        return {(kind, one): text for one, text in zip(hashes.to_pylist(), texts, strict=True)}


@examples(5)
@given(
    sources(),
    st.integers(2, 3),
    st.sampled_from(["datafly", "mingen", "k-similar"]),
    st.sampled_from(["drop", "blank"]),
    st.booleans(),
)
def test_an_attacker_who_knows_nearly_everything_gets_nowhere(times, k, method, rows, knows):
    with tempfile.TemporaryDirectory() as folder:
        office = Office(folder, k=k, method=method, suppressed_rows=rows, max_suppressed=2)
        for source in times:
            office.release(source)
    last = {}
    for number, release in enumerate(office.releases, start=1):
        left = least_candidates(office.releases[:number], knows_changes=knows)
        assert left == 0 or left >= k
        for key, (level, _) in release.labels.items():
            assert level >= last.get(key, 0), "a value became more specific"
            last[key] = level


def test_the_attacker_finds_somebody_where_releases_are_not_based_on_each_other(tmp_path):
    office = Office(tmp_path, k=2)
    for number in (5, 4):
        office.release({key: Person(0) for key in range(number)}, name=f"{number} people")
    assert least_candidates(office.releases) == 1
