"""The screen *Publish*: ledger, reports and recipient are one change; findings have remedies."""

from dataclasses import replace

import pytest

from lookalike.risk.finding import PreflightFinding
from lookalike.studio.releases.release_summary import ReleaseSummary

from .conftest import SPECIFICATION
from .published import HOSTILE

FIELDS = {
    "release.out": "released/people.csv",
    "release.dossier": "",
    "release.ledger": "",
    "source.row_key": "",
    "source.name": "",
    "release.policy": "based-on",
    "release.recipient": "",
    "release.purpose": "",
    "recipients.contract": "",
    "release.report": "on",
}
LEDGER = {"release.ledger": "ledger.db", "source.row_key": "no"}


def settle(studio, **given):
    return studio.post("/publish/settle", FIELDS | given)


def test_everything_is_one_change_that_can_be_undone(studio):
    given = LEDGER | {
        "release.dossier": "private/people",
        "release.policy": "check-only",
        "release.recipient": 'the "press"',
        "release.purpose": "an article",
        "recipients.contract": "No. 7",
        "source.name": "town",
        "source.new_people": "on",
    }
    assert studio.post("/publish/settle", {**FIELDS, **given}).status_code == 303
    fields = studio.project.fields
    assert fields["release"] == {
        "k": 2,
        "out": "released/people.csv",
        "dossier": "private/people",
        "ledger": "ledger.db",
        "policy": "check-only",
        "recipient": 'the "press"',
        "purpose": "an article",
    }
    assert fields["source"]["row_key"] == "no"
    assert fields["recipients"] == {'the "press"': {"contract": "No. 7"}}
    assert studio.project.problems == {}
    page = studio.get("/publish").text
    assert 'value="No. 7"' in page
    studio.post("/publish/undo")
    assert studio.project.text == SPECIFICATION
    assert settle(studio).status_code == 303
    assert studio.project.text == SPECIFICATION


def test_without_a_report_and_with_a_recipient_who_is_not_bound(studio):
    given = {name: value for name, value in FIELDS.items() if name != "release.report"}
    studio.post("/publish/settle", given | {"release.recipient": "press"})
    assert studio.project.fields["release"]["report"] is False
    assert studio.project.fields["recipients"] == {"press": {}}
    assert settle(studio).status_code == 303
    assert "recipient" not in studio.project.fields["release"]


BAD = [
    ({"release.out": ""}, "out-problem"),
    ({"release.out": "../elsewhere/people.csv"}, "out-problem"),
    ({"release.out": "/tmp/people.csv"}, "out-problem"),
    ({"release.out": "released/{day}.csv"}, "out-problem"),
    ({"release.dossier": "a/../../b"}, "dossier-problem"),
    ({"release.ledger": "postgresql://host/base", "source.row_key": "no"}, "ledger-problem"),
    ({"release.ledger": "~/ledger.db", "source.row_key": "no"}, "ledger-problem"),
    ({"release.ledger": "ledger.db"}, "row-key-problem"),
    ({"release.ledger": "ledger.db", "source.row_key": "ill"}, "row-key-problem"),
    ({"release.policy": HOSTILE}, "policy-problem"),
    ({"recipients.contract": "No. 7"}, "contract-problem"),
]


@pytest.mark.parametrize(("given", "place"), BAD)
def test_a_wrong_field_is_refused_beside_it(studio, given, place):
    answer = settle(studio, **given)
    assert answer.status_code == 422
    assert f'id="{place}"' in answer.text
    assert f'aria-describedby="{place}"' in answer.text
    assert HOSTILE not in answer.text
    assert studio.project.text == SPECIFICATION


def test_a_place_that_was_written_in_the_text_can_stay(studio):
    text = SPECIFICATION.replace("released/people.csv", "/tmp/elsewhere/people.csv")
    studio.session.change(text, "text")
    answer = settle(studio, **{"release.out": "/tmp/elsewhere/people.csv"})
    assert answer.status_code == 303


def test_persons_need_another_policy(studio):
    studio.session.change(SPECIFICATION.replace("[release]", 'person = "no"\n[release]'), "person")
    answer = settle(studio, **LEDGER)
    assert answer.status_code == 422
    assert 'id="policy-problem"' in answer.text
    assert settle(studio, **LEDGER, **{"release.policy": "check-only"}).status_code == 303


def test_a_ledger_that_does_not_exist_yet_is_announced(studio):
    settle(studio, **LEDGER)
    assert "There is no ledger yet" in studio.get("/publish").text
    assert not (studio.project.folder / "ledger.db").exists()


def test_a_finding_leads_to_its_remedy(studio, people):
    summary = ReleaseSummary(SPECIFICATION, 4, 4, 2, 2, 1.0, (), (), ())
    names = ("as-is-unique", "small-k", "earlier-releases", "unheard-of")
    found = tuple(PreflightFinding(name, "warning", "Found", "mend it") for name in names)
    studio.session.keep_result(replace(summary, findings=found))
    page = studio.get("/publish").text
    assert page.count("Go to Roles") == 1
    assert page.count("Go to Protection") == 1
    assert page.count('href="#settings"') == 1


def test_both_reports_are_opened_after_publishing(studio, people):
    for name in ("report.html", "own.html"):
        (people / name).write_text(name)
    files = (people / "people.csv", people / "report.html")
    made = ReleaseSummary(SPECIFICATION, 4, 4, 2, 2, 1.0, (), (), (), files, (people / "own.html",))
    studio.session.keep_result(made)
    page = studio.get("/publish").text
    for name, text in {"recipient-report": "report.html", "holder-report": "own.html"}.items():
        [link] = [one for one in page.split("<a ") if f'id="{name}"' in one]
        assert 'target="_blank" rel="noopener"' in link
        assert studio.get(link.split('href="')[1].split('"')[0]).text == text


def test_publishing_goes_on_in_the_process_of_the_dry_run_if_that_lives(studio):
    def run(path, **given):
        assert studio.post(path, given).status_code == 303
        work = studio.session.work
        work.wait(60)
        assert (work.state, work.problem) == ("done", "")
        return work

    tried = run("/publish/try")
    assert tried.can_follow
    published = run("/publish/publish")
    assert published._worker is tried._worker
    assert not published.can_follow
    tried = run("/publish/try")
    tried._worker.process.kill()
    tried._worker.process.join(60)
    assert run("/publish/publish", replace="on")._worker is not tried._worker
    tried = run("/publish/try")
    counted = run("/levels/count")
    assert counted._worker is not tried._worker
    tried._worker.process.join(60)
    assert not tried._worker.process.is_alive()
