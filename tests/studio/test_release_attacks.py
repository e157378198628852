"""The screen *Releases*: releases are attacked together, and linked with a register."""

import html
import re

import pytest

from lookalike.studio.releases.past_releases import list_past_releases
from lookalike.studio.releases.release_attacks import (
    AskedAttack,
    AskedLink,
    AttackReport,
    LinkReport,
    attack_past,
    link_past,
    read_register_columns,
)
from lookalike.studio.session import Session

from .conftest import SPECIFICATION
from .published import HOSTILE, find, made, publish, published, silent

__all__ = ["made", "published"]

VOTERS = "name,zip,born\nAnn,02138,1960\nBob,02139,1961\nCy,02141,1962\nDi,02999,1963\n"


def test_releases_are_attacked_together(published, studio):
    (published / "people.csv").write_text(
        "no,zip,ill\n1,02138,flu\n2,02139,flu\n3,02141,flu\n4,02142,flu\n5,03138,flu\n6,03139,flu\n"
    )
    coarse = SPECIFICATION.replace("k = 2", 'k = 2\nmethod = "mingen"\nconstraints = ["zip >= 3"]')
    places = ("fine", "<b>")
    publish(published, places[0])
    publish(published, places[1], coarse)
    asked = AskedAttack(studio.project.specification(), 5, 9, True)
    report = attack_past(silent, published, places, asked)
    assert isinstance(report, AttackReport)
    assert report.releases == places
    assert not report.holds
    assert report.verdicts[0][0] == "bad"
    assert report.pairs[0]["exposures"]
    studio.session.keep_result(report)
    page = studio.get("/releases").text
    assert "Together they show too much" in page
    assert "An attack was found" in page
    same = "lookalike attack fine '<b>' --spec people.toml --k 5 --people 9 --show"
    assert html.escape(same).replace("&#x27;", "&#39;") in page
    assert "<code><b>" not in page


def begin_nothing(monkeypatch):
    begun = []
    monkeypatch.setattr(Session, "begin", lambda _session, *given: begun.append(given))
    return begun


def tick(folder):
    return {f"release-{one.key}": "on" for one in list_past_releases(folder, None).listed}


def test_the_form_of_an_attack_gives_the_oldest_release_first(published, studio, monkeypatch):
    begun = begin_nothing(monkeypatch)
    given = tick(published) | {"attack.k": "3", "attack.people": "", "hierarchies": "on"}
    assert studio.post("/releases/attack", given).status_code == 303
    [(_, task, home, places, asked)] = begun
    assert (task, home, places) == (attack_past, published, ("one", "deeper/two"))
    assert asked == AskedAttack(studio.project.specification(), 3)


BAD_ATTACKS = [
    ({"attack.k": "1"}, "attack-k-problem"),
    ({"attack.k": HOSTILE}, "attack-k-problem"),
    ({"attack.k": "2.5"}, "attack-k-problem"),
    ({"attack.people": "-4"}, "attack-people-problem"),
    ({"attack.people": "0"}, "attack-people-problem"),
    ({}, "releases-problem"),
]


@pytest.mark.parametrize(("given", "place"), BAD_ATTACKS)
def test_a_wrong_attack_is_refused_beside_its_field(published, studio, monkeypatch, given, place):
    begun = begin_nothing(monkeypatch)
    fields = {"attack.k": "", "attack.people": ""} | given
    answer = studio.post("/releases/attack", (tick(published) if given else {}) | fields)
    assert answer.status_code == 422
    assert f'id="{place}"' in answer.text
    assert f'aria-describedby="{place}"' in answer.text
    assert HOSTILE not in answer.text
    assert begun == []


def test_hierarchies_need_a_specification_without_problems(published, studio, monkeypatch):
    begun = begin_nothing(monkeypatch)
    (published / "people.toml").write_text("[release]\nk = 'x'\n")
    studio.post("/data/load")
    given = tick(published) | {"attack.k": "", "attack.people": "", "hierarchies": "on"}
    answer = studio.post("/releases/attack", given)
    assert answer.status_code == 422
    assert 'id="attack-hierarchies-problem"' in answer.text
    assert begun == []


def test_without_a_ledger_none_is_attacked(published, studio):
    given = {"ledger.source": "", "ledger.recipient": "", "ledger.k": ""}
    answer = studio.post("/releases/attack-ledger", given)
    assert answer.status_code == 422
    assert "names no ledger" in answer.text


@pytest.fixture
def register(published):
    (published / "voters.csv").write_text(VOTERS)
    return read_register_columns(silent, published / "voters.csv")


def test_a_register_is_read_in_its_encoding(published):
    path = published / "wähler.csv"
    path.write_bytes("Näme,ZIP\nAnn,02138\n".encode("cp1252"))
    found = read_register_columns(silent, path)
    assert found.columns == ("Näme", "ZIP")
    assert found.source == {"encoding": "cp1252"}


def test_a_release_is_linked_with_a_register(published, studio, register):
    found = find(published, "one")
    spec = studio.project.specification()
    where = found.key, found.folder, register, spec
    linked = link_past(silent, AskedLink(*where, {"zip": "zip"}, "name", 2, show=True))
    assert isinstance(linked, LinkReport)
    assert not linked.holds
    assert tuple(linked.rows[one] for one in ("none", "below_k", "total")) == (0, 2, 4)
    assert (linked.persons["none"], linked.persons["total"]) == (1, 4)
    studio.session.keep_result(register)
    studio.session.keep_result(linked)
    page = studio.get(f"/releases?release={found.key}").text
    assert "Not protected over zip" in page
    assert "No person has exactly one matching row" in page
    assert (
        "lookalike link one voters.csv --on zip --k 2 --identity name --spec people.toml --show"
        in page
    )
    assert "Ann" not in page
    assert "Ann" not in repr(linked)


def test_columns_of_equal_names_are_proposed(published, studio, register):
    studio.session.keep_result(register)
    page = studio.get(f"/releases?release={find(published, 'one').key}").text
    assert re.search(r'id="on-0" name="on-0" list="register-columns" value="zip"', page)
    assert re.search(r'id="on-1" name="on-1" list="register-columns" value=""', page)


LINK = {"on-0": "zip", "on-1": "", "identity": "", "link.k": "2"}
BAD_LINKS = [
    ({"on-0": "ZIPP"}, "on-0-problem"),
    ({"on-1": HOSTILE}, "on-1-problem"),
    ({"on-0": ""}, "on-0-problem"),
    ({"identity": "ssn"}, "identity-problem"),
    ({"link.k": "1"}, "link-k-problem"),
    ({"link.k": "x"}, "link-k-problem"),
]


@pytest.mark.parametrize(("given", "place"), BAD_LINKS)
def test_a_wrong_link_is_refused_beside_its_field(
    published, studio, register, monkeypatch, given, place
):
    begun = begin_nothing(monkeypatch)
    studio.session.keep_result(register)
    key = find(published, "one").key
    answer = studio.post(f"/releases/link?release={key}", LINK | given | {"release": key})
    assert answer.status_code == 422
    assert f'id="{place}"' in answer.text
    assert f'aria-describedby="{place}"' in answer.text
    assert HOSTILE not in answer.text
    assert begun == []


def test_a_link_is_begun(published, studio, register, monkeypatch):
    begun = begin_nothing(monkeypatch)
    key = find(published, "one").key
    given = LINK | {"release": key, "identity": "name", "as_written": "on"}
    answer = studio.post(f"/releases/link?release={key}", given)
    assert answer.status_code == 422
    assert "choose a register first" in answer.text
    studio.session.keep_result(register)
    answer = studio.post(f"/releases/link?release={key}", given)
    assert answer.headers["location"] == f"/releases?release={key}"
    where = key, published / "one", register, None
    assert begun[0][-1] == AskedLink(*where, {"zip": "zip"}, "name", 2, as_written=True)


@pytest.mark.parametrize("name", ["../people.csv", "people.toml", "none.csv", HOSTILE])
def test_a_register_that_is_no_table_of_the_folder_is_refused(published, studio, name):
    key = find(published, "one").key
    answer = studio.post(f"/releases/register?release={key}", {"register": name})
    assert answer.status_code == 422
    assert 'id="register-problem"' in answer.text
    assert HOSTILE not in answer.text


def test_a_register_is_uploaded(published, studio, monkeypatch):
    begun = begin_nothing(monkeypatch)
    key = find(published, "one").key
    files = {"file": ("voters.csv", VOTERS.encode())}
    assert studio.post(f"/releases/upload?release={key}", files=files).status_code == 303
    assert [given[-1] for given in begun] == [published / "voters.csv"]
    for name in ("voters.csv", "x.exe", "../x.csv"):
        answer = studio.post(f"/releases/upload?release={key}", files={"file": (name, b"a")})
        assert answer.status_code == 422
        assert 'id="file-problem"' in answer.text
    assert studio.post("/releases/upload", {"file": "text"}).status_code == 422
