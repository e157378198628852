"""Fixtures of all tests: the command line, run in this process, and a folder of patients."""

import fcntl
import gc
import json
import os
import shlex
import shutil
import sqlite3
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import duckdb
import pytest
import typer
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from sqlalchemy import Pool, event
from xdist.scheduler import LoadScopeScheduling

from lookalike.flow.result import Release
from lookalike.shell import cli
from lookalike.tables import connection
from lookalike.tables.resources import HALF_OF_FREE, Resources
from lookalike.tables.sql import quote_name

from . import effort  # noqa: F401  (loads the profile of the random tests)
from .demo_files import copy_demo
from .json_schemas import check_printed

gc.disable()  # until the tests are collected: what is made meanwhile stays
SPARK = "spark"
FIRST = (SPARK, "_crash", "browser", "lost_executors", "notebooks")
"""What takes longest, in words of names; other slow tests follow."""

HAS_SPARK = pytest.StashKey[bool]()
"""Whether slow tests of Spark are among the tests."""
RARELY = 100
"""How many searches of what is young come before one of all objects, instead of 10."""
LESS_URGENT = 5
"""How nice the processes of other tests are then."""
ENOUGH = Resources("2GB")
"""The memory of the DuckDB that connections share; to ask how much is free takes a while."""


class Shares(LoadScopeScheduling):
    """Gives a file to one process, and all tests that share a Spark; it divides crash tests."""

    def _split_scope(self, nodeid):
        return _find_scope(nodeid)


def _find_scope(nodeid):
    file = nodeid.partition("::")[0]
    if SPARK in nodeid or file.endswith("test_parts.py"):
        return SPARK
    return nodeid if "_crash" in file else file


def pytest_xdist_make_scheduler(config, log):
    """Replace what ``--dist loadscope`` means."""
    return Shares(config, log) if config.getvalue("dist") == "loadscope" else None


def pytest_collection_modifyitems(items):
    """Begin with what takes longest, and spread tests that never wait evenly among those that do.

    So there is work for the cores while others wait for a server, a browser or a timeout.
    """
    items.sort(key=_find_turn)
    scope_of = {item: _find_scope(item.nodeid) for item in items}
    waits = {scope for item, scope in scope_of.items() if item.get_closest_marker("slow")}
    place_of = {}
    for waiting in (True, False):
        own = [one for one in dict.fromkeys(scope_of.values()) if (one in waits) == waiting]
        place_of |= {scope: (place / len(own), scope) for place, scope in enumerate(own)}
    items.sort(key=lambda item: place_of[scope_of[item]])


def _find_turn(item):
    if not item.get_closest_marker("slow"):
        return len(FIRST) + 1
    return next((turn for turn, word in enumerate(FIRST) if word in item.nodeid), len(FIRST))


def pytest_runtest_setup(item):
    """Let Spark go first where it is tested: its tests wait for each other, and would end last."""
    if item.session.stash[HAS_SPARK] and _find_scope(item.nodeid) != SPARK:
        os.nice(max(0, LESS_URGENT - os.nice(0)))


def pytest_collection_finish(session):
    """Let the collector of garbage pass over what lives as long as the tests.

    It does not count that, so it would search the rest, which seems little, all the time.
    """
    slow = (item for item in session.items if item.get_closest_marker("slow"))
    session.stash[HAS_SPARK] = any(_find_scope(item.nodeid) == SPARK for item in slow)
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], RARELY)
    gc.enable()


def pytest_sessionfinish():
    """Let it see everything again, so that nothing is left at the end of the process."""
    gc.unfreeze()


@pytest.fixture(autouse=True, scope="session")
def without_reports():
    """No test makes reports, which take time, unless it has the marker ``reports``."""
    with pytest.MonkeyPatch.context() as patch:
        asked = Release.has_reports
        patch.setattr(Release, "has_reports", False)
        yield asked


@pytest.fixture(autouse=True, scope="session")
def _nothing_waits_for_the_disk():
    """Nothing that a test writes must survive the machine.

    Tests that kill processes do so to processes of their own, which write as they always do.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        event.listen(Pool, "checkout", _do_not_wait)
        yield
        event.remove(Pool, "checkout", _do_not_wait)


def _do_not_wait(connection, _record, _proxy):
    """Let SQLite not wait for the disk."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous = OFF")


@pytest.fixture(autouse=True)
def _reports_on_request(request, monkeypatch, without_reports):
    """Makes reports in a test with the marker ``reports``."""
    if request.node.get_closest_marker("reports"):
        monkeypatch.setattr(Release, "has_reports", without_reports)


class StartedDuckDB:
    """The module ``duckdb``, but ``connect`` returns another connection to one DuckDB.

    To start a DuckDB takes as long as a small release. Connections to the same one have
    transactions and temporary tables of their own; other tables, views and settings are shared.
    """

    def __init__(self):
        self.started = duckdb.connect(config=connection.SYNCHRONOUS)
        self.is_shared, self.is_used = True, False
        connection.register_keyed_hash(self.started)

    def __getattr__(self, name):
        return getattr(duckdb, name)

    def connect(self, config):
        self.is_used = True
        return self.started.cursor()

    def list_settings(self):
        """List the settings, without those that each of our connections sets."""
        anew = "name = 'temp_directory' OR name LIKE '%memory%'"
        query = f"SELECT name, value FROM duckdb_settings() WHERE NOT ({anew})"
        return dict(self.started.execute(query).fetchall())

    def drop_all(self):
        """Drop all tables and views."""
        for kind in ("view", "table"):
            query = f"SELECT {kind}_name FROM duckdb_{kind}s() WHERE NOT internal"
            for (name,) in self.started.execute(query).fetchall():
                self.started.execute(f"DROP {kind} {quote_name(name)}")
        self.is_used = False


@pytest.fixture(autouse=True, scope="session")
def started_duckdb():
    """Our connections are connections to one DuckDB; at the end its settings are as they were.

    One that is given resources starts a DuckDB of its own, with that memory and spill.
    """
    started, connect = StartedDuckDB(), connection.Connection.__init__
    before = started.list_settings()

    def connect_or_start(self, resources=HALF_OF_FREE, beside=None):
        with pytest.MonkeyPatch.context() as patch:
            if resources == HALF_OF_FREE and started.is_shared:
                patch.setattr(connection, "duckdb", started)
                patch.setattr(connection, "register_keyed_hash", lambda _: None)
                resources = ENOUGH
            connect(self, resources, beside)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection.Connection, "__init__", connect_or_start)
        yield started
    assert started.list_settings() == before
    started.started.close()


@pytest.fixture(autouse=True)
def _nothing_is_left_in_duckdb(started_duckdb):
    """No test finds tables and views of another one."""
    yield
    if started_duckdb.is_used:
        started_duckdb.drop_all()


@pytest.fixture(scope="module")
def own_duckdb(started_duckdb):
    """In the tests of a file, each connection starts a DuckDB of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(started_duckdb, "is_shared", False)
        yield


@pytest.fixture(autouse=True, scope="session")
def _commands_are_built_once():
    """A process of ours runs one command; this one runs thousands, and builds each of them once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cli, "load_command", cache(cli.load_command))
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


@pytest.fixture(autouse=True, scope="session")
def _kernels_are_compiled_once(tmp_path_factory):
    """A process that needs a kernel which another one compiles waits for it, and loads it then."""
    places, compile_now, held = tmp_path_factory.getbasetemp().parent, Dispatcher.compile, set()

    def compile_alone(kernel, signature):
        name = f"compiling-{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"
        with global_compiler_lock, (places / name).open("w") as lock:
            if name not in held:
                fcntl.flock(lock, fcntl.LOCK_EX)
            outside = held.copy()
            held.add(name)
            try:
                return compile_now(kernel, signature)
            finally:
                held.intersection_update(outside)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dispatcher, "compile", compile_alone)
        yield


@pytest.fixture(autouse=True, scope="session")
def usual_budget():
    """However slow the machine is, an exploration without a limit tries every point."""
    explore = import_module("lookalike.flow.explore.explore")
    with pytest.MonkeyPatch.context() as patch:
        usual = explore.BUDGET_SECONDS
        patch.setattr(explore, "BUDGET_SECONDS", 3600)
        yield usual


@pytest.fixture(autouse=True, scope="session")
def _columns_are_recognized_once():
    """A process of ours makes one release; this one makes thousands, of the same few columns."""
    find_person, found = import_module("lookalike.draft.find_person"), {}
    recognize = find_person.recognize_column

    def recognize_once(column):
        key = repr(vars(column))
        if key not in found:
            found[key] = recognize(column)
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(find_person, "recognize_column", recognize_once)
        yield


@pytest.fixture
def type_in(monkeypatch, capsys):
    """Runs a command line in this process; returns the exit code and what was printed.

    What ``--json`` prints must be what the published schema describes.
    """

    # However slow the machine is, no line of progress is printed.
    monkeypatch.setattr("lookalike.shell.views.terminal.LINE_SECONDS", (3600,))

    def run(command):
        words = shlex.split(command)
        monkeypatch.setattr(sys, "argv", ["lookalike", *words])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        printed, complaint = capsys.readouterr()
        if "--json" in words and "--help" not in words:
            check_printed(words, printed)
        return stopped.value.code or 0, printed, complaint

    return run


@pytest.fixture
def stage(tmp_path, tmp_path_factory, monkeypatch):
    """An empty working folder, which has the same path in every test of a process."""
    place = tmp_path_factory.getbasetemp() / "stage"
    place.mkdir()
    monkeypatch.chdir(place)
    yield place
    place.rename(tmp_path / "stage")


@pytest.fixture
def folder(stage):
    """The twelve patients, the voters and the specification, in the working folder."""
    copy_demo(stage, "patients")
    return stage


@pytest.fixture(scope="session")
def left_by_commands():
    """What commands left on the stage, by what was there before and what was typed."""
    return {}


@pytest.fixture
def after(stage, tmp_path_factory, type_in, monkeypatch, left_by_commands):
    """Types commands that succeed, once a process; other tests get a copy of what they left."""

    def run(*commands):
        here, reports = Path.cwd(), Release.has_reports
        before = {path: path.read_bytes() for path in stage.rglob("*") if path.is_file()}
        key = here, tuple(sorted(before.items())), commands, reports
        if kept := left_by_commands.get(key):
            stage.rename(tmp_path_factory.mktemp("before") / "stage")
            shutil.copytree(kept, stage, symlinks=True)
            monkeypatch.chdir(here)
            return
        for command in commands:
            assert type_in(command)[0] == 0
        kept = tmp_path_factory.mktemp("kept") / "stage"
        left_by_commands[key] = shutil.copytree(stage, kept, symlinks=True)

    return run


@pytest.fixture
def answer(type_in):
    """Runs a command line that succeeds, and returns the one JSON object that it printed."""

    def run(command, code=0):
        actual, printed, complaint = type_in(f"{command} --json")
        assert (actual, complaint) == (code, "")
        assert printed.count("\n") == 1
        return json.loads(printed)

    return run
