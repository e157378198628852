"""Every extra of the package has a use that `make try-wheel` tries."""

import tomllib

from .try_wheel import COMMANDS, IMPORTS, OWN, ROOT

TRIED = {*COMMANDS, *IMPORTS}


def test_every_extra_is_used_when_the_wheel_is_tried():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(project["optional-dependencies"]) - OWN == TRIED


def test_every_extra_is_on_the_first_page():
    page = (ROOT / "docs" / "index.md").read_text("utf-8")
    assert [extra for extra in TRIED if f"| `{extra}` |" not in page] == []
