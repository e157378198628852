"""Drafts: from a raw table to a specification that its holder reviews.

A table is profiled column by column, each column gets a role with a reason, and each linkable
column a hierarchy; the result is a commented TOML file. Nothing is released here, and the file
shows no value of the table. Start with ``make_draft.py``.

======================  ======================================================================
file                    what it does
======================  ======================================================================
make_draft.py           the verb `draft`: read, profile, propose, and look at columns together
draft.py                `Draft`, the proposed specification, and the hierarchies of its columns
draft_records.py        the verb `draft_records`: a person table, and tables with their records
linked_draft.py         `LinkedDraft`, the proposed specification of several tables
find_links.py           finds the person table, and the columns by which others refer to it
column.py               `ColumnProfile`, the counted values of a column, and its figures
proposed_column.py      `ProposedColumn`, its role and why
profile.py              counts the values of every column; texts that stand for a missing value
meaning.py              `Meaning`, what a column is about, and what its values look like
meanings.toml           what is recognized, with the words that suggest it
meanings.py             reads it; what numbers must look like to be weights, ages and years
column_words.py         the words of a column's name
recognize.py            from name and values to a meaning
propose_role.py         from meaning and figures to a role
find_answers.py         finds blocks of like columns, the answers of a survey
find_person.py          judges which columns are keys of persons, proposes who is a person
find_derived.py         finds columns that follow from quasi-identifiers, or give them away
linkable_columns.py     `LinkableColumns`, codes of rows by which the bits of columns are measured
choose_linkable.py      chooses the quasi-identifiers that the labels of a release have room for
find_totals.py          finds rows at the end of a file that are no data
propose_hierarchy.py    from values to a hierarchy
propose_dates.py        … months and years for dates, after finding their formats
propose_intervals.py    … nested intervals for `numbers.py`
propose_mask.py         … fewer first characters for codes
unify_spellings.py      … a map for values that are spelled in several ways
proposed_hierarchy.py   the proposal: its reason, and what to write into the specification
preview_hierarchy.py    shows what each level of a hierarchy makes of a column
check_hierarchies.py    checks the hierarchies of a specification against its table
write_toml.py           the specification as commented TOML
toml_text.py            … its keys, texts and values
write_draft.py          writes all files, or none; and the file of a proposed hierarchy
======================  ======================================================================
"""
