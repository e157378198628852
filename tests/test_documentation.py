"""The examples of the README and of the pages under docs/ run and print what they show."""

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from lookalike.spec.specification import Specification

from .demo_files import copy_demo

pytestmark = pytest.mark.reports

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
COMMAND = Path(sys.executable).with_name("lookalike")


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def pages_with(language: str, pages: list[Path] = PAGES) -> pytest.MarkDecorator:
    """Return the parameters of a test over the pages that have blocks of a language."""
    having = [page for page in pages if blocks(page, language)]
    return pytest.mark.parametrize("page", having, ids=lambda page: str(page.relative_to(ROOT)))


def lines_of(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def without_seconds(lines: list[str]) -> list[str]:
    """Remove the seconds, the last column of a comparison."""
    return [re.sub(r"  +\d+\.\d\d$", "", line) for line in lines]


@pytest.fixture
def demo_folder(tmp_path, monkeypatch):
    copy_demo(tmp_path / "demo")
    monkeypatch.chdir(tmp_path / "demo")
    return tmp_path / "demo"


@pages_with("python")
def test_python_examples_run(page, demo_folder):
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), {})


@pages_with("toml")
def test_specifications_are_valid(page):
    for block in blocks(page, "toml"):
        Specification.build(tomllib.loads(block, parse_float=Decimal))


def check_commands(page: Path, run: Callable[[str], tuple[str, str]]) -> None:
    """Compare the output of each command of a page with the page."""
    for block in blocks(page, "console"):
        for command, shown in re.findall(r"^\$ lookalike (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            output, errors = run(command)
            printed, expected = lines_of(output), lines_of(shown)
            if command.startswith("compare"):
                printed, expected = without_seconds(printed), without_seconds(expected)
            assert printed == expected, command
            assert errors == ""


@pages_with("console", PAGES[1:])
def test_commands_print_what_the_page_shows(page, demo_folder, type_in, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    check_commands(page, lambda command: type_in(command)[1:])


@pytest.mark.slow
def test_commands_print_what_the_readme_shows(demo_folder, monkeypatch):
    """Each command runs in its own process, as in a shell."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(command: str) -> tuple[str, str]:
        words = [COMMAND, *shlex.split(command)]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        # on a busy machine a command takes longer than the time after which it says how far it is
        return ran.stdout, re.sub(r"lookalike: [^\n]* \(\d+ s in all\)\n", "", ran.stderr)

    check_commands(PAGES[0], run)


def test_demo_prints_what_the_readme_shows_and_leaves_nothing_behind(
    tmp_path, monkeypatch, type_in
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    code, output, errors = type_in("demo")
    assert (code, errors) == (0, "")
    printed = iter(lines_of(output))
    shown = lines_of(blocks(ROOT / "README.md", "text")[0])
    assert [line for line in shown if line not in printed] == []
    assert "Not 2-anonymous over race, birth_date, gender, zip." in output
    assert "The release matches its certificate." in output
    assert "30,162 census records" in output
    assert "\x1b[" not in output
    assert not list(tmp_path.iterdir())
