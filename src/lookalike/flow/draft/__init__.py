"""Drafts: from a raw table to a specification that its holder reviews.

A table is profiled column by column (`column.py`), each column gets a role with a reason, and each
linkable column a hierarchy; the result is a commented TOML file. Nothing is released here.

=======================  =======================================================================
count_column.py          counts the values of a column
propose_hierarchy.py     proposes a hierarchy for a column, from its values and their kind
propose_dates.py         … months and years for dates, whose formats `date_layouts.py` finds
propose_intervals.py     … nested intervals for `numbers.py`
propose_mask.py          … fewer first characters for codes
propose_groups.py        … groups for categories, of a `starter.py` or by frequency
proposed_hierarchy.py    the proposal: its reason, and what to write into the specification
inline_table.py          writes a hierarchy as an inline table of a specification
write_proposed.py        writes a proposal to a file that its holder edits
preview_hierarchy.py     shows what each level of a hierarchy makes of a column
check_hierarchies.py     checks the hierarchies of a specification against its table
=======================  =======================================================================
"""
