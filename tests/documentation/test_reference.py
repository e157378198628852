"""Everything that a user can type is documented, and the generated pages are up to date."""

import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest

import lookalike
from lookalike.json_result import read_meanings
from lookalike.spec.specification import Specification

from .api_pages import HEADS, write_names
from .certificate_page import list_certified
from .commands_page import list_commands, own_parameters, write_commands
from .fields_page import list_models, list_tables
from .reference import DOCS, WRITERS, place_of

PROSE = [page for page in DOCS.rglob("*.md") if page.parent.name != "reference"]


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def section_of(page: str) -> str:
    """Return the text of a page, or of the section that its anchor names."""
    path, _, anchor = page.partition("#")
    text = read(DOCS / path)
    parts = re.split(r"(?m)^(?=## )", text)
    chosen = [part for part in parts if slug(part.partition("\n")[0]) == anchor]
    return "".join(chosen) if anchor else text


def slug(heading: str) -> str:
    """Return the anchor of a heading."""
    words = re.sub(r"[^\w\s-]", "", heading.lower())
    return re.sub(r"\s+", "-", words.strip())


@pytest.mark.parametrize("page", WRITERS)
def test_generated_pages_are_up_to_date(page):
    assert read(place_of(page)) == WRITERS[page](), "run python -m tests.documentation.reference"


def test_every_command_and_option_has_a_help():
    silent = [
        f"{name} {parameter.name}"
        for name, command in list_commands()
        for parameter in [command, *own_parameters(command)]
        if not parameter.help
    ]
    assert silent == []


def test_every_command_is_used_on_a_page():
    pages = "\n".join(map(read, PROSE))
    groups = {name.rpartition(" ")[0] for name, _ in list_commands()}
    verbs = [name for name, _ in list_commands() if name not in groups]
    assert [name for name in verbs if f"lookalike {name}" not in pages] == []


def test_every_table_of_a_specification_is_on_the_page():
    assert set(list_models()) == set(list_tables())


def test_every_field_of_a_specification_is_explained():
    models = list_models()
    unexplained = [
        f"{title}: {name}"
        for model, (title, page) in list_tables().items()
        for name in models[model]["properties"]
        if name != "kind"
        if not re.search(rf"`{name}\b|\b{name} =", section_of(page))
    ]
    assert unexplained == []


def test_every_field_of_the_certificate_is_explained():
    for one in list_certified():
        assert list(read_meanings(one)) == [field.name for field in fields(one)], one.__name__


def test_every_public_name_is_on_a_page():
    pages = "".join(map(write_names, HEADS))
    shown = re.findall(r"^::: lookalike\.[\w.]*\.(\w+)$", pages, re.M)
    assert sorted(shown) == sorted([*lookalike.__all__, "Anonymizer"])


def list_own_parameters(function):
    """Return the parameters of a function that are not fields of a specification."""
    models = list_models()
    fields_of = [models[name]["properties"] for name in ("Source", "ReleaseFields")]
    named = {*Specification.model_fields, *(name for one in fields_of for name in one)}
    return [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name not in named and parameter.kind is not parameter.VAR_KEYWORD
    ]


def test_every_public_function_documents_its_parameters():
    missing = [
        f"{name}: {parameter}"
        for name in lookalike.__all__
        if inspect.isfunction(function := getattr(lookalike, name))
        for parameter in list_own_parameters(function)
        if not re.search(rf"(^|, )\*?{parameter}\b", inspect.getdoc(function), re.M)
    ]
    assert missing == []


def test_a_section_is_found_by_its_anchor():
    assert slug("## `[attributes.NAME]`") == "attributesname"
    assert "`row_key`" in section_of("specification.md#source")
    assert "`row_key`" not in section_of("specification.md#release")


def test_a_field_without_an_explanation_is_found():
    class Undocumented:
        """What is it.

        Parameters
        ----------
        first, second
            Two of them.
        """

    assert read_meanings(Undocumented) == {"first": "Two of them.", "second": "Two of them."}


def test_the_page_of_commands_has_every_option():
    page = write_commands()
    options = {
        option
        for _, command in list_commands()
        for parameter in own_parameters(command)
        if parameter.param_type_name == "option"
        for option in parameter.opts
    }
    assert [option for option in options if option not in page] == []
