"""Pending releases are settled, and a process waits for another one that publishes."""

import platform
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import insert, select

import lookalike as la

from .steward import make_pending, publish, reopen, states, table_of

OTHERS = table_of(ids=[*"abcdefghi"])


def files_of(place):
    return [path for path in Path(place["ledger_files"]).rglob("*") if path.is_file()]


def test_what_took_its_place_is_confirmed(place, tmp_path):
    publish(place, tmp_path / "1")
    make_pending(place)

    assert states(place) == ["published"]


def test_what_did_not_take_its_place_is_removed_with_its_files(place, tmp_path):
    publish(place, tmp_path / "1")
    shutil.rmtree(tmp_path / "1")
    make_pending(place)

    assert states(place) == []
    assert files_of(place) == [path for path in files_of(place) if path.suffix != ".parquet"]


def test_what_left_the_old_release_in_place_is_removed(place, tmp_path):
    publish(place, tmp_path / "1")
    publish(place, tmp_path / "2")
    first, _ = reopen(place).releases()
    shutil.rmtree(tmp_path / "2")
    shutil.copytree(tmp_path / "1", tmp_path / "2")
    make_pending(place, certificate_before=first.certificate_sha256)

    assert states(place) == ["published"]


def test_what_was_between_its_renames_is_finished_and_confirmed(place, tmp_path):
    publish(place, tmp_path / "1")
    publish(place, tmp_path / "1", replace=True)
    shutil.copytree(tmp_path / "1", tmp_path / ".1.lookalike-old-0")
    (tmp_path / "1").rename(tmp_path / ".1.lookalike-ready-1")
    make_pending(place)

    assert states(place) == ["published", "published"]
    assert la.verify(tmp_path / "1").holds


def test_what_somebody_else_has_replaced_counts_as_published(place, tmp_path):
    publish(place, tmp_path / "1")
    publish(place, tmp_path / "2", source="others", table=OTHERS)
    shutil.rmtree(tmp_path / "2")
    shutil.copytree(tmp_path / "1", tmp_path / "2")
    make_pending(place)

    assert states(place) == ["published", "published"]


def test_what_cannot_be_looked_at_counts_as_published(place, tmp_path):
    publish(place, tmp_path / "disk" / "1")
    (tmp_path / "disk").rename(tmp_path / "elsewhere")
    make_pending(place)

    assert states(place) == ["published"]


def test_what_another_machine_left_waits_for_it_and_counts(place, tmp_path):
    publish(place, tmp_path / "1")
    make_pending(place, host=f"not-{platform.node()}")

    assert states(place) == ["pending"]
    assert publish(place, tmp_path / "2").earlier_releases.considered == 1
    with pytest.raises(la.InvalidInput, match="cannot be forgotten: it is pending"):
        reopen(place).forget(1, "a trial")


@contextmanager
def somebody_publishing(place):
    """Hold the lock of the source like another process that publishes."""
    with reopen(place).holding("people"):
        yield


def test_who_comes_second_waits_and_says_so(place, tmp_path):
    publish(place, tmp_path / "1")
    announced, waiting = [], threading.Event()

    def announce(words):
        announced.append(words)
        waiting.set()

    def take():
        with ledger.holding("people", announce=announce) as (_, entries):
            announced.append(len(entries))

    ledger = reopen(place)
    second = threading.Thread(target=take)
    with somebody_publishing(place):
        second.start()
        waiting.wait()
    second.join()

    assert announced == ["waiting for another release of 'people'", 1]


def test_who_waits_too_long_gives_up(place, tmp_path):
    publish(place, tmp_path / "1")
    ledger = reopen(place)
    with (
        somebody_publishing(place),
        pytest.raises(
            la.Unavailable, match="did not finish within 0 seconds; nothing is published"
        ),
        ledger.holding("people", seconds=0),
    ):
        pytest.fail("two had the lock")


def test_who_publishes_of_another_source_does_not_wait(place, tmp_path):
    publish(place, tmp_path / "1")
    with somebody_publishing(place):
        publish(place, tmp_path / "2", source="others", table=OTHERS)

    assert states(place) == ["published", "published"]


def test_what_a_living_process_has_pending_is_left_to_it(place, tmp_path):
    publish(place, tmp_path / "1")
    shutil.rmtree(tmp_path / "1")
    with somebody_publishing(place):
        make_pending(place)
        assert states(place) == ["pending"]

    assert states(place) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (3, "the format 3, which is newer than this version of lookalike; install the newest"),
        (1, "the format 1, which this version cannot use: .* Start a new ledger"),
    ],
)
def test_a_ledger_of_another_format_is_left_alone(found, said, place, tmp_path):
    from lookalike.ledger.store.schema import ledger as about

    publish(place, tmp_path / "1")
    with reopen(place).engine.begin() as connection:
        [known] = connection.execute(select(about)).mappings()
        connection.execute(about.delete())
        connection.execute(insert(about).values(dict(known) | {"format": found}))
    with pytest.raises(la.InvalidInput, match=said):
        publish(place, tmp_path / "2")
