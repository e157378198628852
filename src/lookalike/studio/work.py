"""Work: a long task in a process of its own, with its progress, its result, and a way to stop it.

The page may be closed meanwhile: the result is kept here. If the process dies, that is an error of
this task and of nothing else. A task may keep something in its process, such as a release, for the
task that follows there.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event, Lock
from typing import Any, Literal

from lookalike.errors import LookalikeError, describe_fault
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.compilation import noticing_compilation
from lookalike.model.progress import read_best, read_share

WorkState = Literal["running", "done", "failed", "cancelled"]
GRACE_SECONDS = 5.0
"""How long a cancelled task may take to remove what it has begun to write."""
_DIED = (
    "the process that did this ended unexpectedly, perhaps because memory ran out; nothing was "
    "published, and your specification is as it was"
)


class Bell:
    """Wakes those who wait for a change, from whatever thread it is rung."""

    def __init__(self) -> None:
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self.is_removed = False

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """Provide an event that is set whenever the bell rings."""
        one = asyncio.get_running_loop(), asyncio.Event()
        self._waiting.add(one)
        try:
            yield one[1]
        finally:
            self._waiting.discard(one)

    def ring(self) -> None:
        """Wake everybody who listens."""
        for loop, event in tuple(self._waiting):
            with contextlib.suppress(RuntimeError):  # its loop has ended
                loop.call_soon_threadsafe(event.set)

    def remove(self) -> None:
        """Ring for the last time; nobody listens any more."""
        self.is_removed = True
        self.ring()


class TaskLine:
    """What a task says while it runs, and what it is told; called with the name of each step.

    ``send``: sends a message of a kind. ``is_enough``: returns whether the user asks the task to
    end with what it has found. ``kept``: what stays in the process for the task that follows there;
    it ends without it.
    """

    def __init__(
        self,
        send: Callable[[str, Any], None] = lambda _kind, _message: None,
        is_enough: Callable[[], bool] = lambda: False,
    ) -> None:
        self._send, self.is_enough, self._lock = send, is_enough, threading.Lock()
        self.kept: Any = None

    def __call__(self, step: str) -> None:
        """Say which step begins, or how far it is."""
        self.send("step", step)

    def show(self, part: Any) -> None:
        """Show a result that is not complete."""
        self.send("part", part)

    def send(self, kind: str, message: Any) -> None:
        """Send a message of a kind; threads of a search do, too."""
        with self._lock:
            self._send(kind, message)


Task = Callable[..., Any]
"""A function that takes a :class:`TaskLine` first; what it takes and returns is pickled."""


@dataclass(eq=False)
class _Worker:
    """A process that does tasks, one after the other as long as it keeps something."""

    process: SpawnProcess
    connection: Connection
    start: Lock
    """Whoever takes it first: the first task begins, or it never does."""
    enough: Event


def _begin(task: Task, given: tuple[Any, ...]) -> _Worker:
    """Start a process that does a task."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    start, enough = spawn.Lock(), spawn.Event()
    handed = (theirs, start, enough, task, given)
    process = spawn.Process(target=_run, args=handed, daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, start, enough)


class Work(Discreet):
    """A task that runs, or has run.

    ``after``: a task that has kept something in its process, where this one follows; ``ring``:
    called whenever something has changed. ``part``: the latest result that is not complete;
    ``parts``: how many there were; ``course``: after how many seconds a search reported which best
    and bound.
    """

    def __init__(
        self,
        name: str,
        task: Task,
        *given: Any,
        after: "Work | None" = None,
        ring: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = name
        self.state: WorkState = "running"
        self.step = "starting"
        self.problem = ""
        self.result: Any = None
        self.part: Any = None
        self.parts = 0
        self.course: list[tuple[float, float, float]] = []
        self.began = time.monotonic()
        self.ended: float | None = None
        self.keeps = False
        self._ring = ring
        self._is_cancelled = False
        if after is None:
            self._worker = _begin(task, given)
        else:
            self._worker, after.keeps = after._worker, False
            self._worker.enough.clear()
            with contextlib.suppress(OSError):  # it has died: nothing is heard of it
                self._worker.connection.send((task, given))
        self._listener = threading.Thread(target=self._listen, daemon=True)
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
    def can_follow(self) -> bool:
        """Whether its process lives and keeps something for a task that follows."""
        return self.keeps and self._worker.process.is_alive()

    @property
    def seconds(self) -> int:
        """How long it has run, in whole seconds."""
        return int((self.ended or time.monotonic()) - self.began)

    @property
    def share(self) -> float | None:
        """How much of the running step is done, if that is known."""
        return read_share(self.step)

    def cancel(self) -> None:
        """Stop the task; it removes what it has begun to write.

        A process that is still loading its modules cannot begin any more, and is ended at once.
        """
        if not self.is_running or self._is_cancelled:
            return
        self._is_cancelled, self.step = True, "cancelling"
        has_begun = not self._worker.start.acquire(block=False)
        self._signal(signal.SIGINT if has_begun else signal.SIGKILL)
        killer = threading.Timer(GRACE_SECONDS, self._signal, (signal.SIGKILL,))
        killer.daemon = True
        killer.start()

    def end_early(self) -> None:
        """Ask the task to end with what it has found."""
        if self.is_running:
            self._worker.enough.set()
            self.step = f"ending after {self.step}"

    def let_go(self, seconds: float = 0.0) -> None:
        """Let the process end that keeps something; it removes what it has written aside.

        ``seconds``: how long to wait until it has.
        """
        if self.keeps:
            self.keeps = False
            self._worker.connection.close()
            self._worker.process.join(seconds)

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the task is over."""
        self._listener.join(seconds)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it still runs and the task with it."""
        process = self._worker.process
        if self.is_running and process.is_alive() and process.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, number)

    def _listen(self) -> None:
        """Receive the steps and the end of the task."""
        state: WorkState = "failed"
        problem, result, keeps = _DIED, None, False
        with contextlib.suppress(EOFError, OSError):
            while not keeps:
                kind, message = self._worker.connection.recv()
                if kind == "done":
                    state, problem, (result, keeps) = "done", "", message
                elif kind == "failed":
                    problem, keeps = message
                else:
                    self._hear(kind, message)
        if not keeps:
            self._worker.process.join()
            self._worker.connection.close()
        self.ended = time.monotonic()
        self.result, self.problem, self.keeps = result, problem, keeps
        self.state = "cancelled" if self._is_cancelled and state == "failed" else state
        self._ring()

    def _hear(self, kind: str, message: Any) -> None:
        """Note a step, or a part of the result."""
        if kind == "part":
            self.part, self.parts = message, self.parts + 1
        elif not self._is_cancelled:
            self.step = message
            found = read_best(message)
            if found is not None and (not self.course or self.course[-1][1:] != found):
                self.course.append((time.monotonic() - self.began, *found))
        self._ring()


def _run(
    connection: Connection, start: Lock, enough: Event, task: Task, given: tuple[Any, ...]
) -> None:
    """Do tasks in this process and send what they return; errors are sent as text.

    A program that a shell starts in the background ignores interrupts, and so would this process.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not start.acquire(block=False):
        return
    line = TaskLine(lambda kind, message: connection.send((kind, message)), enough.is_set)
    try:
        while _do(line, task, given):
            task, given = connection.recv()
    except (KeyboardInterrupt, EOFError):  # it is cancelled, or nobody needs what it keeps
        pass


def _do(line: TaskLine, task: Task, given: tuple[Any, ...]) -> bool:
    """Do a task, send what it returns, and return whether another one may follow."""
    try:
        with noticing_compilation(lambda: line("compiling, once, about 20 s")):
            result = task(line, *given)
    except LookalikeError as error:  # what was kept before is as it was
        line.send("failed", (str(error), line.kept is not None))
        return line.kept is not None
    except OSError as error:
        why = f"{error.filename or 'a file'} cannot be used: {error.strerror}"
        line.send("failed", (why, False))
    except Exception as error:
        line.send("failed", (str(describe_fault(error)), False))
    else:
        line.send("done", (result, line.kept is not None))
        return line.kept is not None
    return False
