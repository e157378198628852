"""Mistakes in the query of a source."""

from .case import Bad
from .specifications import QUERY, SOURCE

QUERIES = [
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
