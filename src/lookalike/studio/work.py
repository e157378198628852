"""Work: a long task in a process of its own, with its progress, its result, and a way to stop it.

The page may be closed meanwhile: the result is kept here. If the process dies, that is an error of
this task and of nothing else.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Lock
from typing import Any, Literal

from lookalike.errors import LookalikeError, describe_fault
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.compilation import noticing_compilation
from lookalike.model.progress import Announce

WorkState = Literal["running", "done", "failed", "cancelled"]
Task = Callable[..., Any]
"""A function that takes ``announce`` first; it, what it takes and what it returns are pickled."""
GRACE_SECONDS = 5.0
"""How long a cancelled task may take to remove what it has begun to write."""
_DIED = (
    "the process that did this ended unexpectedly, perhaps because memory ran out; nothing was "
    "published, and your specification is as it was"
)


class Work(Discreet):
    """A task that runs, or has run."""

    def __init__(self, name: str, task: Task, *given: Any) -> None:
        self.name = name
        self.state: WorkState = "running"
        self.step = "starting"
        self.problem = ""
        self.result: Any = None
        self.began = time.monotonic()
        self.ended: float | None = None
        self._is_cancelled = False
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe(duplex=False)
        self._start = spawn.Lock()  # whoever takes it first: the task begins, or it never does
        handed = (theirs, self._start, task, given)
        self._process = spawn.Process(target=_run, args=handed, daemon=True)
        self._process.start()
        theirs.close()
        self._listener = threading.Thread(target=self._listen, args=(ours,), daemon=True)
        self._listener.start()

    def __repr__(self) -> str:
        return f"Work({self.name!r}, {self.state!r})"

    @property
    def mark(self) -> str:
        """What a page compares to notice that a task has begun or ended."""
        return f"{self.name} {self.state} {self.began}"

    @property
    def is_running(self) -> bool:
        """Whether it is not over."""
        return self.state == "running"

    @property
    def seconds(self) -> int:
        """How long it has run, in whole seconds."""
        return int((self.ended or time.monotonic()) - self.began)

    def cancel(self) -> None:
        """Stop the task; it removes what it has begun to write.

        A process that is still loading its modules cannot begin any more, and is ended at once.
        """
        if not self.is_running or self._is_cancelled:
            return
        self._is_cancelled, self.step = True, "cancelling"
        has_begun = not self._start.acquire(block=False)
        self._signal(signal.SIGINT if has_begun else signal.SIGKILL)
        killer = threading.Timer(GRACE_SECONDS, self._signal, (signal.SIGKILL,))
        killer.daemon = True
        killer.start()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the task is over."""
        self._listener.join(seconds)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it still runs."""
        if self._process.is_alive() and self._process.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def _listen(self, connection: Connection) -> None:
        """Receive the steps and the end of the task."""
        state: WorkState = "failed"
        problem, result = _DIED, None
        with contextlib.suppress(EOFError, OSError):
            while True:
                kind, message = connection.recv()
                if kind == "step" and not self._is_cancelled:
                    self.step = message
                elif kind == "done":
                    state, problem, result = "done", "", message
                elif kind == "failed":
                    problem = message
        self._process.join()
        self.ended = time.monotonic()
        self.result, self.problem = result, problem
        self.state = "cancelled" if self._is_cancelled and state == "failed" else state


def _run(connection: Connection, start: Lock, task: Task, given: tuple[Any, ...]) -> None:
    """Do a task in this process and send what it returns; errors are sent as text.

    A program that a shell starts in the background ignores interrupts, and so would this process.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    announce: Announce = lambda step: connection.send(("step", step))  # noqa: E731
    try:
        if not start.acquire(block=False):
            return
        with noticing_compilation(lambda: announce("compiling, once, about 20 s")):
            connection.send(("done", task(announce, *given)))
    except KeyboardInterrupt:
        pass
    except LookalikeError as error:
        connection.send(("failed", str(error)))
    except OSError as error:
        connection.send(
            ("failed", f"{error.filename or 'a file'} cannot be used: {error.strerror}")
        )
    except Exception as error:
        connection.send(("failed", str(describe_fault(error))))
