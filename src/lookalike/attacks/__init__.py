"""Attacks on a set of releases: what they tell together that none of them tells alone.

:class:`~lookalike.attacks.seen.SeenRelease` is what an attacker sees of a release,
:func:`~lookalike.attacks.attack.attack_classes` the attack. Nothing here reads a file.
"""
