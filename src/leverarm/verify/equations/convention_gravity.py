"""Gravity otherwise: the other way up, along another axis, or left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from leverarm.model import Arm, Quantity, symbols_of
from leverarm.spatial import ORIGIN, Vec3
from leverarm.verify.equations.alternative import Alternative

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
