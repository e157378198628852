"""A report is printed by an installed browser: numbered pages with everything that is collapsed."""

import re
import stat
import zlib

import pytest

import lookalike as la
from lookalike.publish.dossier import PREFLIGHT
from lookalike.report import print_page as printing
from lookalike.report.page import fill_page
from lookalike.report.print_page import find_browser, print_page
from lookalike.tables.files.file_format import REPORT

from ..browser import needs_chromium


def install(folder, monkeypatch, script):
    """Install a program in place of the browser."""
    browser = folder / "browser"
    browser.write_text(f"#!/bin/sh\n{script}\n")
    browser.chmod(0o755)
    monkeypatch.setattr(printing, "BROWSERS", ("no-such-browser", str(browser)))


def test_without_a_browser_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(printing, "BROWSERS", ("no-such-browser",))
    with pytest.raises(la.InvalidInput, match=r"none is found: install Chromium .*apt install"):
        find_browser()


def test_a_browser_that_prints_nothing_is_an_error_with_its_last_message(tmp_path, monkeypatch):
    install(tmp_path, monkeypatch, "echo first >&2; echo no display >&2; exit 1")
    with pytest.raises(la.InvalidInput, match="wrote no PDF: no display"):
        print_page("<p>private</p>")


def test_the_page_is_private_while_it_is_printed_and_removed(tmp_path, monkeypatch):
    told = tmp_path / "told"
    script = f"""
for one; do case $one in
--print-to-pdf=*) pdf=${{one#*=}};;
file:*) page=${{one#file://}};;
esac; done
stat -c %a "$(dirname "$page")" > {told}; dirname "$page" >> {told}
cp "$page" "$pdf"
"""
    install(tmp_path, monkeypatch, script)
    assert print_page("<p>private</p>") == b"<p>private</p>"
    mode, folder = told.read_text().split()
    assert mode == "700"
    assert not (tmp_path / folder).exists()


@pytest.fixture
def dossier(tmp_path):
    folder = tmp_path / "private"
    folder.mkdir()
    (folder / PREFLIGHT).write_text("{}")
    (folder / REPORT).write_text("<p>the holder's</p>")
    return folder


def test_the_report_of_a_dossier_is_printed_for_its_owner_only(dossier, tmp_path, monkeypatch):
    script = 'for one; do case $one in --print-to-pdf=*) echo printed > "${one#*=}";; esac; done'
    install(tmp_path, monkeypatch, script)
    made = la.report(dossier, pdf=tmp_path / "holder.pdf")
    assert made.as_json() == {
        "published": None,
        "same": False,
        "differences": [],
        "out": None,
        "pdf": str(tmp_path / "holder.pdf"),
        "regulator": None,
    }
    assert (tmp_path / "holder.pdf").read_text() == "printed\n"
    assert stat.S_IMODE((tmp_path / "holder.pdf").stat().st_mode) == 0o600
    with pytest.raises(la.AlreadyExists, match=r"pdf: .* exists already"):
        la.report(dossier, pdf=tmp_path / "holder.pdf")
    with pytest.raises(la.InvalidInput, match="is not a release"):
        la.report(dossier)


def read_text_operators(pdf):
    """Return the number of pages of a PDF and the content of its streams."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    content = b""
    for one in streams:
        try:
            content += zlib.decompress(one.strip(b"\r\n"))
        except zlib.error:
            continue
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)), content


PAGE = "<p>{}</p>"


@needs_chromium
@pytest.mark.slow
@pytest.mark.reports
def test_collapsed_parts_are_printed_and_the_footer_is_not():
    closed = f"<details><summary>more</summary>{PAGE.format('row ') * 200}</details>"
    plain = fill_page("page", kind="k", title="t", software="s", contents=())
    pages = {
        name: print_page(plain.replace("</main>", f"{part}</main>"))
        for name, part in {"none": "", "closed": closed, "none again": ""}.items()
    }
    counted = {name: read_text_operators(pdf)[0] for name, pdf in pages.items()}
    assert counted["none"] == counted["none again"] == 1
    assert counted["closed"] > 3


@needs_chromium
@pytest.mark.slow
@pytest.mark.reports
def test_a_bar_keeps_its_colour_in_print():
    plain = fill_page("page", kind="k", title="t", software="s", contents=())
    bar = '<span class="bar"><i style="width:50%"></i></span>'
    with_bar = print_page(plain.replace("</main>", f"{bar}</main>"))
    blue = re.compile(rb"0?\.16\d*\s+0?\.47\d*\s+0?\.70\d*\s+rg")  # #2a78b5, from 0 to 1
    assert blue.search(read_text_operators(with_bar)[1])
    assert not blue.search(read_text_operators(print_page(plain))[1])
