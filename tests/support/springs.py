"""Springs in the joints of an arm, for tests."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from leverarm.model import Arm, Spring


def sprung(arm: Arm, seed: int = 0) -> Arm:
    """The arm with a spring in the first joint and in about half of the others, rests away from zero included."""
    rng = random.Random(seed)
    bodies = []
    for i, body in enumerate(arm.bodies):
        spring = Spring(Fraction(rng.randint(1, 9), 3), Fraction(rng.randint(-4, 4), 5))
        has_one = body.joint.kind.moves and (i == 0 or rng.random() < 0.5)
        bodies.append(replace(body, joint=replace(body.joint, spring=spring)) if has_one else body)
    return replace(arm, bodies=tuple(bodies))
