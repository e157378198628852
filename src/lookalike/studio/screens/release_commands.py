"""The commands that do the same as the tasks of *Releases*, with the same options."""

import shlex
from collections.abc import Iterable

from lookalike.studio.editing.project import Project
from lookalike.studio.releases.register_link import LinkReport
from lookalike.studio.releases.release_attacks import AskedAttack, AttackReport, LedgerAttackReport


def write_verify(project: Project, place: str, *, is_against_source: bool) -> str:
    """Write the command that verifies a release."""
    return _write("verify", place, *(_name_specification(project) if is_against_source else ()))


def write_attack(project: Project, found: AttackReport) -> str:
    """Write the command that attacks several releases."""
    spec = _name_specification(project) if found.with_hierarchies else ()
    return _write("attack", *found.releases, *spec, *_list_options(found.asked))


def write_ledger_attack(project: Project, found: LedgerAttackReport) -> str:
    """Write the command that attacks all releases of a ledger."""
    ledger = str(project.table("release").get("ledger", "LEDGER"))
    source = () if found.source is None else ("--source", found.source)
    recipient = () if found.recipient is None else ("--recipient", found.recipient)
    named = ("--ledger", ledger, *source, *recipient, *_name_specification(project))
    return _write("ledger", "attack", *named, *_list_options(found.report.asked))


def write_link(project: Project, place: str, found: LinkReport) -> str:
    """Write the command that links a release with a register."""
    asked = found.asked
    pairs = (name if name == other else f"{name}={other}" for name, other in asked.on.items())
    return _write(
        *("link", place, found.register, "--on", ",".join(pairs), "--k", str(asked.k)),
        *(() if asked.identity is None else ("--identity", asked.identity)),
        *(("--as-written",) if asked.as_written else ()),
        *(_name_specification(project) if found.with_hierarchies else ()),
        *(("--show",) if asked.show else ()),
    )


def _name_specification(project: Project) -> tuple[str, str]:
    """Name the open specification."""
    return "--spec", project.name


def _list_options(asked: AskedAttack) -> Iterable[str]:
    """List the options of an attack."""
    numbers = {"--k": asked.k, "--people": asked.people}
    for name, number in numbers.items():
        yield from () if number is None else (name, str(number))
    yield from ("--show",) if asked.show else ()


def _write(*words: str) -> str:
    """Write a command of lookalike."""
    return shlex.join(("lookalike", *words))
