"""Drafts: from a raw table to a specification that its holder reviews.

A table is profiled column by column (`column.py`), each column gets a role with a reason, and each
linkable column a hierarchy; the result is a commented TOML file. Nothing is released here.
"""
