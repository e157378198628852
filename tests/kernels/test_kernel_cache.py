"""The next process reuses compiled code, but only if no kernel has changed."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lookalike.kernels import cache, compilation, compiled, stored_code

CALLEE = """
from lookalike.kernels.compiled import compiled

@compiled
def step(number):
    return number + {step}
"""
CALLER = """
from lookalike.kernels.callee import step
from lookalike.kernels.compiled import compiled

@compiled
def walk(number):
    return step(step(number))
"""
RUN = """
from lookalike.kernels.caller import walk
result = walk(0)
print(result, sum(walk.machine_code().stats.cache_hits.values()))
"""


@pytest.fixture
def package(tmp_path):
    """A package with the files that compile and cache, and two kernels of its own."""
    kernels = tmp_path / "package" / "lookalike" / "kernels"
    kernels.mkdir(parents=True)
    for folder in (kernels, kernels.parent):
        (folder / "__init__.py").touch()
    for module in (cache, compilation, compiled, stored_code):
        shutil.copy(Path(module.__file__), kernels)
    (kernels / "caller.py").write_text(CALLER)
    write_callee(kernels.parent.parent, 1)
    return kernels.parent.parent


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    return folder


def write_callee(package, step):
    (package / "lookalike" / "kernels" / "callee.py").write_text(CALLEE.format(step=step))


def run(package, home, **variables):
    """Return the result of the caller, the number of cache hits, and the warnings."""
    environment = {"PYTHONPATH": str(package), "HOME": str(home), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-B", "-c", RUN],
        env=environment | {name: str(value) for name, value in variables.items()},
        capture_output=True,
        text=True,
        check=True,
    )
    result, hits = map(int, done.stdout.split())
    return result, hits, done.stderr


def folders(parent):
    return sorted(parent.glob("kernels-*"))


def test_a_change_of_a_callee_in_another_file_is_noticed(package, home):
    assert run(package, home)[:2] == (2, 0)
    assert run(package, home)[:2] == (2, 1)
    write_callee(package, 10)
    assert run(package, home)[:2] == (20, 0)


def test_installations_with_the_same_kernels_share_it(package, home):
    assert run(package, home)[1] == 0
    other = package.rename(package.with_name("elsewhere"))
    assert run(other, home)[:2] == (2, 1)


def test_it_is_kept_in_the_users_cache_for_the_user_alone(package, home):
    run(package, home)
    [folder] = folders(home / ".cache" / "lookalike")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert not list(package.rglob("*.nbc"))


@pytest.mark.slow
@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_another_folder_can_be_named(variable, package, home, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    assert run(package, home, **{variable: elsewhere})[1] == 0
    assert run(package, home, **{variable: elsewhere})[1] == 1
    assert not list(home.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("spoil", ["folder", "parent", "file"])
def test_a_folder_that_others_could_write_to_is_not_used(spoil, package, home):
    run(package, home)
    [folder] = folders(home / ".cache" / "lookalike")
    if spoil == "file":
        shutil.rmtree(folder)
        folder.touch()
    else:
        (folder if spoil == "folder" else folder.parent).chmod(0o777)
    result, hits, warned = run(package, home)
    assert (result, hits) == (2, 0)
    assert "compiles it at each start" in warned


def test_a_home_that_is_no_folder_needs_no_cache(package, home):
    home.rmdir()
    home.touch()
    result, hits, warned = run(package, home)
    assert (result, hits) == (2, 0)
    assert "set NUMBA_CACHE_DIR" in warned


@pytest.mark.slow
def test_folders_of_other_sources_go_when_they_are_long_unused(package, home):
    parent = home / ".cache" / "lookalike"
    for name, age in (("old", cache.UNUSED + 60), ("used", cache.UNUSED - 60)):
        other = parent / f"kernels-{name}"
        other.mkdir(parents=True)
        (other / "code").touch()
        os.utime(other, times=(time.time() - age,) * 2)
    run(package, home)
    assert not (parent / "kernels-old").exists()
    assert (parent / "kernels-used" / "code").exists()
    assert len(folders(parent)) == 2


def test_every_compiled_function_is_in_the_room_that_is_digested():
    root = Path(cache.__file__).parent.parent
    using = [path for path in root.rglob("*.py") if "@compiled" in path.read_text()]
    assert {path.parent.name for path in using} == {"kernels"}
