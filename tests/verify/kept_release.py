"""A published cell-level release with its proof of optimality, and ways to tamper with both."""

import hashlib
import json
from decimal import Decimal
from fractions import Fraction

import pyarrow as pa

import lookalike as la
from lookalike.verify.bound.proof import OPTIMALITY, decode_values, encode_values, round_bound

from ..publish_once import publish_once

ATTRIBUTES = {
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}, "weight": Decimal("1.5")},
    "job": {
        "role": "quasi-identifier",
        "hierarchy": {
            "kind": "taxonomy",
            "tree": {"care": ["nurse", "doctor"], "craft": ["smith", "baker"]},
            "unknown": "suppress",
        },
    },
    "ill": {"role": "sensitive"},
}
COLUMNS = {
    "zip": ["02138", "02139", "02139", "02141", "02141", "02142", "99999", None, None],
    "job": ["nurse", "nurse", "doctor", "smith", "smith", "baker", "spy", "nurse", "nurse"],
    "ill": ["flu", "flu", "ache", "flu", "ache", "pox", "pox", "flu", "flu"],
}
PRIVATE = pa.table(COLUMNS)

RELEASE = "the proof of optimality belongs to this release"
TABLE = "the proof belongs to this private table"
HIERARCHIES = "the proof belongs to these hierarchies"
OBJECTIVE = "the proof is for the objective"
WEIGHTS = "the proof is for the weights of the certificate"
LEVELS = "the proof is for the levels that the constraints allow"
EXACTLY = "the proof has a value for each distinct sequence, in whole units"
PRICE = "no value exceeds the cost of a suppressed row and the price of suppressing it"
GROUPS = "in every tuple, the values of 2 rows sum to at most their cost"
VALUES = "every release costs"
SEARCHED = "by an exhaustive search, every release costs"
BOUND = "no release has a precision above"
COST = "the release has a precision of"
PROVED = "a better release is not ruled out"


class Kept:
    """A release at the cell level with a dossier, and ways to tamper with both."""

    def __init__(self, place, price=0, attributes=ATTRIBUTES, **fields):
        asked = {"k": 2, "method": "mingen-cells", "effort": "quick", "keep_order": True, **fields}

        def publish(folder):
            made = la.release(PRIVATE, attributes=attributes, **asked)
            made.publish(folder / "released" / "table.csv", dossier=folder / "private")
            return made

        made = publish_once(place, (attributes, asked), publish)
        self.folder, self.dossier = place / "released", place / "private"
        self.specification, self.recoding = made.specification, made.recoding
        if price:
            self.raise_price(price)

    @property
    def proof(self):
        return json.loads((self.dossier / OPTIMALITY).read_text())

    def change(self, **fields):
        (self.dossier / OPTIMALITY).write_text(json.dumps(self.proof | fields))

    def raise_price(self, price):
        """Raise the price of suppressing a row: the bound is weaker then, and no less true."""
        proof = self.proof
        bound = proof["bound"] - price * proof["allowed"]
        cells = PRIVATE.num_rows * sum(map(Fraction, proof["weights"]))
        precision = float(1 - Fraction(bound, proof["scale"]) / cells)
        self.change(price=price, bound=bound, precision_bound=precision)
        self.certify(precision_bound=round_bound(precision, proof["precision"]))

    def change_value(self, place, by):
        values = decode_values(self.proof["values"])
        values[place] += by
        self.change(values=encode_values(values))

    def certify(self, **fields):
        path = self.folder / "certificate.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | fields))

    def edit(self, before, after):
        """Change the released table, and both digests of it."""
        path = self.folder / "table.csv"
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after, 1))
        content = path.read_bytes()
        digest = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        self.certify(files={"table.csv": digest})
        self.change(release_sha256=digest["sha256"])

    def findings(self, table=PRIVATE, specification=None):
        proof = la.verify(
            self.folder,
            spec=specification or self.specification,
            table=table,
            optimality=self.dossier,
        )
        return proof.findings

    def failures(self, **others):
        """Return what does not hold, and what was found instead."""
        return {one.claim: one.found for one in self.findings(**others) if not one.holds}

    def failed(self, **others):
        return [*self.failures(**others)]


def starts(claims, *beginnings):
    assert len(claims) == len(beginnings), claims
    return all(c.startswith(b) for c, b in zip(claims, beginnings, strict=True))
