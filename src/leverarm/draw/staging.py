"""From an arm and a pose to a scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leverarm.draw.pose import presentable_pose
from leverarm.draw.posed import posed
from leverarm.draw.routing import links_and_joints
from leverarm.draw.scene import Scene, Triad
from leverarm.errors import InputError, unknown_name
from leverarm.model import Arm
from leverarm.spatial import Pose

MARK = 0.03
"""Size of a joint's marker as a part of the arm's extent."""


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
        if name not in arm.frames:
            raise InputError(f"arm {arm.name!r}: " + unknown_name("frame", name, arm.frames))
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
