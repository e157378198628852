"""The house stays easy to find one's way in: few rooms, short files, each name defined once."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "lookalike"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.py"))
ROOMS = sorted(folder.parent for folder in PACKAGE.rglob("__init__.py"))
ROOT_ENTRIES = 23
FILE_LINES = 400
FUNCTION_LINES = 40
MODULE_LINES = 40
"""The lines of code below which a module that one other imports belongs into that one."""
NOUNS = ("tables/draw.py",)
"""Small modules that are found by their name: a noun of the design."""
PARAMETERS = 8
MANY_PARAMETERS = ("kernels/", "shell/commands/")
"""Compiled functions take arrays one by one, and commands have one parameter an option."""
HOPS = re.compile(r"`([a-z_/]+\.py): ([A-Za-z_.]+)`")


def named(path):
    return str(path.relative_to(ROOT))


@cache
def parse(path):
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(path):
    """Return the functions of a file, without those inside of others."""
    return [node for node in ast.walk(parse(path)) if isinstance(node, ast.FunctionDef)]


def length(function, place):
    """Return the lines of a function without its docstring; of a command, without its options."""
    documentation = ast.get_docstring(function, clean=False) or ""
    begin = function.body[0].lineno if place.startswith("shell/commands/") else function.lineno
    return function.end_lineno - begin + 1 - len(documentation.splitlines())


def defined(path):
    """Return the public names that a file defines at its top level."""
    for node in parse(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def test_the_package_root_has_few_entries():
    """A stub and its module are one."""
    entries = {entry.stem for entry in PACKAGE.iterdir() if entry.name != "__pycache__"}
    assert len(entries) <= ROOT_ENTRIES


def introduce(room):
    """Return the words of the introduction of a room."""
    return (ast.get_docstring(parse(room / "__init__.py")) or "").split()


def takes_many(function):
    """Return whether a function takes more parameters than it should."""
    given = function.args
    taken = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
    documented = "parameters beyond eight" in (ast.get_docstring(function) or "")
    return taken > PARAMETERS and not documented


def lists_its_names(room):
    """Return whether a room that exports names has a list of them."""
    holds = {*defined(room / "__init__.py")}
    body = parse(room / "__init__.py").body
    names = [node for node in body if isinstance(node, ast.ImportFrom | ast.FunctionDef)]
    return "__all__" in holds or (not names and not holds)


def test_a_room_that_exports_names_lists_them():
    assert [named(room) for room in ROOMS if not lists_its_names(room)] == []


def test_every_room_introduces_itself():
    assert [named(room) for room in ROOMS if len(introduce(room)) < 15] == []


def count_lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def count_code(path):
    """Return the lines of a file without docstrings, comments and blank lines."""
    documented = {
        line
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and ast.get_docstring(node) is not None
        for line in range(node.body[0].lineno, node.body[0].end_lineno + 1)
    }
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    written = (line.strip() for number, line in lines if number not in documented)
    return sum(bool(line) and not line.startswith("#") for line in written)


def find_importers():
    """Return for each module the modules that import it, and those that import it at once."""
    every, at_once = defaultdict(set), defaultdict(set)
    for path in SOURCES:
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ImportFrom):
                module = PACKAGE.parent / node.module.replace(".", "/")
                names = [module / alias.name for alias in node.names]
                for found in {one.with_suffix(".py") for one in (module, *names)}:
                    every[found].add(path)
                    if node in parse(path).body:
                        at_once[found].add(path)
    return every, at_once


def test_a_small_module_with_one_importer_is_a_part_of_it():
    """Unless it is one of several in a registry, a room or a layer, or is imported late."""
    every, at_once = find_importers()
    small = [
        str(path.relative_to(PACKAGE))
        for path in SOURCES
        if len(every[path]) == len(at_once[path]) == 1
        for (importer,) in [every[path]]
        if importer.name != "__init__.py" and importer.parent == path.parent
        if path.name != "__init__.py" and count_code(path) < MODULE_LINES
        if count_lines(path) + count_lines(importer) <= FILE_LINES
    ]
    assert [name for name in small if name not in NOUNS] == []


def test_files_are_short():
    lengths = {named(path): count_lines(path) for path in [*SOURCES, *TESTS, *BENCHMARKS]}
    assert {name: lines for name, lines in lengths.items() if lines > FILE_LINES} == {}


def test_functions_are_short():
    lengths = {
        f"{place}: {function.name}": length(function, place)
        for path in SOURCES
        if not (place := str(path.relative_to(PACKAGE))).startswith("kernels/")
        for function in functions(path)
    }
    assert {name: lines for name, lines in lengths.items() if lines > FUNCTION_LINES} == {}


def test_functions_take_few_parameters():
    assert [
        f"{place}: {function.name}"
        for path in SOURCES
        if not (place := str(path.relative_to(PACKAGE))).startswith(MANY_PARAMETERS)
        for function in functions(path)
        if takes_many(function)
    ] == []


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
        tree = parse(PACKAGE / file)
        *owner, last = name.split(".")
        scope = next(
            node for node in tree.body if getattr(node, "name", None) == (owner or [last])[0]
        )
        inside = scope.body if owner else [scope]
        assert last in {getattr(node, "name", None) for node in inside}, (file, name)
