"""Ledger: the memory of what was published, and what the next release may tell beside it."""
