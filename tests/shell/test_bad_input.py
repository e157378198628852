"""Every mistake is answered with its place and its remedy, and nothing private."""

import json
import re
import tempfile
from pathlib import Path

import pytest

from lookalike.tables.private_folders import scratch_folder

from .bad_input.argus import ARGUS
from .bad_input.attacks import ATTACKS
from .bad_input.case import FILES, HEADER, ROWS, Bad
from .bad_input.commands import COMMANDS
from .bad_input.drafts import DRAFTS
from .bad_input.hierarchies import HIERARCHIES
from .bad_input.protection import PROTECTION
from .bad_input.risk import RISK
from .bad_input.sources import SOURCES
from .bad_input.specifications import SPECIFICATIONS
from .bad_input.tables import TABLES

CATALOGUE = {
    f"{chapter}: {bad.id}": bad
    for chapter, cases in {
        "specification": SPECIFICATIONS,
        "source": SOURCES,
        "protection": PROTECTION,
        "table": TABLES,
        "hierarchy": HIERARCHIES,
        "draft": DRAFTS,
        "command": COMMANDS,
        "mu-argus": ARGUS,
        "risk": RISK,
        "attack": ATTACKS,
    }.items()
    for bad in cases
}
PRIVATE = {
    column: {row.split(",")[position] for row in ROWS}
    for position, column in enumerate(HEADER.split(","))
}
NOT_AN_ERROR = 1


@pytest.fixture
def folder(stage, monkeypatch):
    """A folder with a good release, and a place for temporary files beside it."""
    place, temporary = stage / "folder", stage / "temporary"
    place.mkdir()
    temporary.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    scratch_folder().remove()
    for name, content in FILES.items():
        (place / name).write_text(content, encoding="utf-8")
    return place


def spoil(folder: Path, bad: Bad) -> None:
    """Change what the case changes."""
    specification = (folder / "spec.toml").read_text(encoding="utf-8")
    for before, after in bad.change.items():
        assert before in specification
        specification = specification.replace(before, after)
    (folder / "spec.toml").write_text(specification, encoding="utf-8")
    for name, content in bad.files.items():
        path = folder / name
        if content is None:
            path.unlink()
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    for name, mode in bad.modes.items():
        (folder / name).chmod(mode)


def contents(folder: Path) -> dict[Path, bytes]:
    """Return every file and folder below the one that holds all, hidden ones too."""
    return {path: path.read_bytes() if path.is_file() else b"" for path in folder.parent.rglob("*")}


def test_what_the_catalogue_changes_is_good(folder, type_in):
    assert type_in("release spec.toml")[0] == 0
    assert type_in("verify released --spec spec.toml")[0] == 0


@pytest.mark.parametrize("bad", CATALOGUE.values(), ids=CATALOGUE)
def test_a_mistake_is_named_and_leaves_nothing_behind(bad, folder, after, type_in):
    if bad.first:
        after(bad.first)
    spoil(folder, bad)
    before = contents(folder)

    code, told, complaint = type_in(bad.command)
    json_code, json_told, json_complaint = type_in(f"{bad.command} --json")

    assert (code, json_code) == (bad.code, bad.code)
    assert contents(folder) == before
    answer = json.loads(json_told)
    assert json_complaint == ""
    if bad.code == NOT_AN_ERROR:
        assert complaint == ""
        assert answer["holds"] is False
    else:
        assert told == ""
        assert answer == {"error": complaint.removeprefix("lookalike: ").rstrip("\n"), "exit": code}
    shown = " ".join((told + complaint).split())
    for piece in bad.says:
        assert piece in shown
    hidden = set().union(*(values for name, values in PRIVATE.items() if name != bad.shows))
    printed = re.sub(r'"seconds_per_vector": [^,]*', "", shown + json_told)
    printed = printed.replace(str(folder), "")
    assert not [value for value in hidden if value in printed]
