"""A box for the effective mass that certainly holds no singular pose: the whole one, or a part around a good pose.

At a singular pose the tool cannot move in some direction, and the mass felt along it is infinite.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from leverarm.mechanics import ROWS
from leverarm.model import Arm
from leverarm.model.units import Units
from leverarm.verify.enclosures.bounding import form_bounding, joined
from leverarm.verify.enclosures.branching import halved
from leverarm.verify.enclosures.compiled_values import compiled
from leverarm.verify.enclosures.extremes import effective_mass_axes
from leverarm.verify.enclosures.rigid_chain import Array
from leverarm.verify.enclosures.tool_mass import GreatestToolMass, greatest_tool_mass

DRAWN = 4096
PARTS = (1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625)
"""Of the box: how much of each range is tried."""
AWAY = 0.1
"""Of the best pose's smallest singular value: no pose of the part has less."""
FAR_ENOUGH = 0.5
"""A box is clear of singular poses when J K stays within this of the identity."""
MOST_BOXES = 20_000
"""What it may take to see that a part is clear."""


@dataclass(frozen=True, slots=True, eq=False)
class ToolBox:
    """Ranges of the coordinates, and what must be said about them."""

    lower: Array
    upper: Array
    note: str

    @property
    def ranges(self) -> tuple[tuple[float, float], ...]:
        """The least and greatest value of each coordinate."""
        return tuple(zip(self.lower.tolist(), self.upper.tolist(), strict=True))


def away_from_singular_poses(arm: Arm, lower: Array, upper: Array, seconds: float) -> ToolBox:
    """The largest of a few parts of the box that is certain to hold no singular pose; all of it where none is.

    It takes at most so many seconds for each part.
    """
    bounding = greatest_tool_mass(arm, form_bounding(arm, "mu2"))
    matters = bounding.matters()
    poses, values = _poses(arm, lower, upper)
    for part in PARTS:
        half = part * (upper - lower) / 2
        middle = np.clip(poses[values.argmax()], lower + half, upper - half)
        is_cut = matters & (part < 1.0)
        low = np.where(is_cut, np.maximum(middle - half, lower), lower)
        high = np.where(is_cut, np.minimum(middle + half, upper), upper)
        if _poses(arm, low, high)[1].min() < AWAY * values.max():
            continue
        value = _certain_singular_value(bounding, low, high, seconds)
        if value >= AWAY * values.max():
            where = _where(arm, is_cut, low, high)
            return ToolBox(low, high, f"{where} is at least {_down(value)} m.{_near(part, float(values.min()))}")
    return ToolBox(lower, upper, "No part of the box is certain to be free of singular poses.")


def _poses(arm: Arm, lower: Array, upper: Array) -> tuple[Array, Array]:
    """Random poses, and the smallest singular value of J at each."""
    q = np.random.default_rng(0).uniform(lower, upper, (DRAWN, len(lower)))
    chosen = [ROWS.index(axis) for axis in effective_mass_axes(arm)]
    values = np.linalg.svd(compiled(arm).jacobian(q)[:, chosen], compute_uv=False)[:, -1]
    return q, np.asarray(values)


def _certain_singular_value(bounding: GreatestToolMass, lower: Array, upper: Array, seconds: float) -> float:
    """What the smallest singular value of J is certainly not below over the box; 0 if that was not seen soon."""
    boxes, begun, least, count = bounding.whole(lower, upper), time.perf_counter(), math.inf, 0
    while len(boxes.bound):
        if count > MOST_BOXES or time.perf_counter() - begun > seconds or len(boxes.bound) > MOST_BOXES:
            return 0.0
        taken, rest = boxes.part(np.arange(len(boxes.bound))[-256:]), boxes.part(np.arange(len(boxes.bound))[:-256])
        apart, value, shares = bounding.clearance(taken)
        count += len(apart)
        clear = apart < FAR_ENOUGH
        if clear.any():
            least = min(least, float(value[clear].min()))
        left = ~clear
        halves = halved(taken.part(left), shares[left])
        boxes = joined([rest, *halves])
    return least


def _where(arm: Arm, is_cut: Array, lower: Array, upper: Array) -> str:
    if not is_cut.any():
        return "The box holds no singular pose: the smallest singular value of J"
    angles = Units.of(arm).is_angle
    each = zip(arm.coordinates, is_cut, lower, upper, angles, strict=True)
    ranges = ", ".join(f"{name} {_range(low, high, turns)}" for name, cut, low, high, turns in each if cut)
    return f"Over a part of the box that holds no singular pose, {ranges}: there the smallest singular value of J"


def _range(low: float, high: float, turns: bool) -> str:
    """In degrees or metres, both ends rounded inward."""
    scale, unit = (180 / math.pi, " deg") if turns else (1.0, " m")
    return f"{math.ceil(low * scale * 1e4) / 1e4:g}..{math.floor(high * scale * 1e4) / 1e4:g}{unit}"


def _near(part: float, smallest: float) -> str:
    return f" It comes down to {smallest:.2g} m{'' if part == 1.0 else ' in the rest of the box'}."


def _down(value: float) -> str:
    """Three digits, rounded down."""
    digits = 2 - math.floor(math.log10(value))
    return f"{math.floor(value * 10**digits) / 10**digits:.3g}"
