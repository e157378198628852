"""The pages of the Python interface: which public name stands on which page.

The text comes from the docstrings, when MkDocs builds the site (mkdocstrings).
"""

import lookalike

FUNCTIONS = """# Python functions

`import lookalike as la`. A function does what the [command](commands.md) of its name does, and
returns the result as an object. Any pandas, polars, pyarrow, DuckDB, Spark or Ibis table goes in.
"""
RESULTS = """# Results and options

What the [functions](functions.md) return and take, besides [hierarchies](hierarchies.md).
"""
HIERARCHIES = """# Hierarchies in Python

The kinds of hierarchies as classes; [hierarchies](../hierarchies.md) explains them.
"""
ERRORS = """# Errors

Every error that `lookalike` raises on purpose. A command ends with the exit code of the error.
"""
HEADS = {
    "functions": FUNCTIONS,
    "results": RESULTS,
    "hierarchies": HIERARCHIES,
    "errors": ERRORS,
}
TRANSFORMERS = {"Anonymizer": "lookalike.sklearn"}
"""What is public besides the names of the root, which imports no scikit-learn."""


def list_names() -> dict[str, str]:
    """Return every public name with its module."""
    return {name: lookalike._MODULE_OF[name] for name in lookalike.__all__} | TRANSFORMERS


def find_page(name: str) -> str:
    """Return the page of a public name."""
    by_module = {"lookalike.errors": "errors", "lookalike.hierarchy": "hierarchies"}
    return by_module.get(list_names()[name], "functions" if name.islower() else "results")


def write_names(page: str) -> str:
    """Write the page of the names that belong to it."""
    shown = [(name, module) for name, module in list_names().items() if find_page(name) == page]
    return HEADS[page] + "".join(f"\n::: {module}.{name}\n" for name, module in shown)
