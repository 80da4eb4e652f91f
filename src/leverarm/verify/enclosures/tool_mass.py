"""The effective mass at the tool, bounded over boxes that certainly hold no singular pose.

Lambda = (J M^-1 J^T)^-1 is not below t where M - t J^T J has no negative eigenvalue: where the arm could give up a
point mass t at its tool. And it is not above K^T M K / (1 - r)^2 for any K whose J K is within r < 1 of the identity: K
y is a motion that moves the tool by nearly y, and no motion that does needs less energy than Lambda says. At a singular
pose the tool cannot move in some direction, and the mass felt along it is infinite.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from leverarm.mechanics import ROWS
from leverarm.model import Arm, bind
from leverarm.model.units import Units
from leverarm.verify.enclosures import loewner
from leverarm.verify.enclosures.bounding import Boxes, Extent, FormBounding, bounded_inertia, joined
from leverarm.verify.enclosures.branch_and_bound import halved
from leverarm.verify.enclosures.compiled_values import compiled
from leverarm.verify.enclosures.loewner import DATA, UNIT, Form, congruent, norm
from leverarm.verify.enclosures.recursion import FormRecursion, in_the_middle, over_boxes
from leverarm.verify.enclosures.rigid_chain import Array, LinkNumbers, RigidChain, effective_mass_axes, vector
from leverarm.verify.enclosures.spaces import InertiaSpace, WeightSpace


@dataclass(frozen=True, slots=True)
class ToolSpace(WeightSpace):
    """2 w^T J qd: the power of a force w at the tool. The link at the tool has a unit point mass there, others none."""

    def base(self, chain: RigidChain) -> Array:
        links, coordinates = chain.joints.shape
        B = np.zeros((9 + links, 3 + coordinates))
        B[0:3, 0:3] = np.eye(3)
        B[9:, 3:] = chain.joints
        return B


@dataclass(frozen=True, slots=True, eq=False)
class LeastToolMass:
    """lambda1: the largest point mass that can be taken from the tool everywhere."""

    inertia: FormBounding
    link: int
    point: LinkNumbers
    """The link at the tool as a unit point mass there."""
    sign: int = -1
    batch: int = 512

    def whole(self, lower: Array, upper: Array) -> Boxes:
        return self.inertia.whole(lower, upper)._replace(bound=np.array([0.0]))

    def extent(self, boxes: Boxes, aim: float) -> Extent:
        lighter = self._without(aim)
        middles, halves = lighter.in_joints(boxes)
        here = in_the_middle(lighter.recursion, middles)
        w = np.linalg.eigvalsh(here)
        room = np.maximum(-w[:, 0], 0.0) + 0.05 * np.abs(w).max(-1) * (w[:, 0] <= 0) + 1e-9 * np.abs(w).max(-1)
        budget = here + room[:, None, None] * np.eye(here.shape[-1])
        bounded = over_boxes(lighter.recursion, middles, halves, budget, -1, 1e-3)
        least, direction = loewner.smallest_eigenvalue(bounded.form)
        bound = np.where(least >= 0, aim, boxes.bound)
        return Extent(bound, lighter.shares(bounded, direction), boxes.memory, np.zeros(len(bound)))

    def _without(self, mass: float) -> FormBounding:
        """The arm with this point mass taken away at the tool."""
        recursion = self.inertia.recursion
        taken = mass * InertiaSpace().form(self.point)
        at_tool = recursion.steps[self.link]
        # not relative to the difference, which may be much less than either
        lighter = replace(at_tool, form=at_tool.form - taken, error=at_tool.error + float(DATA * norm(taken)))
        steps = (*recursion.steps[: self.link], lighter, *recursion.steps[self.link + 1 :])
        return replace(self.inertia, recursion=replace(recursion, steps=steps))


@dataclass(frozen=True, slots=True, eq=False)
class GreatestToolMass:
    """lambda2: infinite where a box may hold a singular pose."""

    inertia: FormBounding
    jacobian: FormRecursion
    rows: tuple[int, ...]
    """The world's axes along which the mass is felt."""
    sign: int = 1
    batch: int = 256

    def whole(self, lower: Array, upper: Array) -> Boxes:
        return self.inertia.whole(lower, upper, self.matters())

    def matters(self) -> Array:
        """Which coordinates count: a turn of the whole arm only turns Lambda, if all axes of the turn are felt."""
        chain = self.inertia.recursion.chain
        felt = np.zeros(3)
        felt[list(self.rows)] = 1.0
        matters = np.ones(len(chain.links), bool)
        for i in chain.roots:
            axis = chain.links[i].rotation @ chain.links[i].axis
            is_within = len(self.rows) == 3 or (len(self.rows) == 2 and np.abs(axis * felt).max() == 0.0)
            matters[i] = chain.links[i].turns and not is_within
        return np.asarray((np.abs(chain.joints[matters]) > 0).any(0))

    def extent(self, boxes: Boxes, aim: float) -> Extent:
        middles, halves = self.inertia.in_joints(boxes)
        M, J = self._here(middles)
        motion = _least_motion(M, J)
        apart, tool = self._apart(middles, halves, motion)
        budget = np.broadcast_to(np.eye(M.shape[-1]), M.shape) * norm(M)[:, None, None]
        heavy = over_boxes(self.inertia.recursion, middles, halves, budget, 1)
        mass, direction = loewner.largest_eigenvalue(congruent(heavy.form, motion))
        with np.errstate(divide="ignore", over="ignore"):
            bound = np.where(apart < 1, mass / (1 - apart) ** 2 * (1 + 64 * UNIT), np.inf)
        moving = np.einsum("bij,bj->bi", motion, direction)
        # where the box may hold a singular pose, what moves the tool counts; elsewhere the mass too
        shares = 2 * mass[:, None] * tool + np.where((apart < 0.5)[:, None], self.inertia.shares(heavy, moving), 0.0)
        return Extent(np.minimum(bound, boxes.bound), shares, boxes.memory, np.zeros(len(bound)))

    def clearance(self, boxes: Boxes) -> tuple[Array, Array, Array]:
        """How far J K is from the identity over boxes, and each coordinate's part in it.

        Where that is less than 1, also what J's singular values are not below.
        """
        middles, halves = self.inertia.in_joints(boxes)
        motion = _least_motion(*self._here(middles))
        apart, shares = self._apart(middles, halves, motion)
        return apart, (1 - apart) / norm(motion), shares

    def _here(self, middles: Array) -> tuple[Array, Array]:
        rows = np.array(self.rows)
        return in_the_middle(self.inertia.recursion, middles), in_the_middle(self.jacobian, middles)[:, rows, 3:]

    def _apart(self, middles: Array, halves: Array, motion: Array) -> tuple[Array, Array]:
        """How far J K may be from the identity, and each coordinate's part in it."""
        rows, count = np.array(self.rows), len(middles)
        n = motion.shape[1]
        seen = np.zeros((count, 3 + n, 2 * len(rows)))
        seen[:, rows, range(len(rows))] = 1.0
        seen[:, 3:, len(rows) :] = motion
        here = in_the_middle(self.jacobian, middles)
        budget = np.broadcast_to(np.eye(3 + n), (count, 3 + n, 3 + n)).copy()
        inverse = np.linalg.pinv(motion)
        budget[:, 3:, 3:] = np.swapaxes(inverse, -1, -2) @ inverse + 0.1 * norm(inverse)[:, None, None] ** 2 * np.eye(n)
        # the largest eigenvalue of [[0, D], [D^T, 0]] is the norm of D: one side of the order is enough
        bounded = over_boxes(self.jacobian, middles, halves, budget, 1)
        off = Form(bounded.form.matrix - here, bounded.form.error + UNIT * (norm(here) + norm(bounded.form.matrix)))
        moved, direction = loewner.largest_eigenvalue(congruent(off, seen))
        shares = self.inertia.shares(bounded, np.einsum("bij,bj->bi", seen, direction))
        # what was in the middle is exactly `here`, whatever its rounding
        J = here[:, rows, 3:]
        in_middle = norm(J @ motion - np.eye(len(rows))) + 8 * n * UNIT * norm(J) * norm(motion)
        return np.maximum(moved, 0.0) + in_middle, shares


def _least_motion(M: Array, J: Array) -> Array:
    """K = M^-1 J^T (J M^-1 J^T)^-1: the speeds that move the tool as asked with the least energy."""
    # a link without mass may leave M without an inverse: any K will do for a bound
    stiff = M + 1e-12 * norm(M)[:, None, None] * np.eye(M.shape[-1])
    eased = np.linalg.solve(stiff, np.swapaxes(J, -1, -2))
    return np.asarray(eased @ np.linalg.pinv(J @ eased))


def least_tool_mass(arm: Arm) -> LeastToolMass:
    """How lambda1 is bounded."""
    inertia = bounded_inertia(arm, -1, floor=1e-3)
    link, place = _tool(arm)
    return LeastToolMass(inertia, link, _point(inertia.recursion.chain.links[link], place))


def greatest_tool_mass(arm: Arm) -> GreatestToolMass:
    """How lambda2 is bounded."""
    inertia = bounded_inertia(arm, 1)
    chain = inertia.recursion.chain
    at_tool, place = _tool(arm)
    points = tuple(_point(link, place if i == at_tool else None) for i, link in enumerate(chain.links))
    rows = tuple("xyz".index(axis) for axis in effective_mass_axes(arm))
    return GreatestToolMass(inertia, FormRecursion.of(replace(chain, links=points), ToolSpace()), rows)


def _tool(arm: Arm) -> tuple[int, Array]:
    """The link that the tool is on, and where."""
    attachment = bind(arm).attachments[arm.tool]
    return attachment.link, vector(attachment.pose.position)


def _point(link: LinkNumbers, place: Array | None) -> LinkNumbers:
    """The link as a unit point mass at a place, or without mass."""
    if place is None:
        return replace(link, mass=0.0, first=np.zeros(3), second=np.zeros((3, 3)))
    return replace(link, mass=1.0, first=place, second=np.outer(place, place))


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
    bounding = greatest_tool_mass(arm)
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
