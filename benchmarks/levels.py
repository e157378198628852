"""The studio's screen Levels: a request for each move of a slider, against a release anew."""

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import lookalike
from lookalike.flow.release import prepare
from lookalike.studio.app import fill_screen, show_screen
from lookalike.studio.counted_list import count_list
from lookalike.studio.door import Gate
from lookalike.studio.screens.levels import LEVELS_SCREEN
from lookalike.studio.session import Session

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult"
SEED = 20020501
ROWS = 1_000_000
_WIDE = """\
[source]
path = "wide.csv"

[release]
k = 5
max_suppressed = 0.01
out = "released/wide.csv"
"""
_MASKED = '\n[attributes.a{}]\nrole = "quasi-identifier"\nhierarchy = {{ kind = "mask" }}\n'


def run() -> None:
    """Milliseconds of the processor (by the clock), from the address to the page."""
    text = (ADULT / "adult.toml").read_text()
    limited = text.replace("k = 5", "k = 5\nmax_suppressed = 0.01")
    parts = text.split("\n[attributes.")
    seven = "\n[attributes.".join(parts[:8]) + "".join(
        f'\n[attributes.{one.partition("]")[0]}]\nrole = "other"\n' for one in parts[8:]
    )
    for title, asked in (
        ("Adult, 9 attributes", text),
        ("Adult, 9 attributes, 1 % suppressed", limited),
        ("Adult, 7 attributes", seven),
    ):
        with tempfile.TemporaryDirectory() as folder:
            for one in ADULT.iterdir():
                shutil.copy(one, folder)
            _measure(title, Path(folder), "adult.toml", asked)
    with tempfile.TemporaryDirectory() as folder:
        _invent(Path(folder))
        text = _WIDE + "".join(_MASKED.format(place) for place in range(6))
        _measure(f"{ROWS:,} rows", Path(folder), "wide.toml", text)


def _measure(title: str, folder: Path, name: str, text: str) -> None:
    """Count a table as the studio does, then time pages."""
    (folder / name).write_text(text)
    session = Session(folder)
    session.open_specification(folder / name)
    _finish(session)
    session.begin("count", count_list, session.project)
    _finish(session)
    counted = session.counted
    if counted is None or session.work is None:
        raise SystemExit(f"{title} was not counted")
    first, again = _time_page(session, {}), _time_page(session, {})
    moves = [_time_page(session, query) for query in _list_moves(len(counted.frequency.heights))]
    anew = _time_release(session)
    used = [move[0] for move in moves]
    median = statistics.median(used)
    print(
        f"{title}, {len(counted.frequency):,} sequences: first page {_show(*first)}, again "
        f"{_show(*again)}; {len(moves)} moves of sliders: median "
        f"{_show(median, statistics.median(move[1] for move in moves))}, most "
        f"{_show(*max(moves))}; a release anew {_show(*anew)}, {anew[0] / median:.0f} times a move"
    )
    session.close()


def _finish(session: Session) -> None:
    """Wait for the running task, and take over its result."""
    if session.work is not None:
        session.work.wait()
    session.collect()


def _show(processor: float, clock: float) -> str:
    """Write two times in milliseconds."""
    return f"{1000 * processor:.0f} ({1000 * clock:.0f}) ms"


def _time(function: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that something takes, of the processor and by the clock."""
    used, begin = time.process_time(), time.perf_counter()
    function()
    return time.process_time() - used, time.perf_counter() - begin


def _time_page(session: Session, query: dict[str, str]) -> tuple[float, float]:
    """Return the seconds from the query of an address to its page."""

    def make() -> None:
        shown = show_screen(session, LEVELS_SCREEN, query)
        fill_screen(session, Gate(1), LEVELS_SCREEN, shown)

    return _time(make)


def _time_release(session: Session) -> tuple[float, float]:
    """Return the seconds that reading, counting and searching take, the better of two times."""
    asked = session.project.specification().changed({"method": "mingen", "time_limit": 1}, {}, {})
    return min(_time(lambda: prepare(asked)) for _ in range(2))


def _list_moves(attributes: int) -> Iterator[dict[str, str]]:
    """Yield what is asked for while sliders move: each setting is new."""
    for k in range(6, 16):
        yield {"moving": "1", "k": str(k)}
    for limit in range(11, 51, 4):
        yield {"moving": "1", "limit": f"0.{limit:03}"}
    for place in range(attributes):
        yield {"moving": "1", f"weight-{place}": "2.5"}
        yield {"moving": "1", f"weight-{place}": "2.5", "limit": "0.05"}
        yield {"moving": "1", f"low-{place}": "1"}


def _invent(folder: Path) -> None:
    """Write a table of six columns of three digits, mostly different."""
    generator = np.random.default_rng(SEED)
    shares = np.arange(1, 41) ** -1.2
    values = np.array([f"{number:03}" for number in generator.permutation(1000)[:40]])
    lines = [values[generator.choice(40, size=ROWS, p=shares / shares.sum())] for _ in range(6)]
    names = ",".join(f"a{place}" for place in range(6))
    rows = "\n".join(map(",".join, zip(*lines, strict=True)))
    (folder / "wide.csv").write_text(f"{names}\n{rows}\n")
