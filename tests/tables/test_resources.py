"""Memory and spill: what is allowed, what is free, and where a connection works on disk."""

import gc
import stat

import pytest

from lookalike.errors import InvalidInput
from lookalike.tables import resources as chosen
from lookalike.tables.connection import Connection
from lookalike.tables.resources import Resources, free_memory
from lookalike.tables.sql import engine_errors

pytestmark = pytest.mark.usefixtures("own_duckdb")

MEBIBYTE = 1 << 20


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A machine with 800 MiB of available memory, whose files a test may add to."""
    monkeypatch.setattr(chosen, "PROCESS", tmp_path / "proc")
    monkeypatch.setattr(chosen, "GROUPS", tmp_path / "groups")
    write(tmp_path / "proc/meminfo", f"MemTotal: 4000 kB\nMemAvailable:  {800 * 1024} kB\n")
    return tmp_path


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(content))


def limit_of(connection):
    [(limit,)] = connection.duckdb.sql("SELECT current_setting('memory_limit')").fetchall()
    return limit


class TestFreeMemory:
    def test_what_the_kernel_says_is_available(self, system):
        assert free_memory() == 800 * MEBIBYTE

    @pytest.mark.parametrize("inside", ["", "tenant", "tenant/job"])
    def test_a_control_group_has_less(self, system, inside):
        """Also if it is around the group of the process."""
        write(system / "proc/self/cgroup", "0::/tenant/job\n")
        group = system / "groups" / inside
        write(group / "memory.max", 500 * MEBIBYTE)
        write(group / "memory.current", 300 * MEBIBYTE)
        write(group / "memory.stat", f"anon 5\ninactive_file {100 * MEBIBYTE}\n")
        assert free_memory() == 300 * MEBIBYTE

    def test_a_control_group_without_limit(self, system):
        write(system / "proc/self/cgroup", "0::/\n")
        write(system / "groups/memory.max", "max\n")
        write(system / "groups/memory.current", 300 * MEBIBYTE)
        assert free_memory() == 800 * MEBIBYTE

    def test_a_control_group_of_version_1(self, system):
        write(system / "proc/self/cgroup", "3:cpu:/x\n4:memory:/job\n0::/\n")
        write(system / "groups/memory/job/memory.limit_in_bytes", 500 * MEBIBYTE)
        write(system / "groups/memory/job/memory.usage_in_bytes", 300 * MEBIBYTE)
        assert free_memory() == 200 * MEBIBYTE

    def test_a_full_control_group_has_nothing_left(self, system):
        write(system / "proc/self/cgroup", "0::/\n")
        write(system / "groups/memory.max", 500 * MEBIBYTE)
        write(system / "groups/memory.current", 501 * MEBIBYTE)
        assert free_memory() == 0

    def test_a_system_that_does_not_say(self, system):
        (system / "proc/meminfo").unlink()
        assert free_memory() > 0


@pytest.mark.parametrize(
    ("amount", "expected"),
    [("512MB", 512 * 10**6), ("4GB", 4 * 10**9), ("1.5 GiB", 3 << 29), ("900 kb", 900_000)],
)
def test_an_amount(amount, expected):
    assert Resources(amount).bytes == expected


@pytest.mark.parametrize("amount", ["plenty", "", "-1", "50%", "4", "none", "4 GB or so", "4XB"])
def test_no_amount(amount):
    with pytest.raises(InvalidInput, match='"512MB" or "4GB"'):
        Resources(amount)


def test_the_limit_leaves_room_for_what_duckdb_does_not_count():
    assert limit_of(Connection(Resources("640MiB"))) == "576.0 MiB"


def test_without_an_amount_half_of_what_is_free(monkeypatch):
    monkeypatch.setattr(chosen, "free_memory", lambda: 640 * MEBIBYTE)
    assert limit_of(Connection()) == "288.0 MiB"


def test_the_chosen_folder_holds_a_private_one_while_the_connection_lives(tmp_path):
    connection = Connection(Resources(spill=str(tmp_path)), beside=tmp_path / "elsewhere")
    [private] = tmp_path.iterdir()
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    [(place,)] = connection.duckdb.sql("SELECT current_setting('temp_directory')").fetchall()
    assert place == str(private / "spill")

    del connection
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_in_it_is_removed_at_the_next_start(tmp_path):
    write(tmp_path / ".lookalike-scratch-0123456789abcdef" / "spill" / "rows", "private")
    connection = Connection(Resources(spill=str(tmp_path)))
    assert list(tmp_path.iterdir()) == [connection.folder.path]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InvalidInput, match="nowhere is no folder; create it"):
        Connection(Resources(spill=str(tmp_path / "nowhere")))


@pytest.mark.parametrize("place", ["released", "released/inside"])
def test_a_folder_of_a_published_release(tmp_path, place):
    (tmp_path / place).mkdir(parents=True)
    write(tmp_path / "released" / "certificate.json", "{}")
    with pytest.raises(InvalidInput, match="part of a published release"):
        Connection(Resources(spill=str(tmp_path / place)))


def test_a_full_disk_is_an_error_with_the_remedy(tmp_path):
    connection = Connection(Resources("60MB", str(tmp_path)))
    connection.duckdb.execute("SET max_temp_directory_size = '1MB'")
    wide = connection.duckdb.sql("SELECT repeat('x', 100) || i AS x FROM range(900000) r(i)")
    with pytest.raises(InvalidInput, match="more room as spill") as caught, engine_errors():
        wide.order("x DESC").fetchall()
    assert "xxx" not in str(caught.value)
