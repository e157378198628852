"""Pages of the repository's root as pages of the site, and docstring roles as plain code.

MkDocs runs the functions of this file (``hooks`` in mkdocs.yml). The pages below ``docs/`` link to
the files of the root, and these link back, by the paths that hold in a clone; on the site the
files of the root are pages beside the others, and the links follow.
"""

import re
from pathlib import Path
from posixpath import dirname, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
ROOT_PAGES = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
"""The files of the root that are pages of the site, each with its place there."""

LINK = re.compile(r"(?<=\]\()([^)#:\s]+)")
ROLE = re.compile(r":[a-z]+:<code>(~?)([\w.]+)</code>")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the root."""
    for source, place in ROOT_PAGES.items():
        files.append(File.generated(config, place, content=(ROOT / source).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Let links between the root and docs/ lead to pages of the site."""
    return LINK.sub(lambda found: _move_link(page.file.src_uri, found[1]), markdown)


def on_page_content(html: str, **_: object) -> str:
    """Show ``:func:`~lookalike.flow.release.release``` as ``release``."""
    return ROLE.sub(lambda found: f"<code>{_shorten(found[1], found[2])}</code>", html)


def _move_link(page: str, link: str) -> str:
    """Return a link of a page of the site that leads where it leads in a clone."""
    if page in ROOT_PAGES.values():
        return ROOT_PAGES.get(link, link.removeprefix("docs/"))
    target = relpath(f"docs/{dirname(page)}/{link}", ".")
    return relpath(ROOT_PAGES[target], dirname(page) or ".") if target in ROOT_PAGES else link


def _shorten(tilde: str, name: str) -> str:
    """Return the name that a role shows: the last part if it begins with a tilde."""
    return name.rpartition(".")[2] if tilde else name
