"""How large the closed forms of an arm would be: an estimate before the work, and a refusal that says what to do."""

from __future__ import annotations

from leverarm.errors import InputError
from leverarm.model import Arm

TURNING, SLIDING = 2.8, 1.5
"""By how much a joint multiplies the terms of what it carries: measured on arms with ten symbols for each link."""

PER_LINK = 10

MAX_TERMS = 200_000
"""The closed forms of an arm are refused when its mass matrix would have more terms than this, unless more is allowed.

The Christoffel symbols and the forces have six to ten times as many.
"""


def estimated_terms(arm: Arm) -> int:
    """Roughly how many terms the mass matrix of an arm has when it is multiplied out.

    A link adds ten terms; each joint that carries it, beyond the first, multiplies them.
    """
    terms = {arm.base: 0.0}
    total = 0.0
    for body in arm.bodies:
        size = terms[body.parent]
        if not body.joint.is_fixed:
            size = size * (TURNING if body.joint.kind.turns else SLIDING) or PER_LINK
            total += size
        terms[body.name] = size
    return round(total)


def check_size(arm: Arm, max_terms: int = MAX_TERMS) -> None:
    """Refuse an arm whose closed forms would be too large to compute, let alone to read."""
    terms = estimated_terms(arm)
    if terms > max_terms:
        raise InputError(
            f"arm {arm.name!r}: its mass matrix would have about {terms:,} terms in closed form; the limit is "
            f"{max_terms:,}. Lock some joints (`la.lock`), evaluate it in numbers (`la.mass_matrix`, `leverarm eval`), "
            "or allow more with `la.equations(arm, max_terms=...)`."
        )
