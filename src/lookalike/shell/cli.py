"""The program ``lookalike``: runs a command and turns errors into messages and exit codes."""

import atexit
import gc
import os
import sys
import traceback
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from lookalike.errors import InvalidInput, LookalikeError, describe_fault
from lookalike.shell.console import err, out, print_json
from lookalike.shell.display import StrictCommand, display
from lookalike.shell.views.printing import print_error

COMMANDS = {
    "demo": "Release the 12 patients of Sweeney's paper and 30,162 census records, with comments.",
    "init": "Draft a specification of a table: propose a role for every column, with reasons.",
    "hierarchy": "Propose, preview and check how the values of a column become more general.",
    "check": "Report the k of a table: the size of its smallest equivalence class.",
    "release": "Make a release: read, count, search, recode, verify, publish.",
    "minimal": "List all k-minimal generalizations and mark the preferred ones; write nothing.",
    "compare": "Run every method on the same table and requirement; write nothing.",
    "explore": "Compare what is kept and lost at several k, limits and methods; release nothing.",
    "report": "Make the recipient's report again from a published folder, and compare it.",
    "review": "Make a page on which a reviewer accepts or refuses the findings of a release.",
    "verify": "Check a release against its certificate, and with --spec against its source.",
    "apply": "Recode a new table as a release was recoded: the same columns at the same levels.",
    "join": "Put increments of a source together, with a certificate of the whole.",
    "risk": "Measure the re-identification risk of a table, or propose quasi-identifiers.",
    "link": "Match a release with an external table and count re-identified people.",
    "attack": "Try the published attacks on several releases of one source.",
    "ledger": "Choose a policy; list, inspect and attack the releases recorded in a ledger.",
    "schema": "Print the JSON schema of what a command prints with --json, or of certificate.json.",
    "studio": "Open the studio: make a release in the browser, on this machine only.",
}
"""Each command with its one-line help, the same as the first paragraph of its own help."""


class DeferredGroup(TyperGroup):
    """A group that holds the name and help of each command and loads the one that is invoked."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, line in COMMANDS.items():
            self.add_command(TyperCommand(name, help=line))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the loaded command that the arguments name; click calls it to run or complete."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and load_command(name or ""), rest


WRONG_USAGE = InvalidInput.exit_code
INTERRUPTED = 130
INTERRUPTION = "interrupted; no incomplete release is left"
app = typer.Typer(
    cls=DeferredGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 the requirement does not hold, 2 wrong usage or input, "
    "3 infeasible, 4 a fault in lookalike, 5 in use or failed: try again, 6 exists already.",
)


def _print_version(requested: bool) -> None:
    """Print the version and exit, if requested."""
    if requested:
        from importlib.metadata import version

        out.print(f"lookalike {version('lookalike')}", highlight=False)
        raise typer.Exit


@app.callback()
def common_options(
    _version: bool = typer.Option(
        False,
        "--version",
        help="Print the version and exit.",
        callback=_print_version,
        is_eager=True,
    ),
) -> None:
    """Make k-anonymous releases of tables: every record has at least k − 1 lookalikes."""


def run() -> None:
    """Run :func:`main` as a program: start quickly, and end at once when everything is done.

    Thousands of objects are made while modules load and nearly all of them stay, so looking for
    garbage among them so often is in vain. Threads of numpy's linear algebra take longer to start
    than the short sums that we have for them. To take down a thousand modules takes a third of a
    second, so the process ends without: after its threads, and after all exit functions, because
    the first that is registered is the last that is called.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(10_000, 50, 50)
    end = {"code": 1}
    atexit.register(lambda: _end_process(end["code"]))
    try:
        main()
    except SystemExit as ended:
        end["code"] = int(ended.code or 0)
        raise


def _end_process(code: int) -> None:
    """End the process; if its output cannot be written, leave that to the interpreter."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Run the command line and turn errors into messages and exit codes."""
    as_json = "--json" in sys.argv
    display.reset()
    try:
        with _WithoutPandas():
            code = app(standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:
            _report(INTERRUPTION, code, as_json=as_json)
    except KeyboardInterrupt:  # outside of the command
        code = _report(INTERRUPTION, INTERRUPTED, as_json=as_json)
    except LookalikeError as error:
        shows_values = err.is_terminal and not as_json
        message = str(error) if shows_values else error.discreet
        code = _report(message, error.exit_code, as_json=as_json)
    except TyperException as error:
        message = error.format_message() or "name a command"
        code = _report(f"{message.rstrip('.')}; see lookalike --help", WRONG_USAGE, as_json=as_json)
    except OSError as error:
        code = _report_file_error(error, as_json=as_json)
    except Exception as error:
        fault = describe_fault(error)
        code = _report(str(fault), fault.exit_code, as_json=as_json)
    sys.exit(code)


class _WithoutPandas:
    """Lets pandas seem not to be installed: Arrow would import it, which takes a quarter second.

    The command line has no frame of pandas.
    """

    def find_spec(self, name: str, *_: Any) -> None:
        """Refuse pandas; other modules are found elsewhere."""
        if name == "pandas":
            raise ModuleNotFoundError(name)

    def __enter__(self) -> None:
        sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)


def _report(message: str, code: int, *, as_json: bool) -> int:
    """Print an error, on standard error or as JSON, and return its exit code."""
    if display.debug:
        traceback.print_exc()
    if as_json:
        print_json({"error": message, "exit": code})
    else:
        print_error(err, message)
    return code


def _report_file_error(error: OSError, *, as_json: bool) -> int:
    """Report a file that cannot be used; an error without a file is about standard output."""
    if error.filename is not None:
        message = f"{error.filename} cannot be used: {error.strerror}"
        return _report(message, WRONG_USAGE, as_json=as_json)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    message = (
        f"the result cannot be printed: {error.strerror}; the command may have finished, so check "
        "before you run it again"
    )
    return _report(message, WRONG_USAGE, as_json=False)


def load_command(name: str) -> Any:
    """Import the module of a command and return the command.

    The module defines a function ``NAME_command``, or for a command with sub-commands an
    application ``NAME_app``.
    """
    module = import_module(f"lookalike.shell.commands.{name}")
    parent = typer.Typer()
    if hasattr(module, f"{name}_app"):
        parent.add_typer(getattr(module, f"{name}_app"), name=name)
    else:
        parent.command(name, cls=StrictCommand)(getattr(module, f"{name}_command"))
    return typer.main.get_group(parent).commands[name]
