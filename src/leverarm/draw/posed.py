"""An arm in one pose, every number in the world, before anything is decided about how to draw it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leverarm.draw.scene import MassDot
from leverarm.evaluate import forward_kinematics
from leverarm.model import Arm, JointKind, Valuation
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
        strength = math.hypot(*self.gravity)
        return self.gravity * (-1 / strength) if strength else self.base.rotation @ Vec3(0, 0, 1)


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
