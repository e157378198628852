"""Drafts: from a raw table to a specification that its holder reviews.

A table is profiled column by column (`column.py`), each column gets a role with a reason, and each
linkable column a hierarchy; the result is a commented TOML file. Nothing is released here.

=======================  =======================================================================
propose_hierarchy.py     proposes a hierarchy for a column, from its values and their kind
propose_dates.py         … months and years for dates, whose formats `date_layouts.py` finds
propose_intervals.py     … nested intervals for `numbers.py`
propose_mask.py          … fewer first characters for codes
propose_groups.py        … groups for categories, of a `starter.py` or by frequency
proposed_hierarchy.py    the proposal: its reason, and what to write into the specification
inline_table.py          writes a hierarchy as an inline table of a specification
=======================  =======================================================================
"""
