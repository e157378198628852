"""Every link of a page leads to a file and, if it names one, to a heading of it."""

import re
from pathlib import Path

from .test_reference import slug

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
CODE = re.compile(r"^```.*?^```", re.M | re.S)


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of the headings of a page."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def find_broken_links(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    broken = []
    for file, anchor in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            broken.append(f"{page.relative_to(ROOT)}: {file}#{anchor}")
    return broken


def test_every_link_leads_somewhere():
    assert [broken for page in PAGES for broken in find_broken_links(page)] == []


def test_a_broken_link_is_found(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("# Here\n[a](page.md#here) [b](page.md#there) [c](none.md) [d](#here)\n")
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    assert find_broken_links(page) == ["page.md: page.md#there", "page.md: none.md#"]
