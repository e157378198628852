"""Compilation is noticed when it happens, and shown beside the running step."""

import numba

from lookalike.kernels.compilation import listen_to_compiler, noticing_compilation
from lookalike.shell.views.progress import COMPILING, Progress


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
    class Status:
        shown = None

        def update(self, text):
            self.shown = text

    status = Status()
    progress = Progress(status, "reading")
    progress("count")
    assert status.shown == "count"
    progress.notice_compilation()
    assert status.shown == f"count{COMPILING}"
    progress("search")
    assert status.shown == f"search{COMPILING}"
