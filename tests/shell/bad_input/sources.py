"""Mistakes in the ``[source]`` of a specification: path, query and tables."""

from .case import Bad

SOURCE = 'path = "people.csv"'
QUERY = 'query = "SELECT * FROM patients"\ntables = { patients = "people.csv" }'

SOURCES = [
    Bad(
        "no source",
        ("[source] is missing", 'path = "table.csv"'),
        {'[source]\npath = "people.csv"\n': ""},
    ),
    Bad("source without a table", ("[source] needs either path, or query",), {SOURCE: ""}),
    Bad(
        "path and query together",
        ("[source] needs either path, or query with tables",),
        {SOURCE: f"{SOURCE}\n{QUERY}"},
    ),
    Bad(
        "query without tables",
        ("[source] query and tables go together", "tables = {"),
        {SOURCE: 'query = "SELECT * FROM patients"'},
    ),
    Bad(
        "query over a table that is not declared",
        ("query", "'doctors' is not one of the tables patients", "name its file under tables"),
        {SOURCE: QUERY.replace("FROM", "FROM doctors,")},
    ),
    Bad(
        "query over a file that is not declared",
        ("query", "people.csv", "name its file under tables"),
        {SOURCE: QUERY.replace("FROM patients", "FROM 'people.csv'")},
    ),
    Bad(
        "query that reads a file by function",
        ("query", "'read_csv'", "name its file under tables"),
        {SOURCE: QUERY.replace("FROM patients", "FROM read_csv('people.csv')")},
    ),
    Bad("query that is not SQL", ("query", "syntax error"), {SOURCE: QUERY.replace("*", "* *")}),
    Bad(
        "query that is no query",
        ("query", "SELECT"),
        {SOURCE: QUERY.replace("SELECT * FROM", "DROP VIEW")},
    ),
    Bad("two queries", ("query", "one SELECT"), {SOURCE: QUERY.replace("FROM", "; SELECT 1 FROM")}),
    Bad("empty query", ("query", "SELECT"), {SOURCE: QUERY.replace("SELECT * FROM patients", "")}),
]
