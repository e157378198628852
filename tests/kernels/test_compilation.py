"""Compilation is noticed when it happens, and shown beside the running step."""

from io import StringIO

import numba
from rich.console import Console
from rich.progress import Progress as Display

from lookalike.kernels.compilation import listen_to_compiler, noticing_compilation
from lookalike.shell.views.terminal import COMPILING, Progress


def test_what_is_compiled_is_noticed_and_what_was_compiled_is_not():
    listen_to_compiler()
    noticed = []
    double = numba.njit(lambda number: 2 * number)
    with noticing_compilation(lambda: noticed.append("compiles")):
        assert double(4) == 8
        assert noticed
        noticed.clear()
        assert double(5) == 10
        assert noticed == []
    assert double(1.5) == 3.0
    assert noticed == []


def test_the_running_step_shows_that_code_is_compiled():
    display = Display(console=Console(file=StringIO()))
    progress = Progress(display, "reading")
    [task] = display.tasks
    progress("count")
    assert task.description == "count"
    progress.notice_compilation()
    assert task.description == f"count{COMPILING}"
    progress("search")
    assert task.description == f"search{COMPILING}"
