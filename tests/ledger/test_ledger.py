"""A ledger remembers published releases, on SQLite and on PostgreSQL."""

from pathlib import Path

import pytest

import lookalike as la
from lookalike.ledger.policies.policy import JUDGES
from lookalike.publish.digest import describe_file

from .steward import fields_of, publish, reopen, states, table_of


def test_a_release_is_remembered(place, tmp_path):
    certificate = publish(place, tmp_path / "out")

    [entry] = reopen(place).releases()
    assert (entry.number, entry.source, entry.state) == (1, "people", "published")
    assert entry.folder == tmp_path / "out"
    assert entry.certificate == certificate == la.Certificate.read(tmp_path / "out")
    assert entry.certificate_sha256 == describe_file(tmp_path / "out" / "certificate.json").sha256
    assert entry.specification["release"] == {"k": 3, "method": "datafly"}
    assert entry.began < entry.published


def test_the_certificate_states_what_was_considered(place, tmp_path):
    stated = [publish(place, tmp_path / str(turn)).earlier_releases for turn in range(3)]

    assert [(one.policy, one.considered) for one in stated] == [("based-on", n) for n in range(3)]
    assert la.verify(tmp_path / "2").holds


def test_without_a_ledger_nothing_was_checked(tmp_path):
    made = la.release(table_of(), k=3, attributes=fields_of({})["attributes"])
    assert made.publish(tmp_path / "out" / "table.csv").earlier_releases == "not checked"


def test_sources_are_separate(place, tmp_path):
    publish(place, tmp_path / "1", source="people")
    publish(place, tmp_path / "2", source="others", table=table_of(ids=[*"abcdefghi"]))
    certificate = publish(place, tmp_path / "3", source="people")

    assert certificate.earlier_releases.considered == 1
    assert [entry.number for entry in reopen(place).releases("people")] == [1, 3]


def test_the_default_name_of_a_source_is_its_row_key(place, tmp_path):
    made = la.release(table_of(), **fields_of(place) | {"source": {"row_key": "id"}})
    made.publish(tmp_path / "out" / "table.csv")

    assert reopen(place).release(1).source == "id"


def test_a_policy_sees_the_earlier_releases_and_may_refuse(place, tmp_path, monkeypatch):
    seen = []

    def refuse(earlier, certificate, files):
        seen.append([entry.files.read_rows().num_rows for entry in earlier])
        assert files.read_classes().counts.tolist() == [4, 4]
        assert files.read_rows()["class"].null_count == 1
        assert certificate.quasi_identifiers[0].k == 3
        if earlier:
            raise la.RequirementNotMet("it discloses too much beside release 1")

    monkeypatch.setitem(JUDGES, "based-on", refuse)
    publish(place, tmp_path / "1")
    with pytest.raises(la.RequirementNotMet, match="beside release 1"):
        publish(place, tmp_path / "2")

    assert seen == [[], [9]]
    assert not (tmp_path / "2").exists()
    assert states(place) == ["published"]
    files = [path for path in Path(place["ledger_files"]).rglob("*") if path.is_file()]
    assert len(files) == 5, "the mark, the head, and nothing of what was refused"


RECIPIENTS = {
    "lab": {"contract": "DUA 17"},
    "office": {"contract": "DUA 18"},
    "press": {},
}


def test_recipients_count_as_one_unless_both_have_contracts(place, tmp_path):
    considered = []
    for turn, name in enumerate(["lab", "office", "lab", "press", "office", None]):
        chosen = {"recipient": name, "recipients": RECIPIENTS} if name else {}
        certificate = publish(place, tmp_path / str(turn), **chosen)
        considered.append(certificate.earlier_releases.considered)

    assert considered == [0, 0, 1, 3, 2, 5]
    assert [entry.contract for entry in reopen(place).releases()][:2] == ["DUA 17", "DUA 18"]


def test_a_forgotten_release_still_counts(place, tmp_path):
    publish(place, tmp_path / "1")
    entry = reopen(place).forget(1, "a trial")

    assert (entry.state, entry.reason, entry.specification) == ("forgotten", "a trial", None)
    assert entry.files.read_rows().num_rows == 9
    assert publish(place, tmp_path / "2").earlier_releases.considered == 1
    assert states(place) == ["forgotten", "published"]


def test_the_next_release_is_based_on_what_is_remembered(place, tmp_path):
    publish(place, tmp_path / "1", max_suppressed=0.2)
    made = la.release(table_of().slice(1), **fields_of(place, max_suppressed=0.2))
    made.publish(tmp_path / "2" / "table.csv")

    assert (made.basis.considered, made.basis.rows_kept, made.basis.rows_withdrawn) == (1, 4, 3)
    attacked = la.attack_ledger(reopen(place), "people")
    assert (attacked.same_history, attacked.holds) == (4, True)
    assert reopen(place).release(1).specification["release"]["max_suppressed"] == "0.2"


def test_forgetting_needs_a_release_and_a_reason(place, tmp_path):
    publish(place, tmp_path / "1")
    ledger = reopen(place)
    with pytest.raises(la.InvalidInput, match="give the reason"):
        ledger.forget(1, " ")
    with pytest.raises(la.InvalidInput, match="has no release 2"):
        ledger.forget(2, "a trial")
    ledger.forget(1, "a trial")
    with pytest.raises(la.InvalidInput, match="cannot be forgotten: it is forgotten"):
        ledger.forget(1, "again")


def test_a_release_whose_folder_is_taken_is_not_remembered(place, tmp_path):
    made = la.release(table_of(), **fields_of(place))
    made.publish(tmp_path / "out" / "table.csv")
    with pytest.raises(la.AlreadyExists, match="holds a release already"):
        made.publish(tmp_path / "out" / "table.csv")
    made.publish(tmp_path / "out" / "table.csv", replace=True)

    assert states(place) == ["published", "published"]
    first, second = reopen(place).releases()
    assert second.certificate_before == first.certificate_sha256
