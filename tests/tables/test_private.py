"""Private folders: closed to others, held while in use, swept when their owner is gone."""

import gc
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from lookalike.errors import InvalidInput, Unavailable
from lookalike.tables import private_folders as private
from lookalike.tables.private_folders import (
    PrivateFolder,
    abandoned,
    folders,
    locked,
    scratch_folder,
    sweep,
)

pytestmark = pytest.mark.usefixtures("own_duckdb")

PREFIX = ".private-"


def run(script, *arguments):
    """Run Python code in a process of its own, and return what it printed."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def leave_behind(parent, name):
    """Leave what a process that died leaves behind."""
    folder = parent / name
    folder.mkdir()
    (folder / "rows.csv").write_text("private")
    return folder


DIE = """
import os, signal, sys
from pathlib import Path
from lookalike.tables.private_folders import PrivateFolder
folder = PrivateFolder(Path(sys.argv[1]), ".private-")
(folder.path / "rows.csv").write_text("private")
print(folder.path, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_only_its_owner_may_enter(tmp_path):
    mask = os.umask(0)
    try:
        folder = PrivateFolder(tmp_path, PREFIX)
    finally:
        os.umask(mask)

    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert folder.path.parent == tmp_path
    assert folder.path.name.startswith(PREFIX)


def test_two_folders_have_different_names(tmp_path):
    first, second = PrivateFolder(tmp_path, PREFIX), PrivateFolder(tmp_path, PREFIX)

    assert sorted(tmp_path.iterdir()) == sorted([first.path, second.path])


def test_it_is_removed_with_all_it_holds(tmp_path):
    folder = PrivateFolder(tmp_path, PREFIX)
    (folder.path / "spill").mkdir()
    (folder.path / "spill" / "rows.csv").write_text("private")
    folder.remove()
    folder.remove()

    assert list(tmp_path.iterdir()) == []


def test_it_is_removed_when_nothing_refers_to_it(tmp_path):
    folder = PrivateFolder(tmp_path, PREFIX)
    (folder.path / "rows.csv").write_text("private")
    del folder
    gc.collect()

    assert list(tmp_path.iterdir()) == []


def test_it_is_removed_when_its_process_ends(tmp_path):
    run(DIE.replace("os.kill(os.getpid(), signal.SIGKILL)", ""), tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_folder_whose_process_was_killed_is_swept_by_the_next(tmp_path):
    killed = subprocess.run([sys.executable, "-c", DIE, tmp_path], capture_output=True, check=False)
    assert killed.returncode < 0
    left = Path(killed.stdout.decode().strip())
    assert (left / "rows.csv").exists()
    folder = PrivateFolder(tmp_path, PREFIX)

    assert list(tmp_path.iterdir()) == [folder.path]


def test_a_folder_that_is_held_is_not_swept(tmp_path):
    held = PrivateFolder(tmp_path, PREFIX)
    left = leave_behind(tmp_path, f"{PREFIX}left")

    assert folders(tmp_path, PREFIX) == sorted([held.path, left])
    assert abandoned(tmp_path, PREFIX) == [left]
    sweep(tmp_path, PREFIX)
    assert list(tmp_path.iterdir()) == [held.path]


HOLD = """
import sys
from pathlib import Path
from lookalike.tables.private_folders import PrivateFolder
folder = PrivateFolder(Path(sys.argv[1]), ".private-")
print(folder.path, flush=True)
sys.stdin.read()
"""


def test_a_folder_that_another_process_holds_is_not_swept(tmp_path):
    command = [sys.executable, "-c", HOLD, tmp_path]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as other:
        held = Path(other.stdout.readline().strip())
        sweep(tmp_path, PREFIX)
        assert held.exists()
        other.stdin.close()

    assert other.returncode == 0
    assert not held.exists()


FORK = """
import os, sys
from pathlib import Path
from lookalike.tables.private_folders import PrivateFolder
folder = PrivateFolder(Path(sys.argv[1]), ".private-")
child = os.fork()
if child:
    os.waitpid(child, 0)
    print(folder.path.exists())
else:
    folder.remove()
    del folder
"""


def test_a_child_of_its_process_does_not_remove_it(tmp_path):
    assert run(FORK, tmp_path) == ["True"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["other", ".privat", "private-x", ".other-private-"])
def test_only_its_own_prefix_is_swept(name, tmp_path):
    other = leave_behind(tmp_path, name)
    sweep(tmp_path, PREFIX)

    assert (other / "rows.csv").exists()


def test_files_and_links_are_not_swept(tmp_path):
    elsewhere = leave_behind(tmp_path, "elsewhere")
    (tmp_path / f"{PREFIX}file").write_text("not ours")
    (tmp_path / f"{PREFIX}link").symlink_to(elsewhere)
    sweep(tmp_path, PREFIX)

    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{PREFIX}file",
        f"{PREFIX}link",
        "elsewhere",
    ]
    assert (elsewhere / "rows.csv").exists()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another user")
def test_folders_of_other_users_are_not_swept(tmp_path):
    other = leave_behind(tmp_path, f"{PREFIX}other")
    os.chown(other, 1, 1)
    sweep(tmp_path, PREFIX)

    assert (other / "rows.csv").exists()


def test_a_moved_folder_stays_private(tmp_path):
    folder = PrivateFolder(tmp_path, PREFIX)
    (folder.path / "rows.csv").write_text("private")
    folder.move(tmp_path / ".ready-1")

    assert folder.path == tmp_path / ".ready-1"
    assert abandoned(tmp_path, ".ready-") == []
    del folder
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_a_released_folder_is_given_up(tmp_path):
    folder = PrivateFolder(tmp_path, PREFIX)
    (folder.path / "rows.csv").write_text("released")
    folder.release(tmp_path / "released")
    assert abandoned(tmp_path, "released") == [tmp_path / "released"]
    folder.remove()
    del folder
    gc.collect()

    assert (tmp_path / "released" / "rows.csv").read_text() == "released"


def test_a_folder_that_cannot_be_released_is_still_removed(tmp_path):
    taken = leave_behind(tmp_path, "released")
    folder = PrivateFolder(tmp_path, PREFIX)
    with pytest.raises(OSError, match="not empty"):
        folder.release(taken)
    folder.remove()

    assert list(tmp_path.iterdir()) == [taken]


def test_handles_are_closed(tmp_path):
    def count_handles():
        return len(list(Path("/proc/self/fd").iterdir()))

    before = count_handles()
    for number in range(5):
        PrivateFolder(tmp_path, PREFIX).remove()
        PrivateFolder(tmp_path, PREFIX).release(tmp_path / f"released {number}")
        PrivateFolder(tmp_path, PREFIX).move(tmp_path / ".ready-")
    assert count_handles() == before


def test_scratch_is_in_the_temporary_folder_or_beside_the_release(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    (tmp_path / "beside").mkdir()

    anywhere, beside = scratch_folder(), scratch_folder(tmp_path / "beside")
    assert anywhere.path.parent == tmp_path / "temporary" / f"lookalike-{os.getuid()}"
    assert stat.S_IMODE(anywhere.path.parent.stat().st_mode) == 0o700
    assert beside.path.parent == tmp_path / "beside"


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The place of our folder in a temporary folder that others share."""
    (tmp_path / "temporary").mkdir()
    (tmp_path / "home").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "temporary" / f"lookalike-{os.getuid()}"


def test_whoever_locks_the_shared_temporary_folder_stops_nobody(own):
    with locked(own.parent):
        assert scratch_folder().path.parent == own


def occupy_with_link(place):
    (place.parent / "elsewhere").mkdir(mode=0o700)
    place.symlink_to(place.parent / "elsewhere")


def occupy_with_open_folder(place):
    place.mkdir()
    place.chmod(0o750)


def occupy_with_folder_of_another(place):
    if os.getuid():
        pytest.skip("only root can give a folder to another user")
    place.mkdir(mode=0o700)
    os.chown(place, 1, 1)


@pytest.mark.parametrize(
    "occupy",
    [occupy_with_link, occupy_with_open_folder, occupy_with_folder_of_another, Path.touch],
)
def test_what_others_put_in_the_place_of_our_folder_is_not_used(occupy, own, tmp_path):
    occupy(own)
    assert scratch_folder().path.parent == tmp_path / "home" / ".cache" / "lookalike"


def test_without_a_folder_of_our_own_the_way_out_is_told(own, tmp_path):
    own.touch()
    (tmp_path / "home" / ".cache").mkdir()
    (tmp_path / "home" / ".cache" / "lookalike").touch()
    with pytest.raises(InvalidInput, match=r"only you may enter; .*set TMPDIR"):
        scratch_folder()


@pytest.mark.parametrize(
    ("parent", "remedy"),
    [("/proc", "choose another place for the release"), (None, "set TMPDIR to another one")],
)
def test_a_place_that_cannot_be_written_is_the_users_mistake(parent, remedy, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/proc")
    with pytest.raises(
        InvalidInput, match=f"a temporary folder cannot be made in /proc: .*{remedy}"
    ):
        scratch_folder(parent and Path(parent))


def test_a_lock_that_is_not_let_go_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(private, "WAIT_SECONDS", 0.05)
    with (
        locked(tmp_path),
        pytest.raises(Unavailable, match="another process has locked"),
        locked(tmp_path),
    ):
        pass


LOCK = """
import fcntl, os, sys
handle = os.open(sys.argv[1], os.O_RDONLY)
try:
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    print("free")
except BlockingIOError:
    print("taken")
"""


def test_a_lock_keeps_others_out_until_it_is_let_go(tmp_path):
    with locked(tmp_path):
        assert run(LOCK, tmp_path) == ["taken"]
    assert run(LOCK, tmp_path) == ["free"]


BUSY = """
import sys
from pathlib import Path
from lookalike.tables.private_folders import PrivateFolder
for _ in range(300):
    PrivateFolder(Path(sys.argv[1]), ".private-").remove()
"""


@pytest.mark.slow
def test_processes_that_make_and_remove_folders_do_not_trip_each_other(tmp_path):
    commands = [[sys.executable, "-c", BUSY, str(tmp_path)]] * 3
    busy = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    assert [process.communicate(timeout=600)[1] for process in busy] == [""] * 3
    assert not list(tmp_path.iterdir())
