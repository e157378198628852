"""Every forged field of a certificate is found, and what verification needs to find it."""

import copy
import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.examine.consistency import check_consistency
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_frame
from lookalike.verify.protections import ProtectionPromise, recount_protection

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

pytestmark = pytest.mark.reports

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
    "accepted": "only the dossier says which findings there were",
}
"""The fields, by their last name, that a specification and the table cannot confirm."""
NEEDS_SPECIFICATION = {
    *FREE,
    "k",
    "mapped",
    "shares_classes",
    "name",
    "quasi_identifier",
    "linking",
    "hierarchy",
    "weight",
    "tolerance",
    "keep",
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
        return self._is_found(spec=self.specification, table=PEOPLE)

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
    if value is ABSENT:
        del part[path[-1]]
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


@pytest.mark.slow
def test_a_release_that_nobody_changed_holds(kept):
    assert not kept.is_found_by_recipient()
    assert not kept.is_found_by_holder()


@pytest.mark.slow
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


PROTECT = {
    "distinct": 2,
    "entropy": 1.5,
    "recursive": {"c": 9, "l": 2},
    "share": 0.9,
    "closeness": {"t": 0.9},
    "likeness": {"beta": 9},
    "disclosure": {"delta": 9},
}
PROTECTED = {
    "attributes": WITHOUT_JOB | {"ill": SENSITIVE | {"protect": PROTECT}},
    "method": "mingen",
    "secrecy": "search",
    "average_risk": 0.5,
}
ABSENT = object()
CRUDE = ("x", "nan", -1, 0, 10**30, 1.5, float("nan"), None, [], {}, ["x"], ABSENT)
"""What a field has after somebody changed it without care."""


def list_crude_forgeries(content):
    """Yield the certificates that can be read although a field was changed without care."""
    for path in list_fields(content):
        for value in CRUDE:
            forged = change(content, path, value)
            if not is_written_alike(forged, content):
                yield forged


def list_promises(certificate):
    """What a recipient reads of protections in a certificate."""
    return [
        ProtectionPromise(one.attributes, one.column, one.protection, one.parameters)
        for one in certificate.protections
    ]


def test_what_can_be_read_can_be_stated_and_counted():
    """Every other error than that of invalid input would be our mistake."""
    made = la.release(PEOPLE, k=3, **PROTECTED)
    rows = as_relation(read_frame(made.table), Connection())
    own, tried = list_promises(made.certificate), 0
    for forged in list_crude_forgeries(json.loads(made.certificate.to_json())):
        certificate = Certificate.from_json(json.dumps(forged), "forged")
        with suppress(la.InvalidInput):
            summarize_certificate(certificate)
            check_consistency(certificate)
            for promise in list_promises(certificate):
                if promise not in own:
                    recount_protection(rows, promise)
        tried += 1
    assert tried > 100


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("fields", [PROTECTED, *RELEASES.values()], ids=["protections", *RELEASES])
def test_a_crude_forgery_ends_in_a_verdict_or_is_refused(fields, tmp_path):
    kept = Kept(tmp_path, **fields)
    for forged in list_crude_forgeries(kept.content):
        kept.forge(forged)
        kept.is_found_by_holder()


@pytest.mark.slow
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


@pytest.mark.parametrize("forged", [{"considered": 7}, {"new_people": True}])
def test_without_the_ledger_what_it_knows_is_named_as_not_checked(forged, tmp_path):
    ledger = {"ledger": str(tmp_path / "ledger"), "ledger_key": str(tmp_path / "key")}
    kept = Kept(tmp_path, **RELEASES["attributes"], **ledger)
    stated = kept.content["earlier_releases"]
    kept.forge(kept.content | {"earlier_releases": stated | forged})
    asked = kept.specification.release.model_copy(update=dict.fromkeys(ledger))
    alone = kept.specification.model_copy(update={"release": asked})
    verified = la.verify(kept.folder, spec=alone, table=PEOPLE)
    said = " ".join(f"{one.claim} {one.found}" for one in verified.findings if not one.checked)
    assert "only the ledger knows" in said
    assert ("7" if "considered" in forged else "new_people is True, not False") in said


@pytest.mark.slow
def test_a_file_in_which_every_diagnosis_was_replaced_is_found_by_the_holder(kept):
    file = kept.folder / "table.csv"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], *(forge_diagnosis(line) for line in lines[1:])]) + "\n")
    content = file.read_bytes()
    digest = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    kept.forge(kept.content | {"files": {"table.csv": digest}})
    assert not kept.is_found_by_recipient()
    assert kept.is_found_by_holder()


@pytest.mark.slow
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
