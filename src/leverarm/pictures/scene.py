"""An arm in one pose as things to draw: links, joints, frames and centres of mass, in space, as plain data.

Links follow the joint axes and their common normals, as real arms and DH tables do. A joint may be shown anywhere on
its axis: one that shares its origin with another (a shoulder, a wrist) moves along its axis into the link, where it can
be seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from leverarm.errors import require_known
from leverarm.model import Arm, JointKind
from leverarm.pictures.pose import MassDot, PlacedJoint, PosedArm, against, distance, posed, presentable_pose
from leverarm.spatial import Pose, Vec3

MARK = 0.03
"""Size of a joint's marker as a part of the arm's extent."""
AXIS = 2.8
"""Length of a frame's axes in joint markers."""
DETOUR = 1.75
"""A route this many times the straight line is not taken; three legs at right angles are at most sqrt(3) times it."""
ROOM = 3.2
"""A joint moves into a straight piece of link that is at least this many markers long."""

Route = tuple[Vec3, ...]


@dataclass(frozen=True, slots=True)
class JointMark:
    """A joint: its name, how it moves, a point of its axis where it is shown, and the axis as a unit vector."""

    name: str
    kind: JointKind
    at: Vec3
    axis: Vec3


@dataclass(frozen=True, slots=True)
class LinkPath:
    """A piece of a body as a chain of points. `is_rod` marks the part that slides out of a prismatic joint."""

    body: str
    points: tuple[Vec3, ...]
    is_rod: bool = False


@dataclass(frozen=True, slots=True)
class Triad:
    """A frame: the names that share it, its origin, and its axes as unit vectors."""

    names: tuple[str, ...]
    origin: Vec3
    axes: tuple[Vec3, Vec3, Vec3]


@dataclass(frozen=True, slots=True)
class Scene:
    """An arm in one pose, in world coordinates [m].

    `mark` is the size of a joint's marker [m]. The base comes first in `triads`.
    """

    name: str
    title: str
    coordinates: tuple[str, ...]
    q: tuple[float, ...]
    links: tuple[LinkPath, ...]
    joints: tuple[JointMark, ...]
    triads: tuple[Triad, ...]
    masses: tuple[MassDot, ...]
    gravity: Vec3
    mark: float

    @property
    def base(self) -> Triad:
        return self.triads[0]

    @property
    def up(self) -> Vec3:
        """Against gravity; the base's z where there is none."""
        return against(self.gravity, self.base.axes[2])

    @property
    def points(self) -> tuple[Vec3, ...]:
        """Every point of the arm itself."""
        return (
            *(point for link in self.links for point in link.points),
            *(joint.at for joint in self.joints),
            *(triad.origin for triad in self.triads),
            *(dot.at for dot in self.masses),
        )


def scene_of(arm: Arm, q: Sequence[float] | None = None, frames: Sequence[str] = ()) -> Scene:
    """The arm at q, or in a presentable pose. `frames` are shown besides the base, the tool and the tips.

    Raises InputError for a q of the wrong length or with a number that is not finite, and for an unknown frame.
    """
    values = presentable_pose(arm) if q is None else q
    here = posed(arm, values)
    mark = MARK * here.extent
    links, joints = links_and_joints(here, arm.base, mark)
    return Scene(
        name=arm.name,
        title=arm.title,
        coordinates=arm.joint_names,
        q=tuple(float(value) for value in values),
        links=links,
        joints=joints,
        triads=_triads(arm, here.poses, frames),
        masses=here.masses,
        gravity=here.gravity,
        mark=mark,
    )


def _triads(arm: Arm, poses: Mapping[str, Pose], also: Sequence[str]) -> tuple[Triad, ...]:
    """The base, the tool, the frames at the tips, and those asked for; frames that coincide share a triad."""
    for name in also:
        require_known("frame", name, arm.frames, f"arm {arm.name!r}")
    inner = {body.parent for body in arm.bodies}
    at_tips = [frame.name for frame in arm.named_frames if frame.body not in inner]
    shared: dict[tuple[float, ...], list[str]] = {}
    for name in dict.fromkeys((arm.base, arm.tool, *at_tips, *also)):
        pose = poses[name]
        entries = (*pose.position, *pose.rotation.r0, *pose.rotation.r1, *pose.rotation.r2)
        shared.setdefault(tuple(round(float(entry), 9) for entry in entries), []).append(name)
    return tuple(_triad(names, poses[names[0]]) for names in shared.values())


def _triad(names: list[str], pose: Pose) -> Triad:
    columns = pose.rotation.transposed()
    return Triad(tuple(names), pose.position, (columns.r0, columns.r1, columns.r2))


def route(a: Vec3, along_a: Vec3, b: Vec3, along_b: Vec3) -> Route:
    """From a point of one axis to a point of another: along the first axis, the common normal, then the second axis.

    Parallel axes have many common normals: the one at `a` is taken. A single point where a and b coincide.
    """
    straight = b - a
    length = math.hypot(*straight)
    if length < 1e-9:
        return (a,)
    cosine = along_a @ along_b
    if 1 - abs(cosine) < 1e-6:
        corners = [b - along_b * (straight @ along_b)]
    else:
        s, t = straight @ along_a, straight @ along_b
        scale = 1 / (1 - cosine * cosine)
        corners = [a + along_a * ((s - cosine * t) * scale), b + along_b * ((cosine * s - t) * scale)]
    kept = [a]
    for corner in corners:
        if min(distance(corner, kept[-1]), distance(corner, b)) > 0.02 * length:
            kept.append(corner)
    kept.append(b)
    travelled = sum(distance(p, r) for p, r in pairwise(kept))
    return tuple(kept) if travelled < DETOUR * length else (a, b)


def links_and_joints(here: PosedArm, base: str, mark: float) -> tuple[tuple[LinkPath, ...], tuple[JointMark, ...]]:
    """The pieces of every body, and the joints between them."""
    axes = {base: here.base.rotation @ Vec3(0, 0, 1)} | {joint.body: joint.axis for joint in here.joints}
    starts = {base: here.base.position} | {joint.body: joint.origin for joint in here.joints}
    incoming = {j.body: route(starts[j.parent], axes[j.parent], j.seat, j.axis) for j in here.joints}
    tips = _tips(here, mark)
    links: list[LinkPath] = []
    marks: list[JointMark] = []
    begun: dict[str, Route] = {}
    rods: dict[str, Route] = {}
    outgoing: dict[str, list[Route]] = {name: [] for name in starts}
    for joint in here.joints:
        outgoing[joint.parent].append(incoming[joint.body])
    for body, tip in tips:
        outgoing[body].append(tip)
    seated = Counter(_spot(joint.seat, mark) for joint in here.joints)
    for joint in here.joints:
        way, onward = incoming[joint.body], outgoing[joint.body]
        rod = (joint.seat, joint.origin)
        has_rod = distance(*rod) > 1e-9
        is_crowded = seated[_spot(joint.seat, mark)] > 1
        at, is_inside = _shown_at(joint, way, [rod] if has_rod else onward, is_crowded, mark)
        if is_crowded and at is joint.seat and len(way) == 1 and joint.parent in rods:
            at = _back_on_rod(joint, rods[joint.parent], mark)
        links.append(LinkPath(joint.parent, begun.pop(joint.parent, ()) + ((*way[:-1], at) if is_inside else way)))
        if is_inside and onward and not has_rod:
            begun[joint.body] = (at,)
        elif is_inside:
            links.append(LinkPath(joint.body, (at, way[-1])))
        if has_rod:
            rods[joint.body] = rod
            links.append(LinkPath(joint.body, rod, is_rod=True))
        marks.append(JointMark(joint.name, joint.kind, at, joint.axis))
    links.extend(LinkPath(body, begun.pop(body, ()) + tip) for body, tip in tips)
    return tuple(link for link in links if len(link.points) > 1), tuple(marks)


def _spot(point: Vec3, mark: float) -> tuple[int, ...]:
    """The same for points that coincide."""
    return tuple(round(float(part) / mark) for part in point)


def _shown_at(
    joint: PlacedJoint, way: Route, onward: Sequence[Route], is_crowded: bool, mark: float
) -> tuple[Vec3, bool]:
    """The point of its axis where a joint is shown, and whether that is inside the last piece of the way to it."""
    if joint.kind.moves:
        if len(way) > 1 and _runs_along(way[-2], way[-1], joint.axis, mark):
            return (way[-2] + way[-1]) * 0.5, True
        for ahead in onward if is_crowded else ():
            if len(ahead) > 1 and _runs_along(ahead[0], ahead[1], joint.axis, mark):
                return (ahead[0] + ahead[1]) * 0.5, False
    return joint.seat, False


def _back_on_rod(joint: PlacedJoint, rod: Route, mark: float) -> Vec3:
    """A joint at the end of the rod it turns about is shown a little way back on it."""
    start, end = rod
    if not joint.kind.moves or not _runs_along(start, end, joint.axis, 2 * mark):
        return joint.seat
    return end + (start - end) * (2.6 * mark / distance(start, end))


def _runs_along(a: Vec3, b: Vec3, axis: Vec3, mark: float) -> bool:
    length = distance(a, b)
    return length > ROOM * mark and abs((b - a) @ axis) > 0.999 * length


def _tips(here: PosedArm, mark: float) -> list[tuple[str, Route]]:
    """The last body of each branch reaches to its frames, or to its centre of mass where it has none."""
    inner = {joint.parent for joint in here.joints}
    centres = {dot.body: dot.at for dot in here.masses}
    ways: list[tuple[str, Route]] = []
    for joint in here.joints:
        if joint.body in inner:
            continue
        ends = here.tips[joint.body] or tuple(centres[name] for name in (joint.body,) if name in centres)
        shown = [joint.origin]
        for end in ends:
            if distance(end, joint.origin) > 1e-9 and all(distance(end, other) > 0.1 * mark for other in shown):
                shown.append(end)
                axial = joint.origin + joint.axis * ((end - joint.origin) @ joint.axis)
                is_corner = min(distance(axial, joint.origin), distance(axial, end)) > 0.1 * mark
                ways.append((joint.body, (joint.origin, axial, end) if is_corner else (joint.origin, end)))
    return ways
