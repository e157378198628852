"""The commands of the example workflow run, and the container file copies what there is."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"


def test_the_commands_of_the_workflow_accept_a_release(folder, after, type_in):
    after("release patients.toml")
    text = (EXAMPLES / "check_release.yml").read_text()
    commands = re.findall(r"- run: lookalike (.+)", text)
    assert [command.split()[0] for command in commands] == ["verify", "check"]
    assert [type_in(command)[0] for command in commands] == [0, 0]
    file = folder / "released" / "patients.csv"
    file.write_text(file.read_text().replace("1965", "1966", 1))
    assert [type_in(command)[0] for command in commands] == [1, 1]


def test_the_container_has_what_an_installation_needs():
    text = (EXAMPLES / "Containerfile").read_text()
    copied = [name for line in re.findall(r"^COPY (.+) \S+$", text, re.M) for name in line.split()]
    assert copied == ["pyproject.toml", "README.md", "LICENSE", "constraints.txt", "src"]
    assert [name for name in copied if not (ROOT / name).exists()] == []
