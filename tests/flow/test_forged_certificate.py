"""Every forged field of a certificate is found, and what verification needs to find it."""

import copy
import hashlib
import json
from collections.abc import Iterator

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.publish.certificate import Certificate

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

pytestmark = [pytest.mark.slow, pytest.mark.reports]

PEOPLE = pa.table(
    {
        "id": [str(number) for number in range(14)],
        "zip": ["02138", "02139"] * 4 + ["02141", "02142"] * 2 + ["99999", "99998"],
        "sex": ["f"] * 4 + ["m"] * 10,
        "job": ["nurse", "cook"] * 7,
        "pay": ["1200", "2600"] * 7,
        "ill": ["flu", "ache", "rash", "gout", "pox", "cold", "flu"] * 2,
    }
)
ATTRIBUTES = {
    "id": IDENTIFIER,
    "zip": MASKED | {"weight": 2},
    "sex": LINKABLE,
    "job": LINKABLE | {"linking": 0},
    "ill": SENSITIVE,
    "pay": {"role": "other", "round": 1000, "top": 2500, "bottom": 500},
}
WITHOUT_JOB = ATTRIBUTES | {"job": {"role": "other"}}
RELEASES = {
    "attributes": {"attributes": ATTRIBUTES, "method": "mingen", "max_suppressed": 2},
    "cells": {
        "attributes": WITHOUT_JOB,
        "method": "mingen-cells",
        "max_suppressed": 3,
        "suppressed_rows": "blank",
    },
    "µ-Argus": {
        "attributes": WITHOUT_JOB,
        "method": "mu-argus",
        "repair": True,
        "k": 2,
    },
}

FREE = {
    "software": "the version of the program that made it: nothing follows from it",
    "optimality": "a proof is checked with --optimality, and where there is none by the ledger",
    "precision_bound": "likewise",
    "recipient": "the recipient chooses the specification",
}
"""The fields, by their last name, that a specification and the table cannot confirm."""
NEEDS_SPECIFICATION = {
    *FREE,
    "k",
    "name",
    "quasi_identifier",
    "linking",
    "hierarchy",
    "weight",
    "tolerance",
    "height",
    "level",
    "recoding",
    "released_as_they_are",
    "suppressed_label",
    "suppressed_rows",
    "method",
    "parameters",
    "max_suppressed",
    "prefer",
    "constraints",
    "objective",
    "order",
    "formulas",
    "coarsened",
    "pay",
    "round",
    "top",
    "bottom",
    "earlier_releases",
}
"""The fields whose forgery a recipient, without specification and table, cannot find."""


class Kept:
    """A release of people, whose certificate can be forged."""

    def __init__(self, folder, **fields):
        self.folder = folder / "released"
        made = la.release(PEOPLE, source={"row_key": "id"}, **{"k": 3} | fields)
        made.publish(self.folder / "table.csv")
        self.specification = made.specification
        self.path = self.folder / "certificate.json"
        self.content = json.loads(self.path.read_text())

    def forge(self, forged):
        self.path.write_text(json.dumps(forged))

    def is_found_by_recipient(self):
        return self._is_found()

    def is_found_by_holder(self):
        return self._is_found(specification=self.specification, table=PEOPLE)

    def _is_found(self, **known):
        """Return whether verification fails, is incomplete, or refuses the certificate."""
        try:
            verified = la.verify(self.folder, **known)
        except la.InvalidInput:
            return True
        return not (verified.holds and verified.complete)


@pytest.fixture(
    params=[
        pytest.param(name, marks=[pytest.mark.exhaustive] * (name != "cells")) for name in RELEASES
    ]
)
def kept(request, tmp_path):
    return Kept(tmp_path, **RELEASES[request.param])


def list_fields(value, path=()) -> Iterator[tuple]:
    """Yield the path of every value in JSON that is not a non-empty table or list."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        if isinstance(part, dict | list) and part:
            yield from list_fields(part, (*path, key))
        yield (*path, key)


CHOICES = {
    "blank": "drop",
    "drop": "blank",
    "randomized": "kept",
    "proved": "not proved",
    "not proved": "proved",
    "cell level": "attribute level",
    "attribute level": "cell level",
}


def forgeries(value):
    """Return other values that a field could have."""
    if isinstance(value, bool) or value is None:
        return ["x", 1]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, float):
        return [value / 2]
    if isinstance(value, str):
        return [value + "x", CHOICES.get(value, "0.5"), None]
    if isinstance(value, list):
        return [value[1:] or ["x"], value[::-1]]
    return [dict(list(value.items())[1:]), None]


def change(content, path, value):
    forged = copy.deepcopy(content)
    part = forged
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return forged


def is_written_alike(forged, content):
    """Return whether a forgery reads as the same certificate, or is not a valid one."""
    try:
        read = Certificate.from_json(json.dumps(forged), "forged")
    except la.InvalidInput:
        return True
    return read == Certificate.from_json(json.dumps(content), "true")


def list_forgeries(content):
    """Yield the name of every field, and a certificate in which it is forged."""
    for path in list_fields(content):
        for other in forgeries(look_up(content, path)):
            forged = change(content, path, other)
            if not is_written_alike(forged, content):
                yield name_of(path), forged


def look_up(content, path):
    for key in path:
        content = content[key]
    return content


def name_of(path):
    """Return the name of a field: the last that is not a number in a list."""
    names = [key for key in path if isinstance(key, str)]
    if "earlier_releases" in names:
        return "earlier_releases"
    return "parameters" if "parameters" in names else names[-1]


def test_a_release_that_nobody_changed_holds(kept):
    assert not kept.is_found_by_recipient()
    assert not kept.is_found_by_holder()


def test_every_forged_field_is_found_by_those_who_can(kept):
    by_recipient, by_holder, by_neither = set(), set(), set()
    for name, forged in list_forgeries(kept.content):
        kept.forge(forged)
        if kept.is_found_by_recipient():
            by_recipient.add(name)
        else:
            (by_holder if kept.is_found_by_holder() else by_neither).add(name)
    assert by_neither <= {*FREE}
    assert by_holder <= NEEDS_SPECIFICATION
    assert {"statement", "precision", "cells_suppressed", "sha256", "report"} <= by_recipient


def test_what_follows_from_nothing_else_is_found_by_the_ledger(tmp_path):
    ledger = {"ledger": str(tmp_path / "ledger"), "ledger_key": str(tmp_path / "key")}
    kept = Kept(tmp_path, **RELEASES["cells"], **ledger)
    assert not kept.is_found_by_holder()
    kept.forge(kept.content)
    assert kept.is_found_by_holder(), "even if it is written in another way"
    for name, forged in list_forgeries(kept.content):
        if name in {*FREE, "earlier_releases"}:
            kept.forge(forged)
            assert kept.is_found_by_holder(), name


def test_a_file_in_which_every_diagnosis_was_replaced_is_found_by_the_holder(kept):
    file = kept.folder / "table.csv"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], *(forge_diagnosis(line) for line in lines[1:])]) + "\n")
    content = file.read_bytes()
    digest = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    kept.forge(kept.content | {"files": {"table.csv": digest}})
    assert not kept.is_found_by_recipient()
    assert kept.is_found_by_holder()


def test_a_report_that_was_replaced_with_its_digest_is_not_the_one_that_the_folder_gives(kept):
    assert la.report(kept.folder).same
    report = kept.folder / "report.html"
    report.write_text(report.read_text().replace("What is not promised", "Nothing else"))
    content = report.read_bytes()
    digest = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    kept.forge(kept.content | {"report": digest})
    assert not kept.is_found_by_recipient()
    assert not la.report(kept.folder).same


def forge_diagnosis(line):
    others, _, _ = line.rpartition(",")
    return f"{others},healthy"
