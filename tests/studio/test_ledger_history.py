"""A ledger in the studio: its history on *Publish*, its releases and their attack on *Releases*."""

import html
import shutil

import pytest
from starlette.testclient import TestClient

from lookalike.studio.app import make_app
from lookalike.studio.door import Gate
from lookalike.studio.editing.project import PRIVATE, Project
from lookalike.studio.releases.past_releases import recall_ledger
from lookalike.studio.releases.release_attacks import AskedAttack, attack_recorded
from lookalike.studio.releases.release_summary import (
    BASED_ON_EARLIER,
    compare_release,
    publish_release,
    verify_release,
)
from lookalike.studio.session import Session
from lookalike.studio.work import TaskLine

from .conftest import ORIGIN, PORT, SPECIFICATION, TABLE, Opened
from .published import HOSTILE, silent
from .test_publish import FIELDS, LEDGER

TOWN = SPECIFICATION.replace("[release]", 'row_key = "no"\nname = "town"\n\n[release]').replace(
    "k = 2", 'k = 2\nledger = "ledger.db"'
)
PRESS = TOWN.replace("k = 2", 'k = 2\nrecipient = "press"') + (
    '[recipients.press]\ncontract = "No. 7"\nout = "second/people.csv"\n'
)


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """A folder with a ledger that remembers two releases, the second one for the press."""
    folder = tmp_path_factory.mktemp("town")
    (folder / "people.csv").write_text(TABLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))
        for text in (TOWN, PRESS):
            publish_release(TaskLine(), Project(folder, "people.toml", text), False)
        yield folder


@pytest.fixture
def recorded(town):
    """A studio whose specification has this ledger."""
    (town / "people.toml").write_text(TOWN)
    shutil.rmtree(town / PRIVATE, ignore_errors=True)
    session, gate = Session(town), Gate(PORT)
    session.store.open("people.toml")
    opened = Opened(TestClient(make_app(session, gate), base_url=ORIGIN), session, gate)
    assert opened.get(f"/enter?token={gate.token}").status_code == 200
    yield opened
    session.close()


def settle(studio, **given):
    fields = FIELDS | LEDGER | {"source.name": "town"} | given
    assert studio.post("/publish/settle", fields).status_code == 303


def test_the_history_of_the_source_is_shown(recorded):
    history = recall_ledger(recorded.project)
    assert [
        (one.number, one.source, one.recipient, max(one.promised)) for one in history.recorded
    ] == [
        (2, "town", "press", 2),
        (1, "town", None, 2),
    ]
    page = recorded.get("/publish").text
    assert "The next release will be based on 2 earlier releases" in page
    assert "press, bound by No. 7" in page
    settle(recorded, **{"release.policy": "check-only"})
    assert "compared with 2 earlier releases" in recorded.get("/publish").text
    settle(recorded, **{"source.name": "village"})
    assert "It records no release of this source" in recorded.get("/publish").text


def test_contracts_keep_releases_apart(recorded):
    settle(recorded, **{"release.recipient": "museum", "recipients.contract": "No. 8"})
    history = recall_ledger(recorded.project)
    assert [one.number in history.matter for one in history.of_source] == [False, True]
    page = recorded.get("/publish").text
    assert "will be based on 1 earlier release:" in page
    assert "Contracts keep 1 earlier release apart from it" in page
    assert "kept apart" in page


def test_a_ledger_that_cannot_be_read_is_said(recorded, town):
    (town / "ledger.db").chmod(0o644)
    try:
        for path in ("/publish", "/releases"):
            assert "The ledger was not read" in recorded.get(path).text
    finally:
        (town / "ledger.db").chmod(0o600)


def test_a_release_is_verified_with_its_ledger(recorded):
    found = verify_release(silent, recorded.project)
    assert found.holds
    assert any("ledger" in one.claim for one in found.findings)


def test_releases_of_the_ledger_are_listed_here_and_elsewhere(recorded, town):
    page = recorded.get("/releases").text
    assert 'data-label="Ledger">release 1<' in page
    assert 'data-label="Ledger">release 2<' in page
    gone = "Recorded releases that are no longer in this folder"
    assert gone not in page
    (town / "second").rename(town / ".moved")
    try:
        assert gone in recorded.get("/releases").text
    finally:
        (town / ".moved").rename(town / "second")


def test_all_releases_of_the_ledger_are_attacked(recorded):
    asked = AskedAttack(recorded.project.specification(), show=True)
    report = attack_recorded(silent, "town", None, asked)
    assert report.proved
    recorded.session.keep_result(report)
    page = html.unescape(recorded.get("/releases").text)
    assert "Proved by the ledger" in page
    same = "lookalike ledger attack --ledger ledger.db --source town --spec people.toml --show"
    assert same in page


BAD = [
    ({"ledger.source": HOSTILE}, "ledger-source-problem"),
    ({"ledger.k": "1"}, "ledger-k-problem"),
    ({"ledger.k": "x"}, "ledger-k-problem"),
]


@pytest.mark.parametrize(("given", "place"), BAD)
def test_a_wrong_attack_on_the_ledger_is_refused_beside_its_field(recorded, given, place):
    fields = {"ledger.source": "town", "ledger.recipient": "", "ledger.k": ""} | given
    answer = recorded.post("/releases/attack-ledger", fields)
    assert answer.status_code == 422
    assert f'id="{place}"' in answer.text
    assert HOSTILE not in answer.text
    assert recorded.session.work is None


def test_a_release_that_shows_old_values_is_compared_without_rows(recorded, town):
    settle(recorded, **{"release.out": "third/people.csv"})
    (town / "people.csv").write_text(TABLE.replace("02138,flu", "02138,cold"))
    compared = compare_release(TaskLine(), recorded.project, None)
    (town / "people.csv").write_text(TABLE)
    assert compared.table is None
    recorded.session.keep_result(compared)
    page = recorded.get("/compare").text
    assert BASED_ON_EARLIER in html.unescape(page)
    assert "These rows are private" not in page
    assert BASED_ON_EARLIER in html.unescape(recorded.get("/attacker").text)


def test_a_release_based_on_earlier_ones_is_attacked_with_them(recorded):
    settle(recorded, **{"release.out": "third/people.csv"})
    recorded.session.keep_result(compare_release(TaskLine(), recorded.project, None))
    page = recorded.get("/attacker?row=1&know0=on").text
    assert "With earlier releases" in page
    assert page.count("2 of 4</td>") == 2
