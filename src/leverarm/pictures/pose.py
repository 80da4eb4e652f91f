"""An arm in one pose, every number in the world, and the pose in which it shows well where none is asked for.

In a presentable pose the joints that bend the arm are turned, from the base outwards, until its links head where they
do in textbook pictures. A slide comes out by a part of the arm's extent. Others stand at zero, or in the middle of a
range that is far from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from leverarm.model import Arm, Joint, JointKind, Valuation, to_float
from leverarm.quantities import forward_kinematics
from leverarm.scalars import FLOAT
from leverarm.spatial import Matrix3, Pose, Vec3


@dataclass(frozen=True, slots=True)
class PlacedJoint:
    """A joint in the world: where it sits on its parent, and where it has carried the origin of its body."""

    body: str
    parent: str
    name: str
    kind: JointKind
    axis: Vec3
    seat: Vec3
    origin: Vec3


@dataclass(frozen=True, slots=True)
class MassDot:
    """The centre of mass of a body, its mass [kg], and the body's origin."""

    body: str
    at: Vec3
    mass: float
    origin: Vec3


@dataclass(frozen=True, slots=True)
class PosedArm:
    """Joints with parents first, centres of mass, and the points of named frames by the body that carries them."""

    base: Pose
    joints: tuple[PlacedJoint, ...]
    masses: tuple[MassDot, ...]
    tips: Mapping[str, tuple[Vec3, ...]]
    poses: Mapping[str, Pose]
    gravity: Vec3
    extent: float

    @property
    def up(self) -> Vec3:
        """Against gravity; the base's z where there is none."""
        return against(self.gravity, self.base.rotation @ Vec3(0, 0, 1))


def posed(arm: Arm, q: Sequence[float]) -> PosedArm:
    """The arm at q, in the world. Raises InputError unless q is one finite number per coordinate."""
    valuation = Valuation.of(arm, FLOAT, {})
    poses = {name: _pose(matrix.tolist()) for name, matrix in forward_kinematics(arm, q).items()}
    joints, masses = [], []
    for body in arm.bodies:
        joint, here = body.joint, poses[body.name]
        seat = poses[body.parent] @ valuation.vector(joint.placement.xyz)
        axis = here.rotation @ valuation.direction(joint.axis)
        kind = JointKind.FIXED if joint.is_fixed else joint.kind
        joints.append(PlacedJoint(body.name, body.parent, joint.name, kind, axis, seat, here.position))
        mass = float(valuation.number(body.mass_properties.mass))
        if mass > 0:
            centre = here @ valuation.vector(body.mass_properties.com)
            masses.append(MassDot(body.name, centre, mass, here.position))
    tips: dict[str, tuple[Vec3, ...]] = {body.name: () for body in arm.bodies}
    for frame in arm.named_frames:
        tips[frame.body] = (*tips.get(frame.body, ()), poses[frame.name].position)
    spread = (*(pose.position for pose in poses.values()), *(joint.seat for joint in joints))
    size = extent((*spread, *(dot.at for dot in masses)))
    gravity = valuation.vector(arm.gravity)
    return PosedArm(poses[arm.base], tuple(joints), tuple(masses), tips, poses, gravity, size)


def _pose(rows: Sequence[Sequence[float]]) -> Pose:
    rotation = Matrix3(*(Vec3(*row[:3]) for row in rows[:3]))
    return Pose(rotation, Vec3(*(row[3] for row in rows[:3])))


def extent(points: Iterable[Vec3]) -> float:
    """The diagonal of the box around some points; 1 where they all coincide."""
    columns = list(zip(*(tuple(point) for point in points), strict=True))
    return math.hypot(*(max(column) - min(column) for column in columns)) or 1.0


def distance(a: Vec3, b: Vec3) -> float:
    return math.hypot(*(a - b))


def unit(v: Vec3) -> Vec3:
    return v * (1 / math.hypot(*v))


def against(gravity: Vec3, otherwise: Vec3) -> Vec3:
    """The direction against gravity, or another one where there is none."""
    strength = math.hypot(*gravity)
    return gravity * (-1 / strength) if strength else otherwise


def level(up: Vec3) -> tuple[Vec3, Vec3]:
    """Two directions across the one upwards, the first as near to the world's x as can be: a right-handed triad."""
    x = Vec3(1, 0, 0) if abs(up.x) < 0.9 else Vec3(0, 1, 0)
    x = unit(x - up * (x @ up))
    return x, up.cross(x)


ELEVATIONS = {1: (25,), 2: (60, -15), 3: (65, -10, -85)}
"""Slope of the links after the first, second, third joint that bends the arm up and down [deg]."""
HEADINGS = (35, 80, 20)
"""Direction of the links of an arm that moves in one plane [deg]."""
LEVEL_HEADINGS = (-20, 40, 0)
"""The same where the plane is level and the arm also moves up and down [deg]."""
SLIDE = 0.45
"""A slide without limits comes out by this part of the arm's extent."""
STEPS = 72
MANY = 20
"""Joints, from the base on, that are considered."""


def presentable_pose(arm: Arm) -> tuple[float, ...]:
    """Coordinates of a pose in which most joints can be distinguished, within the limits."""
    joints = {body.joint.name: body.joint for body in arm.bodies if body.joint.coupling is None}
    ranges = {name: _range(arm, joints[name]) for name in arm.coordinates if name in joints}
    q = dict.fromkeys(arm.coordinates, 0.0)
    for name, (lower, upper) in ranges.items():
        if abs(lower + upper) > 0.3 * (upper - lower):
            q[name] = (lower + upper) / 2
    drawn_in = posed(arm, list(q.values()))
    is_point = all(distance(joint.origin, drawn_in.base.position) < 1e-9 for joint in drawn_in.joints)
    size = drawn_in.extent * (3 if is_point else 1)  # an arm that is all slide has only its centres of mass to go by
    for name, (lower, upper) in ranges.items():
        if joints[name].kind.only_slides:
            q[name] = SLIDE * size if lower == upper else lower + 0.6 * (upper - lower)
    _bend(arm, q, ranges)
    return tuple(round(value, 4) for value in q.values())


def _range(arm: Arm, joint: Joint) -> tuple[float, float]:
    """The limits; half a turn either way, or nothing for a slide, where they are missing."""
    room = math.pi if joint.kind.turns else 0.0
    lower = -room if joint.limits.lower is None else to_float(joint.limits.lower, arm.defaults)
    upper = room if joint.limits.upper is None else to_float(joint.limits.upper, arm.defaults)
    return (lower, upper) if math.isfinite(lower) and math.isfinite(upper) else (-room, room)


def _bend(arm: Arm, q: dict[str, float], ranges: Mapping[str, tuple[float, float]]) -> None:
    """Turns joints one after the other, so that the next point of the arm lies in the wanted direction."""
    here = posed(arm, list(q.values()))
    turning, wanted, ahead, aside = _plan(here)
    for i, joint in enumerate(turning):
        if joint.name in ranges:
            angle = math.radians(wanted[min(i, len(wanted) - 1)])
            direction = ahead * math.cos(angle) + aside * math.sin(angle)
            now = next(other for other in posed(arm, list(q.values())).joints if other.name == joint.name)
            pieces = _pieces(posed(arm, list(q.values())), now)
            piece = pieces[-1] if len(turning) > 2 and joint is turning[-1] else pieces[0]  # the last one aims the tool
            q[joint.name] = _best_turn(now.axis, piece, q[joint.name], direction, ranges[joint.name])


def _plan(here: PosedArm) -> tuple[list[PlacedJoint], Sequence[float], Vec3, Vec3]:
    """The joints to turn, the directions their links should take, and the plane those directions lie in."""
    up = here.up
    turning = [joint for joint in here.joints if joint.kind.turns]
    swings = [joint for joint in turning[:MANY] if _pieces(here, joint)]
    parents = [joint.parent for joint in here.joints]
    if not swings or len(set(parents)) < len(parents):  # in a tree no one plane is the one to bend in
        return [], (0,), up, up
    normal = next((joint for joint in swings if abs(joint.axis @ up) < 0.5), swings[0]).axis
    bending = [joint for joint in swings if abs(joint.axis @ normal) > 0.9]
    if abs(normal @ up) < 0.5:
        aside = unit(up - normal * (up @ normal))
        is_planar = all(abs(joint.axis @ normal) > 0.99 for joint in turning)
        wanted: Sequence[float] = HEADINGS if is_planar else ELEVATIONS[min(len(bending), 3)]
        ahead = aside.cross(normal)
        return bending, wanted, ahead if ahead.x + 0.5 * ahead.y >= 0 else -ahead, aside
    ahead, aside = level(normal)
    is_spatial = any(j.kind.only_slides and abs(j.axis @ normal) > 0.5 for j in here.joints)
    return bending, LEVEL_HEADINGS if is_spatial else HEADINGS, ahead, aside


def _pieces(here: PosedArm, joint: PlacedJoint) -> list[Vec3]:
    """The straight pieces of arm that turning a joint turns, in order; else the way to a centre of mass beyond it."""
    beyond = {joint.body: None}
    points = [joint.origin]
    for other in here.joints:
        if other.parent in beyond:
            beyond[other.body] = None
            points += [other.seat, other.origin]
    points += [tip for body in beyond for tip in here.tips[body]]

    def turned(pieces: Iterable[Vec3]) -> list[Vec3]:
        least = 0.04 * here.extent
        return [piece for piece in pieces if math.hypot(*(piece - joint.axis * (piece @ joint.axis))) > least]

    centres = [dot.at - joint.origin for dot in here.masses if dot.body in beyond]
    return turned(b - a for a, b in pairwise(points)) or turned(centres)


def _best_turn(axis: Vec3, piece: Vec3, at: float, direction: Vec3, limits: tuple[float, float]) -> float:
    """The angle, a little inside the limits, that points a piece of arm most nearly in a direction; now it is `at`."""
    axial = axis * (piece @ axis)
    radial, length = piece - axial, math.hypot(*piece)
    tangent = axis.cross(radial)
    lower, upper = limits if limits[1] - limits[0] < 2 * math.pi else (-math.pi, math.pi)
    lower, upper = lower + 0.03 * (upper - lower), upper - 0.03 * (upper - lower)

    def quality(angle: float) -> float:
        turned = axial + radial * math.cos(angle - at) + tangent * math.sin(angle - at)
        return float(turned @ direction) / length - 0.01 * abs(angle)

    return max((lower + (upper - lower) * k / STEPS for k in range(STEPS + 1)), key=quality)
