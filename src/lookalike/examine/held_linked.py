"""Compare a release of linked tables with the specification and the private tables of its holder.

Start reading at :func:`check_held_linked`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import narwhals as nw

from lookalike.errors import InvalidInput
from lookalike.examine.held_tables import HeldTable
from lookalike.examine.promises import read_promises
from lookalike.examine.specification import describe_differences, list_requested
from lookalike.hierarchy.discreet import Discreet
from lookalike.publish.linked_certificate import CertifiedTable, LinkedCertificate
from lookalike.search.methods import TAKES
from lookalike.spec.record_fields import list_distinct
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.labels import label
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.linked_rows import LinkedRows
from lookalike.verify.linked_truth import LinkedPair, count_apart, count_untruthful_persons
from lookalike.verify.recount import Finding
from lookalike.verify.released_values import count_column_values
from lookalike.verify.values import list_paths

_Fields = Mapping[str, tuple[object, object]]
"""For each field its value in the certificate and the value that the holder's files imply."""


@dataclass(frozen=True, eq=False)
class HeldLinked(Discreet):
    """A published release of linked tables, with the specification and tables of its holder.

    ``released``: the rows of each table and set, in the order of the certificate.
    """

    certificate: LinkedCertificate
    specification: Specification
    private: Sequence[HeldTable]
    released: Sequence[LinkedRows]
    connection: Connection

    @property
    def both(self) -> Iterator[tuple[CertifiedTable, HeldTable, LinkedRows]]:
        """What is certified of each table, its private rows, and the released ones."""
        return zip(self.certificate.tables, self.private, self.released, strict=True)


def require_same_tables(certificate: LinkedCertificate, private: Sequence[HeldTable]) -> None:
    """Refuse a specification whose tables are not those of a release, or linked in another way."""
    stated, asked = ([one.name for one in tables] for tables in (certificate.tables, private))
    wrong = [] if stated == asked else [f"its tables are {_list(asked)}, not {_list(stated)}"]
    for table, held in zip(certificate.tables, private, strict=False):
        fields = held.fields
        refers = None if fields is None else next(iter(fields.refers.items()), None)
        several = certificate.linked and held.separator is None and not _is_alone(private)
        known = {
            "quasi-identifier": ([*held.specification.hierarchies()], [*table.generalized]),
            "column of persons": (held.link if several else None, table.link),
            "separator": (held.separator, table.separator),
            "key": (_find_key(held, private), table.key),
            "reference": (refers, table.refers),
        }
        wrong += [
            f"{held.name}: its {name} is {_write(own)}, not {_write(other)}"
            for name, (own, other) in known.items()
            if own != other
        ]
    if wrong:
        raise InvalidInput(f"the specification is not that of this release: {wrong[0]}")


def _is_alone(private: Sequence[HeldTable]) -> bool:
    """Return whether there is a person table without tables of records."""
    return all(one.fields is None for one in private)


def _find_key(held: HeldTable, private: Sequence[HeldTable]) -> str | None:
    """Return the column by which other tables refer to the records of a table, if one does."""
    referred = [one.fields.refers.values() for one in private if one.fields is not None]
    known = any(held.name in targets for targets in referred)
    return held.fields.key if held.fields is not None and known else None


def _write(value: object) -> str:
    """Write a value that two files should agree on."""
    several = value if isinstance(value, tuple | list) else [value]
    return _list([str(one) for one in several if one is not None])


def _list(names: Sequence[str]) -> str:
    """List names, or say that there are none."""
    return ", ".join(names) or "none"


def check_held_linked(held: HeldLinked) -> Iterator[Finding]:
    """Check a release against the specification and the private tables of its holder."""
    wrong = describe_differences({**_compare_release(held), **_compare_tables(held)})
    yield Finding("the certificate matches the specification", not wrong, wrong or "it does")
    other = describe_differences(_compare_options(held))
    yield Finding(
        "the certificate names the options of the specification",
        True,
        f"{other}; was it given on the command line?" if other else "it does",
        checked=not other,
    )
    yield _check_heights(held)
    pairs = [*_pair(held)]
    units = held.certificate.units
    linked = [one for one in pairs if one.released_link is not None]
    if linked:
        untrue = count_untruthful_persons(held.connection, linked)
        claim = f"all released {units} generalize private {units} of their own"
        found = f"{untrue:,} {'does' if untrue == 1 else 'do'} not" if untrue else "all do"
        if untrue is None:
            found = f"not checked: so many {units} fit each other that it takes more memory"
        yield Finding(claim, not untrue, found, checked=untrue is not None)
    for table, pair in zip(held.certificate.tables, pairs, strict=True):
        if pair.released_link is None:
            yield from _check_apart(held, table, pair)


def _compare_release(held: HeldLinked) -> _Fields:
    """Compare what the certificate says of all tables."""
    certificate, asked = held.certificate, held.specification.release
    first = held.private[0]
    persons = {one for table in held.private for one in table.list_persons()}
    [promise] = read_promises(held.specification, 0)
    expected = {
        "k": max(promise.k, certificate.k),
        "linked": asked.link,
        "one_row_each": first.fields is None and first.specification.person_column is None,
        "unit": asked.unit,
        "suppressed_label": asked.suppressed_label,
        "persons_in": len(first.rows if first.fields is None else persons),
    }
    return {name: (getattr(certificate, name), value) for name, value in expected.items()}


def _compare_tables(held: HeldLinked) -> _Fields:
    """Compare what the certificate says of each table."""
    compared: dict[str, tuple[object, object]] = {}
    drops = held.specification.release.suppressed_records == "drop"
    for table, private, _ in held.both:
        columns, fields = private.specification.attributes, private.fields
        own = held.specification.attributes.get(private.name)
        sets = own.knows or 0 if own is not None and private.separator else None
        expected = {
            "knows": sets if fields is None else fields.knows,
            "at_most": None if fields is None else fields.at_most,
            "released_as_they_are": (*sorted(private.unchanged),),
            "distinct": list_distinct(columns) if fields is None else {},
            "rows_in": len(private.rows),
            "rows_dropped": table.rows_dropped if drops and table.knows is not None else 0,
        }
        stated = {name: getattr(table, name) for name in expected}
        stated["released_as_they_are"] = (*sorted(table.released_as_they_are),)
        for name, rule in private.specification.hierarchies().items():
            done = table.generalized[name]
            expected[name], stated[name] = (
                (rule.name, str(columns[name].weight)),
                (done.hierarchy, done.weight),
            )
        compared |= {f"{table.name}.{name}": (stated[name], expected[name]) for name in expected}
    return compared


def _compare_options(held: HeldLinked) -> _Fields:
    """Compare the options of the search, which may have been given on the command line."""
    asked = held.specification.release
    requested = list_requested(asked)
    expected = {name: requested[name] for name in ("method", "max_suppressed", "constraints")}
    expected["objective"] = asked.objective if TAKES[asked.method].optimizes else None
    return {name: (getattr(held.certificate, name), one) for name, one in expected.items()}


def _check_heights(held: HeldLinked) -> Finding:
    """Check the height of every hierarchy, over the private values."""
    wrong, hidden = list[str](), held.certificate.suppressed_label
    for table, private, _ in held.both:
        rows = as_relation(nw.from_native(private.rows), held.connection)
        for name, rule in private.specification.hierarchies().items():
            labels = [label(value) for value in count_column_values(rows, name)[0]]
            paths = list_paths(name, rule, labels, hidden)
            height = len(paths[0]) - 1 if paths else table.generalized[name].height
            if height != table.generalized[name].height:
                wrong.append(f"the hierarchy of {table.name}.{name} has height {height}")
    claim = "hierarchy heights match the certificate"
    return Finding(claim, not wrong, "; ".join(wrong) or "they do")


def _pair(held: HeldLinked) -> Iterator[LinkedPair]:
    """Return each private table and its release, with what is claimed of both.

    Records of released persons may be left out only where the certificate says so.
    """
    places = [one.name for one in held.released if one.link is not None]
    for table, private, rows in held.both:
        claim = TruthClaim(
            hierarchies=private.specification.hierarchies(),
            levels={name: done.level for name, done in table.generalized.items()},
            unchanged=private.unchanged,
            blank=False,
            suppressed_label=held.certificate.suppressed_label,
        )
        yield LinkedPair(
            nw.from_native(private.rows, eager_only=True),
            rows.rows,
            claim,
            private.link,
            rows.link,
            partial=table.rows_dropped > 0,
            at_most=table.at_most,
            key=rows.key,
            refers=None if rows.refers is None else (rows.refers[0], places.index(rows.refers[1])),
        )


def _check_apart(held: HeldLinked, table: CertifiedTable, pair: LinkedPair) -> Iterator[Finding]:
    """Check the rows of a table that does not show whose they are, and count their persons.

    Nobody knows any more which persons were left out, so their number is bounded.
    """
    found = count_apart(held.connection, pair)
    yield Finding(
        f"every row of {table.file} generalizes a private row of its own",
        not found.untrue,
        f"{found.untrue:,} do not" if found.untrue else "all do",
    )
    if table.knows and table.rows_out:
        yield _judge_persons(held.certificate, table, found.least, found.most)


def _judge_persons(
    certificate: LinkedCertificate, table: CertifiedTable, least: int, most: int
) -> Finding:
    """Judge how many persons share the values of a record, of which bounds are known."""
    k, units = certificate.k_reached, certificate.units
    claim = f"at least {k} {units} share the values of a record of {table.file}"
    if least >= k or most < k:
        found = f"{least:,} at the least" if least >= k else f"{most:,} at the most"
        return Finding(claim, least >= k, found)
    unknown = f"not checked: {least:,} to {most:,}, as the folder does not show who was left out"
    return Finding(claim, True, unknown, checked=False)
