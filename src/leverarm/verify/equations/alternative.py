"""An arm as another author would describe it: the same machine with other angles, other signs, other reference points.

A convention is nothing but another description, so an equation that holds by convention is one that is exactly equal
for the other description. Which forces and matrices change with it, and how, is then the mechanics' affair.

Gravity otherwise: the other way up, along another axis, or left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from leverarm.closed_form import equations
from leverarm.errors import LeverarmError
from leverarm.model import Arm, Body, Joint, Quantity, symbols_of
from leverarm.spatial import ORIGIN, Vec3
from leverarm.verify.equations.arm_values import ArmValues


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """Another description: in words that follow "if", what it is about, and how our description becomes it.

    `touches` are the letters of the exact ring that it gives another meaning, where an angle stands for its sine and
    cosine: "theta1", "theta1.d", "g", "I1".
    """

    says: str
    about: str
    touches: frozenset[str]
    change: Callable[[Arm], Arm]


def both(first: Alternative, second: Alternative) -> Alternative:
    """Two conventions at once; the second one in the terms of the first."""
    return Alternative(
        f"{first.says}, and {second.says}",
        f"{first.about}, {second.about}",
        first.touches | second.touches,
        lambda arm: second.change(first.change(arm)),
    )


@lru_cache(maxsize=512)
def values_of(alternative: Alternative, arm: Arm) -> ArmValues | None:
    """The exact quantities of an arm by another description; None where that is no other, or has no closed form."""
    try:
        other = alternative.change(arm)
        return None if other == arm else ArmValues(equations(other))
    except LeverarmError:
        return None


def with_joints(arm: Arm, change: Callable[[Joint], Joint]) -> Arm:
    """The arm with every joint changed."""
    return with_bodies(arm, lambda body: replace(body, joint=change(body.joint)))


def with_bodies(arm: Arm, change: Callable[[Body], Body]) -> Arm:
    """The arm with every body changed."""
    return replace(arm, bodies=tuple(change(body) for body in arm.bodies))


AXES = "xyz"


def gravity_alternatives(arm: Arm) -> Iterator[Alternative]:
    """The other directions gravity may have, and none."""
    pull = tuple(arm.gravity)
    along = [k for k, part in enumerate(pull) if part != 0]
    if not along:
        return
    letters = frozenset(name for part in pull for name in symbols_of(part))
    yield Alternative(
        "gravity acts the other way (or heights are measured downwards)",
        "gravity's sign",
        letters,
        lambda arm: replace(arm, gravity=-arm.gravity),
    )
    yield Alternative(
        "gravity is left out (the arm moves in a horizontal plane)",
        "no gravity",
        letters,
        lambda arm: replace(arm, gravity=ORIGIN),
    )
    if len(along) == 1:
        yield from (_along(k, sign, pull[along[0]], letters) for k in range(3) if k != along[0] for sign in (1, -1))


def _along(k: int, sign: int, pull: Quantity, letters: frozenset[str]) -> Alternative:
    parts: list[Quantity] = [0, 0, 0]
    parts[k] = pull if sign > 0 else -pull
    return Alternative(
        f"gravity acts along the {AXES[k]} axis",
        "gravity's axis",
        letters,
        lambda arm: replace(arm, gravity=Vec3(*parts)),
    )
