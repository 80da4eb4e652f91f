"""Placements as poses over quantities: numbers where they are numbers, expressions where they hold symbols."""

from __future__ import annotations

from leverarm.model.expression import Quantity, call, symbols_of, to_float
from leverarm.model.parts import Placement
from leverarm.scalars import FLOAT
from leverarm.spatial import Pose, rotation_from_rpy


def turn(angle: Quantity) -> tuple[Quantity, Quantity]:
    """Cosine and sine of a constant angle: ints at quarter turns, floats at other numbers, expressions for symbols."""
    if any(symbols_of(angle)):
        return call("cos", angle), call("sin", angle)
    return FLOAT.turn(to_float(angle, {}))


def pose_of(placement: Placement) -> Pose:
    """The placement as a pose."""
    return Pose(rotation_from_rpy(*(turn(angle) for angle in placement.rpy)), placement.xyz)
