"""The house stays easy to find one's way in: few rooms, short files, each name defined once."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "lookalike"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.py"))
ROOMS = sorted(folder.parent for folder in PACKAGE.rglob("__init__.py"))
ROOT_ENTRIES = 19
FILE_LINES = 350
FUNCTION_LINES = 40
PARAMETERS = 8
MANY_PARAMETERS = ("kernels/", "shell/commands/")
"""Compiled functions take arrays one by one, and commands have one parameter an option."""
HOPS = re.compile(r"`([a-z_/]+\.py): ([A-Za-z_.]+)`")


def named(path):
    return str(path.relative_to(ROOT))


def functions(path):
    """Return the functions of a file, without those inside of others."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def length(function, place):
    """Return the lines of a function without its docstring; of a command, without its options."""
    documentation = ast.get_docstring(function, clean=False) or ""
    begin = function.body[0].lineno if place.startswith("shell/commands/") else function.lineno
    return function.end_lineno - begin + 1 - len(documentation.splitlines())


def defined(path):
    """Return the public names that a file defines at its top level."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def test_the_package_root_has_few_entries():
    entries = [entry for entry in PACKAGE.iterdir() if entry.name != "__pycache__"]
    assert len(entries) <= ROOT_ENTRIES


@pytest.mark.parametrize("room", ROOMS, ids=named)
def test_every_room_introduces_itself(room):
    introduction = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
    assert introduction
    assert len(introduction.split()) >= 15


@pytest.mark.parametrize("room", ROOMS, ids=named)
def test_a_room_that_exports_names_lists_them(room):
    tree = ast.parse((room / "__init__.py").read_text(encoding="utf-8"))
    holds = {*defined(room / "__init__.py")}
    names = [node for node in tree.body if isinstance(node, ast.ImportFrom | ast.FunctionDef)]
    assert "__all__" in holds or (not names and not holds)


@pytest.mark.parametrize("path", [*SOURCES, *TESTS, *BENCHMARKS], ids=named)
def test_files_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= FILE_LINES


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_functions_are_short_and_take_few_parameters(path):
    place = str(path.relative_to(PACKAGE))
    for function in functions(path):
        given = function.args
        taken = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
        if not place.startswith("kernels/"):
            assert length(function, place) <= FUNCTION_LINES, function.name
        if not place.startswith(MANY_PARAMETERS):
            documented = "parameters beyond eight" in (ast.get_docstring(function) or "")
            assert taken <= PARAMETERS or documented, function.name


def test_every_public_name_is_defined_once():
    places = defaultdict(list)
    for path in SOURCES:
        for name in defined(path):
            if not name.startswith("_"):
                places[name].append(named(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_the_walk_through_the_architecture_names_real_functions():
    walk = HOPS.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    assert len(walk) > 20
    for file, name in walk:
        tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
        *owner, last = name.split(".")
        scope = next(
            node for node in tree.body if getattr(node, "name", None) == (owner or [last])[0]
        )
        inside = scope.body if owner else [scope]
        assert last in {getattr(node, "name", None) for node in inside}, (file, name)
