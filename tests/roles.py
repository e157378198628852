"""Roles that many tests give to columns, as a specification writes them."""

IDENTIFIER = {"role": "identifier"}
MASKED = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
LINKABLE = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
SENSITIVE = {"role": "sensitive"}
UNIQUE = {"role": "other", "unique": True}
