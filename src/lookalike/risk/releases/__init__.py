"""Attacks on a set of releases: what they tell together that none of them tells alone.

:class:`~lookalike.risk.releases.seen_release.SeenRelease` is what an attacker sees of a release,
:func:`~lookalike.risk.releases.attack_classes.attack_classes` the attack.
Nothing here reads a file.
"""
