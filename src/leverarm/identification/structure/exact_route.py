"""The structure of an arm, proven: base parameters from exact closed forms, their coefficients as floats."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from leverarm import mechanics as me
from leverarm.closed_form.base_parameters import base_parameters
from leverarm.closed_form.letters import exact_arm
from leverarm.closed_form.size import estimated_terms
from leverarm.errors import LeverarmError
from leverarm.identification.structure.table import Structure, structure_of
from leverarm.model import Arm, Link
from leverarm.scalars.exact import Cosine, Polynomial, Sine

MAX_TERMS = 30_000
"""Arms with larger mass matrices are left to the numeric route: about a second of exact work."""
MAX_DENOMINATOR = 10**6
"""Directions with larger ones are the nearest rationals to what was meant: relations between them are lost."""


def exact_structure(geometry: Arm, kinds: Sequence[str]) -> Structure | None:
    """The structure of an arm in plain numbers; None where exact numbers cannot hold it.

    That is so for joints geared by fractions, and for arms that are too large. It is so too for angles that are no
    multiples of 15 degrees: they would be letters, and a relation that holds at their values only would be missed.
    """
    if estimated_terms(geometry) > MAX_TERMS:
        return None
    try:
        exact = exact_arm(geometry)
        if any(map(_is_approximate, exact.mechanism.links)):
            return None
        found = base_parameters(exact, kinds)
    except LeverarmError:
        return None
    names = tuple(entry.name for entry in me.parameters(exact.mechanism, kinds))
    place = {name: j for j, name in enumerate(names)}
    regrouping = np.zeros((len(found), len(names)))
    for i, entry in enumerate(found.entries):
        for coefficient, name in entry.regrouping:
            regrouping[i, place[name]] = float(coefficient)
    return structure_of(names, found.columns, regrouping, "exact", tuple(kinds))


def _is_approximate(link: Link) -> bool:
    """Whether some number of a link's place is not the one that was meant, but a letter or a rational near it."""
    rows = link.placement.rotation.rows()
    numbers = [*link.axis, *link.placement.position, *(x for row in rows for x in row)]
    letters = [g for x in numbers if isinstance(x, Polynomial) for g in x.generators()]
    is_rough = any(isinstance(x, Fraction) and x.denominator > MAX_DENOMINATOR for x in link.axis)
    return is_rough or any(isinstance(letter, Cosine | Sine) for letter in letters)
