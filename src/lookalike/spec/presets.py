"""Presets: the figures of rules by name, such as ``preset = "cms"`` for k = 11.

A preset sets what the specification does not set itself. A stricter field of the specification
counts; a weaker one is an error.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from lookalike.errors import InvalidInput, not_one_of

if TYPE_CHECKING:
    from lookalike.spec.fields import QuasiIdentifierFields
    from lookalike.spec.release_fields import ReleaseFields
    from lookalike.spec.specification import Specification


@dataclass(frozen=True)
class Preset:
    """The figure of a rule.

    ``name``: name of the preset.
    ``field``: the field of ``[release]`` that it sets.
    ``value``: the value of that field.
    ``rule``: the rule that it comes from, as the table of rules names it.
    ``source``: the document of the rule.
    """

    name: str
    field: str
    value: int | Decimal
    rule: str
    source: str

    @property
    def least_k(self) -> int:
        """The least k that it allows."""
        return find_least_k(self.value)

    @property
    def asks(self) -> str:
        """What it asks for, in words.

        Examples
        --------
        >>> PRESETS["cms"].asks, PRESETS["ema"].asks
        ('k = 11', 'highest_risk = 0.09 (k = 12)')
        """
        derived = "" if self.field == "k" else f" (k = {self.least_k})"
        return f"{self.field} = {self.value}{derived}"


def find_least_k(asked: int | Decimal) -> int:
    """Return the k of a field that is k itself or the highest risk, 1 ∕ k.

    Examples
    --------
    >>> find_least_k(11), find_least_k(Decimal("0.09"))
    (11, 12)
    """
    return asked if isinstance(asked, int) else math.ceil(1 / Fraction(asked))


_NINE_PERCENT = Decimal("0.09")
PRESETS = {
    one.name: one
    for one in (
        Preset("cms", "k", 11, "CMS cell size", "CMS Cell Size Suppression Policy"),
        Preset(
            "ema",
            "highest_risk",
            _NINE_PERCENT,
            "EMA Policy 0070",
            "External guidance on the implementation of Policy 0070",
        ),
        Preset(
            "health-canada",
            "highest_risk",
            _NINE_PERCENT,
            "Health Canada PRCI",
            "Guidance document on Public Release of Clinical Information",
        ),
        Preset(
            "cihi",
            "highest_risk",
            Decimal("0.05"),
            "CIHI public use file",
            "Deidentifying a public use microdata file from the Canadian national discharge "
            "abstract database",
        ),
        Preset("ons", "k", 10, "ONS output threshold", "SRS Output Checking Guidance"),
    )
}
"""The presets by name."""


def list_presets() -> str:
    """List the presets with what they set, for a help text.

    Examples
    --------
    >>> list_presets()
    'cms (k = 11), ema (k = 12), health-canada (k = 12), cihi (k = 20), ons (k = 10)'
    """
    return ", ".join(f"{name} (k = {one.least_k})" for name, one in PRESETS.items())


AUDIENCES = {
    "p": ("the public", "ema"),
    "c": ("recipients who sign a contract", "cms"),
    "t": ("researchers in a trusted environment", "ons"),
}
"""Who receives a release, by the letter of the answer, with the preset for them."""


def describe_k(k: int) -> str:
    """Describe which figures of rules a k meets.

    Examples
    --------
    >>> describe_k(12).partition(", not ")[2]
    'those of cihi (k = 20)'
    >>> describe_k(5).partition(": ")[0]
    'k = 5 is below the figures of all rules'
    """
    names = defaultdict[int, list[str]](list)
    for one in PRESETS.values():
        names[one.least_k].append(one.name)
    named = {least: f"{', '.join(names[least])} (k = {least})" for least in sorted(names)}
    met = ", ".join(text for least, text in named.items() if least <= k)
    missed = ", ".join(text for least, text in named.items() if least > k)
    if not met:
        return f"k = {k} is below the figures of all rules: {missed}"
    return f"k = {k} meets the figures of {met}" + (f", not those of {missed}" if missed else "")


def find_weaker(specification: "Specification") -> Iterator[str]:
    """Yield the fields that ask for less than the preset of a specification."""
    release = specification.release
    if release.preset is None:
        return
    preset, groups = PRESETS[release.preset], specification.quasi_identifiers
    tables: list[tuple[str, ReleaseFields | QuasiIdentifierFields]] = [("release", release)]
    tables += [(f"quasi_identifiers.{one.name}", one) for one in groups]
    for place, fields in tables:
        for name in ("k", "highest_risk"):
            value = getattr(fields, name, None)
            if value is not None and find_least_k(value) < preset.least_k:
                yield f"{place}.{_describe_weaker(preset, name, value)}"
        if fields.anonymity is not None:
            yield (
                f"{place}.anonymity: the k of a level depends on the table, so that it cannot be "
                f'compared with preset = "{preset.name}", {preset.asks}; give k, or leave it out'
            )


def _describe_weaker(preset: Preset, name: str, value: int | Decimal) -> str:
    """Describe a field that asks for less than a preset."""
    return (
        f'{name} = {value} is weaker than preset = "{preset.name}", {preset.asks}; leave '
        f"{name} out, or make it stricter"
    )


def choose_k(k: int | None, preset: str | None, default: int) -> int:
    """Return k, that of a preset, or a default, for a command without a specification.

    Examples
    --------
    >>> choose_k(None, "cms", 5), choose_k(20, "cms", 5), choose_k(None, None, 5)
    (11, 20, 5)
    """
    if preset is None:
        return default if k is None else k
    if preset not in PRESETS:
        raise InvalidInput(not_one_of("preset", preset, PRESETS))
    chosen = PRESETS[preset]
    if k is not None and k < chosen.least_k:
        raise InvalidInput(_describe_weaker(chosen, "k", k))
    return chosen.least_k if k is None else k
