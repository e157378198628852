"""The version of the package is a semantic version, and the changelog begins with it."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")


def read_version():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def list_versions():
    """Return the versions of the changelog, the latest first."""
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return re.findall(r"^## (\S+)", changelog, re.M)


def test_the_changelog_begins_with_the_version_of_the_package():
    assert list_versions()[0] == read_version()


def test_versions_are_semantic_and_fall():
    assert all(map(SEMANTIC.fullmatch, list_versions()))
    numbers = [tuple(map(int, version.split("."))) for version in list_versions()]
    assert numbers == sorted(set(numbers), reverse=True)
