"""Settle the names of hierarchy files, so that no file of another table is used by mistake."""

from dataclasses import replace
from pathlib import Path

from lookalike.flow.draft.write_toml import quote_toml
from lookalike.studio.editing.edit_toml import parse_toml, set_field
from lookalike.studio.folder import find_free_name
from lookalike.studio.table_facts import ColumnFacts, TableFacts


def settle_files(facts: TableFacts, folder: Path) -> TableFacts:
    """Return facts whose hierarchy files have free names, in the drafted specification too.

    A name is free if no file of the folder has it, or if that file has the same text.

    Parameters
    ----------
    facts
        The profile of a table.
    folder
        The folder that its specification will be in.
    """
    names = {one.hierarchy_file[0] for one in facts.columns if one.hierarchy_file is not None}
    text, columns = facts.text, []
    for column in facts.columns:
        settled = _settle(column, folder, names)
        if settled is not column:
            text = _name_file(text, column, settled)
        columns.append(settled)
    return replace(facts, columns=tuple(columns), text=text)


def _settle(column: ColumnFacts, folder: Path, names: set[str]) -> ColumnFacts:
    """Return a column whose hierarchy file has a free name, and take that name."""
    if column.hierarchy_file is None:
        return column
    name, text = column.hierarchy_file
    free = find_free_name(folder, name, text, names - {name})
    if free == name:
        return column
    names.add(free)
    table = column.hierarchy.replace(quote_toml(name), quote_toml(free))
    return replace(column, hierarchy=table, hierarchy_file=(free, text))


def _name_file(text: str, before: ColumnFacts, after: ColumnFacts) -> str:
    """Return a drafted specification in which a column names its file by another name."""
    drafted = parse_toml(text)["attributes"][before.name].get("hierarchy")
    if drafted != parse_toml(f"hierarchy = {before.hierarchy}")["hierarchy"]:
        return text
    new = parse_toml(f"hierarchy = {after.hierarchy}")["hierarchy"]
    return set_field(text, ("attributes", before.name), "hierarchy", new)
