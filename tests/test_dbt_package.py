"""The SQL of the dbt package, rendered as dbt renders it, on DuckDB.

``make try-pipelines`` runs the package with dbt itself.
"""

from pathlib import Path

import duckdb
import jinja2
import pytest

import lookalike as la

PACKAGE = Path(__file__).parent.parent / "integrations" / "dbt"
MACROS = "\n".join(one.read_text() for one in sorted((PACKAGE / "macros").glob("*.sql")))
PEOPLE = """
CREATE TABLE people AS FROM (VALUES
    ('02138', 'f', 1, 'flu'), ('02138', 'f', 1, 'flu'), ('02138', 'f', 2, NULL),
    (NULL, 'm', 3, 'flu'), (NULL, 'm', 4, 'cold'), (NULL, 'm', 5, 'cold')
) AS t(zip, sex, person, ill)
"""
BY = ["zip", "sex"]


class CompilerError(Exception):
    """What dbt raises for an argument that cannot be used."""


class Exceptions:
    """The functions of dbt that raise."""

    @staticmethod
    def raise_compiler_error(message):
        raise CompilerError(message)


def render(name, **arguments):
    """Return the SQL of a test; dbt makes a macro with a prefix of what stands between its tags."""
    text = MACROS.replace("{% test ", "{% macro test_").replace("{% endtest %}", "{% endmacro %}")
    package = {}
    known = {"exceptions": Exceptions, "lookalike": package}
    strict = jinja2.Environment(undefined=jinja2.StrictUndefined)
    module = strict.from_string(text, globals=known).module
    package["check_arguments"] = module.check_arguments
    return str(getattr(module, f"test_{name}")("people", **arguments))


@pytest.fixture
def database():
    with duckdb.connect() as connection:
        connection.execute(PEOPLE)
        yield connection


@pytest.mark.parametrize(
    ("name", "arguments", "failure"),
    [
        ("k_anonymous", {"k": 3}, []),
        ("k_anonymous", {"k": 4}, [(2, 6, 3)]),
        ("k_anonymous", {"k": 3, "person": "person"}, [(1, 3, 2)]),
        ("k_anonymous", {"k": 2, "person": "person"}, []),
        ("l_diverse", {"l": 2, "sensitive": "ill"}, []),
        ("l_diverse", {"l": 3, "sensitive": "ill"}, [(2, 6, 2)]),
    ],
)
def test_a_failure_is_one_row_of_figures(name, arguments, failure, database):
    query = render(name, quasi_identifiers=BY, **arguments)
    assert database.sql(query).fetchall() == failure


def test_the_figures_are_those_of_the_package(database):
    table = database.sql("FROM people").to_arrow_table()
    checked = la.check(table, BY, 4, person="person")
    query = render("k_anonymous", quasi_identifiers=BY, k=4, person="person")
    [(_, _, smallest)] = database.sql(query).fetchall()
    assert (smallest, checked.holds) == (checked.k_persons, False)


def test_an_empty_table_has_no_class_below_k(database):
    database.execute("DELETE FROM people")
    assert database.sql(render("k_anonymous", quasi_identifiers=BY, k=9)).fetchall() == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"quasi_identifiers": "zip", "k": 2},
        {"quasi_identifiers": [], "k": 2},
        {"quasi_identifiers": BY, "k": 1},
        {"quasi_identifiers": BY, "k": True},
        {"quasi_identifiers": BY, "k": "5"},
    ],
)
def test_arguments_that_promise_nothing_are_refused(arguments):
    with pytest.raises(CompilerError, match="must be a"):
        render("k_anonymous", **arguments)
