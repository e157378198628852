"""Work in another process: progress, results, errors, a crash, and cancelling."""

import multiprocessing
import os
import signal
import threading
import time

import pytest

from lookalike.studio import work
from lookalike.studio.work import Work

from . import tasks


def done(one):
    one.wait(600)
    return one


def wait_for(path):
    until = time.monotonic() + 600
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_result_and_the_last_step_are_kept():
    """More steps than a pipe can hold while nobody looks."""
    one = done(Work("count", tasks.count, 20_000))
    assert (one.state, one.result, one.step) == ("done", 20_000, "step 19999")
    assert repr(one) == "Work('count', 'done')"


def test_an_error_is_shown_in_its_words():
    one = done(Work("fail", tasks.fail))
    assert (one.state, one.problem) == ("failed", "the column is wrong")


def test_a_fault_shows_its_place_and_no_value():
    one = done(Work("break", tasks.break_down))
    assert one.state == "failed"
    assert "ValueError" in one.problem
    assert "Ann" not in one.problem


def test_a_process_that_dies_is_an_error():
    one = done(Work("die", tasks.die))
    assert one.state == "failed"
    assert "ended unexpectedly" in one.problem


@pytest.mark.parametrize("inherited", [signal.SIG_IGN, signal.default_int_handler])
def test_a_cancelled_task_removes_what_it_has_begun(inherited, tmp_path, monkeypatch):
    monkeypatch.setattr(work, "GRACE_SECONDS", 60)  # nobody kills it meanwhile
    before = signal.signal(signal.SIGINT, inherited)
    try:
        one = Work("wait", tasks.wait_long, tmp_path / "begun")
    finally:
        signal.signal(signal.SIGINT, before)
    wait_for(tmp_path / "begun")
    one.cancel()
    done(one)
    assert one.state == "cancelled"
    assert not (tmp_path / "begun").exists()


def test_a_task_whose_first_step_was_not_heard_removes_what_it_has_begun(tmp_path, monkeypatch):
    """On a loaded machine, the thread that listens is late."""
    listen, can_listen = Work._listen, threading.Event()
    late = lambda one: can_listen.wait() and listen(one)  # noqa: E731
    monkeypatch.setattr(Work, "_listen", late)
    one = Work("wait", tasks.wait_long, tmp_path / "begun")
    wait_for(tmp_path / "begun")
    one.cancel()
    can_listen.set()
    assert done(one).state == "cancelled"
    assert not (tmp_path / "begun").exists()


def test_a_task_that_is_cancelled_before_it_begins_never_does(tmp_path, monkeypatch):
    """The process of the task asks for the lock that cancelling has taken."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    start = multiprocessing.get_context("spawn").Lock()
    start.acquire()
    work._run(None, start, None, tasks.insist, (tmp_path / "begun",))
    assert not (tmp_path / "begun").exists()


def test_a_task_that_does_not_stop_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(work, "GRACE_SECONDS", 0.1)
    one = Work("insist", tasks.insist, tmp_path / "begun")
    wait_for(tmp_path / "begun")
    one.cancel()
    assert done(one).state == "cancelled"


def test_a_task_goes_on_with_what_another_one_has_kept(tmp_path):
    one = done(Work("keep", tasks.keep, 3))
    assert one.can_follow
    other = done(Work("refused", tasks.take_kept, True, after=one))
    assert (other.state, other.problem, other.can_follow) == ("failed", "refused", True)
    last = done(Work("take", tasks.take_kept, after=other))
    assert (last.result, last.can_follow) == ((3, one.result), False)
    assert not one.can_follow
    assert not other.can_follow


def test_a_process_that_dies_while_it_keeps_something_is_noticed():
    one = done(Work("keep", tasks.keep, 3))
    os.kill(one.result, signal.SIGKILL)
    one._worker.process.join(60)
    assert not one.can_follow
    other = done(Work("take", tasks.take_kept, after=one))
    assert (other.state, "ended unexpectedly" in other.problem) == ("failed", True)


def test_a_process_ends_when_nobody_needs_what_it_keeps():
    one = done(Work("keep", tasks.keep, 3))
    one.let_go()
    one._worker.process.join(60)
    assert one._worker.process.exitcode == 0


def test_a_task_is_cancelled_that_follows_another_one(tmp_path):
    one = done(Work("keep", tasks.keep, 3))
    other = Work("wait", tasks.wait_long, tmp_path / "begun", after=one)
    wait_for(tmp_path / "begun")
    other.cancel()
    assert done(other).state == "cancelled"
    assert not (tmp_path / "begun").exists()


def test_a_task_ends_with_what_it_has_found():
    heard = threading.Event()
    one = Work("find", tasks.find_until_enough, ring=heard.set)
    assert heard.wait(60)
    assert (one.part, one.parts) == ("a part", 1)
    one.end_early()
    assert (done(one).state, one.result) == ("done", "what was found")


def test_best_and_bound_of_a_search_are_noted_when_they_change():
    one = done(Work("search", tasks.search))
    assert [found[1:] for found in one.course] == [(0.8, 0.95), (0.9, 0.95)]
    assert one.share == 0.5
