"""Changes of a ledger's database by another program, and older copies, are detected."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select, update

import lookalike as la
from lookalike.ledger.store.ledger import accept_restore
from lookalike.ledger.store.schema import changes, releases
from lookalike.ledger.store.schema import ledger as about

from .steward import fields_of, publish, reopen, states, table_of

pytestmark = pytest.mark.slow

LAST = changes.c.number == 2
LATER = changes.c.number > 2


def execute(ledger, *statements):
    """Change the database without the key."""
    with ledger.engine.begin() as connection:
        for statement in statements:
            connection.execute(statement)


def publish_twice(place, tmp_path):
    """Publish two releases: each is a change when it is pending and one when it is confirmed."""
    publish(place, tmp_path / "1")
    publish(place, tmp_path / "2")
    return reopen(place)


def restore(ledger):
    """Restore the database as it was after the first release."""
    execute(ledger, delete(releases).where(releases.c.number == 2), delete(changes).where(LATER))


def other_than(column):
    """A value that a column does not have."""
    return {bool: True, int: 7, bytes: b"other"}.get(column.type.python_type, "other")


def test_no_field_of_an_entry_can_be_changed(place, tmp_path):
    publish(place, tmp_path / "1")
    ledger = reopen(place)
    with ledger.engine.begin() as connection:
        known = dict(connection.execute(select(releases)).mappings().one())
    for column in releases.c:
        if column.name != "number":
            execute(ledger, update(releases).values({column: other_than(column)}))
            with pytest.raises(la.InvalidInput, match="release 1 was changed by a program other"):
                ledger.releases()
            execute(ledger, update(releases).values(known))

    assert states(place) == ["published"]


def test_a_ledger_that_was_changed_takes_no_release(place, tmp_path):
    publish(place, tmp_path / "1")
    made = la.release(table_of(), **fields_of(place))
    execute(reopen(place), update(releases).values(source="others"))
    with pytest.raises(la.InvalidInput, match="restore the database from your backup"):
        made.publish(tmp_path / "2" / "table.csv")

    assert not (tmp_path / "2").exists()


@pytest.mark.parametrize("number", [1, 2])
def test_an_entry_that_was_removed_is_missed(number, place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    execute(ledger, delete(releases).where(releases.c.number == number))

    with pytest.raises(la.InvalidInput, match=f"release {number} was removed by a program other"):
        reopen(place)


def test_an_entry_that_was_added_is_detected(place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    with ledger.engine.begin() as connection:
        known = dict(connection.execute(select(releases)).mappings().first())
        connection.execute(insert(releases).values(known | {"number": 3, "token": "other"}))

    with pytest.raises(la.InvalidInput, match="release 3 was added by a program other"):
        reopen(place)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_line_that_was_removed_from_the_journal_is_missed(number, place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    execute(ledger, delete(changes).where(changes.c.number == number))

    with pytest.raises(la.InvalidInput, match=f"change {number} was changed or removed"):
        reopen(place)


def test_no_field_of_a_line_can_be_changed(place, tmp_path):
    publish(place, tmp_path / "1")
    ledger = reopen(place)
    with ledger.engine.begin() as connection:
        known = dict(connection.execute(select(changes).where(LAST)).mappings().one())
    for column in changes.c:
        execute(ledger, update(changes).where(LAST).values({column: other_than(column)}))
        with pytest.raises(la.InvalidInput, match="change 2 was changed or removed"):
            ledger.releases()
        execute(ledger, update(changes).where(changes.c.number != 1).values(known))

    assert states(place) == ["published"]


def test_a_journal_is_that_of_its_ledger(place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    execute(ledger, update(about).values(id="another"))

    with pytest.raises(la.InvalidInput, match="change 1 was changed or removed"):
        reopen(place)


def test_an_entry_that_was_never_published_leaves_a_gap_in_numbers_and_no_alarm(place, tmp_path):
    publish(place, tmp_path / "1")
    with pytest.raises(la.RequirementNotMet, match="another source"):
        publish(place, tmp_path / "2", source="others")
    publish(place, tmp_path / "3")

    assert [entry.number for entry in reopen(place).releases()] == [1, 3]


def test_an_older_database_is_noticed_and_takes_no_release(place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    restore(ledger)

    with pytest.raises(la.InvalidInput, match="it has 2 changes, and had 4") as refused:
        reopen(place)
    with pytest.raises(la.InvalidInput, match="it has 2 changes, and had 4"):
        publish(place, tmp_path / "3")
    assert "`lookalike ledger accept-restore`" in str(refused.value)
    assert not (tmp_path / "3").exists()


def test_an_older_file_of_the_database_is_noticed(tmp_path):
    place = {
        "ledger": str(tmp_path / "ledger.db"),
        "ledger_files": str(tmp_path / "files"),
        "ledger_key": str(tmp_path / "apart" / "key"),
    }
    publish(place, tmp_path / "1")
    shutil.copy(place["ledger"], tmp_path / "copy.db")
    shutil.copytree(place["ledger_files"], tmp_path / "copies")
    publish(place, tmp_path / "2")
    shutil.copy(tmp_path / "copy.db", place["ledger"])
    shutil.rmtree(place["ledger_files"])
    shutil.move(tmp_path / "copies", place["ledger_files"])

    with pytest.raises(la.InvalidInput, match="An older copy replaced it"):
        reopen(place)


@pytest.mark.parametrize("left", [0, 1], ids=["with the files", "beside the key"])
def test_either_head_is_enough(left, place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    restore(ledger)
    ledger.files_and_key.heads[1 - left].unlink()

    with pytest.raises(la.InvalidInput, match="it has 2 changes, and had 4"):
        reopen(place)


def test_without_a_head_an_older_database_is_as_good_as_any(place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    restore(ledger)
    for head in ledger.files_and_key.heads:
        head.unlink()

    assert states(place) == ["published"]


def test_an_older_database_that_was_changed_since_is_noticed(place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    restore(ledger)
    heads = {head: head.read_bytes() for head in ledger.files_and_key.heads}
    for head in heads:
        head.unlink()
    publish(place, tmp_path / "3")
    publish(place, tmp_path / "4")
    for head, content in heads.items():
        head.write_bytes(content)

    with pytest.raises(la.InvalidInput, match="it has 6 changes, and had 4"):
        reopen(place)


def test_a_head_that_is_behind_is_moved_on(place, tmp_path):
    publish(place, tmp_path / "1")
    heads = reopen(place).files_and_key.heads
    behind = {head: head.read_bytes() for head in heads}
    publish(place, tmp_path / "2")
    ahead = [head.read_bytes() for head in heads]
    for head, content in behind.items():
        head.write_bytes(content)

    assert states(place) == ["published", "published"]
    assert [head.read_bytes() for head in heads] == ahead


def test_a_head_that_cannot_be_written_keeps_nothing_from_being_published(place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    beside_key = ledger.files_and_key.heads[1]
    beside_key.unlink()
    beside_key.mkdir()
    publish(place, tmp_path / "3")

    assert states(place) == ["published"] * 3


def test_a_head_that_was_changed_is_refused(place, tmp_path):
    publish(place, tmp_path / "1")
    head = reopen(place).files_and_key.heads[0]
    head.write_text("many\n")

    with pytest.raises(la.InvalidInput, match=f"{head} is damaged"):
        reopen(place)


def accept(place, reason):
    files, key = place["ledger_files"], place["ledger_key"]
    return accept_restore(place["ledger"], reason, files=files, key=key)


def test_an_older_database_is_used_once_that_is_accepted(place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    restore(ledger)

    assert accept(place, "the disk died") == 2
    assert states(place) == ["published"]
    assert publish(place, tmp_path / "3").earlier_releases.considered == 1
    with ledger.engine.begin() as connection:
        line = connection.execute(select(changes).where(changes.c.number == 3)).one()
    assert (line.state, line.reason, line.release) == ("restored", "the disk died", None)


def test_only_an_older_database_can_be_accepted(place, tmp_path):
    ledger = publish_twice(place, tmp_path)
    with pytest.raises(la.InvalidInput, match="there is no restore to accept"):
        accept(place, "the disk died")
    restore(ledger)
    with pytest.raises(la.InvalidInput, match="give the reason"):
        accept(place, " ")
    execute(ledger, delete(releases))
    with pytest.raises(la.InvalidInput, match="release 1 was removed"):
        accept(place, "the disk died")


def test_the_key_is_in_no_representation(place, tmp_path):
    publish(place, tmp_path / "1")
    ledger = reopen(place)
    key = Path(place["ledger_key"]).read_bytes()
    for shown in (ledger, ledger.files_and_key, *ledger.releases()):
        assert repr(key) not in repr(shown)
