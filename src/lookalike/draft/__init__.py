"""Drafts: from a raw table to a specification that its holder reviews.

A table is profiled column by column, each column gets a role with a reason, and each linkable
column a hierarchy; the result is a commented TOML file. Nothing is released here, and the file
shows no value of the table. Start with ``make_draft.py``.

======================  ======================================================================
file                    what it does
======================  ======================================================================
make_draft.py           the verb `draft`: read, profile, propose, and look at columns together
draft.py                `Draft`, the proposed specification
column.py               `ColumnProfile`, the distinct values of a column
proposed_column.py      `ProposedColumn`, its role and why
profile.py              counts the values of every column
missing_markers.py      finds texts that stand for a missing value
figures.py              how far the values of a column single out rows
shape.py                what values look like: dates, numbers, e-mail addresses …
meaning.py              `Meaning`, what a column is about
meanings.py             identifiers and dates that are recognized
attribute_meanings.py   demographics, events and sensitive columns that are recognized
number_meanings.py      what numbers must look like to be weights, ages and years
column_words.py         the words of a column's name
recognize.py            from name and values to a meaning
propose_role.py         from meaning and figures to a role
find_person.py          proposes who is a person
find_person_keys.py     judges which columns behave like keys of persons
find_derived.py         finds columns that follow from quasi-identifiers, or give them away
find_totals.py          finds rows at the end of a file that are no data
describe_findings.py    what was found about the table as a whole
propose_hierarchy.py    from values to a hierarchy
count_column.py         counts the values of a column
propose_dates.py        … months and years for dates, whose formats `date_layouts.py` finds
propose_intervals.py    … nested intervals for `numbers.py`
propose_mask.py         … fewer first characters for codes
proposed_hierarchy.py   the proposal: its reason, and what to write into the specification
inline_table.py         writes a hierarchy as an inline table of a specification
write_proposed.py       writes a proposal to a file that its holder edits
preview_hierarchy.py    shows what each level of a hierarchy makes of a column
check_hierarchies.py    checks the hierarchies of a specification against its table
assign_hierarchy.py     gives it to a quasi-identifier
distinguish_files.py    gives hierarchy files different names
write_toml.py           the specification as commented TOML
write_draft.py          writes all files, or none
======================  ======================================================================
"""
