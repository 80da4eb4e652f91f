"""The screws of any serial arm, from its joint axes at q = 0."""

from __future__ import annotations

from leverarm.errors import ArmError, unknown_name
from leverarm.formats.roll_pitch_yaw import placement_from_pose
from leverarm.formats.screws.table import FORMS, Form, ScrewFrame, ScrewLink, ScrewTable
from leverarm.formats.serial import SerialLink, about_com, serial_chain
from leverarm.model import Arm, JointKind
from leverarm.spatial import HERE, ORIGIN, Motion, Pose


def to_screws(arm: Arm, form: Form = "space") -> ScrewTable:
    """The screws, home poses and inertias of a serial arm; `arm_from_screws` makes the same arm of them again.

    S_i = (w, -w x q + pitch w) for an axis w through q, (0, w) where the joint slides, all in the base frame; in body
    form B_i = Ad(M^-1) S_i. The link frames are the arm's body frames. Numeric: symbols take their defaults. Raises
    FormatError for branches and couplings.
    """
    if form not in FORMS:
        raise ArmError("form: " + unknown_name("choice", str(form), FORMS))
    chain = serial_chain(arm, "screws")
    n = len(chain.links)
    tool = chain.tool.base_from_frame if chain.tool.link == n else chain.links[-1].base_from_link
    automatic = {f"frame{i}" for i in range(1, n + 1)}
    frames = [frame for frame in chain.frames if frame.name not in automatic]
    if chain.tool.link != n:
        frames.append(chain.tool)
    homes = [HERE, *(link.base_from_link for link in chain.links)]
    return ScrewTable(
        links=tuple(_link(link, tool, form) for link in chain.links),
        tool=tool,
        form=form,
        name=arm.name,
        gravity=chain.gravity,
        base=chain.base,
        frames=tuple(
            ScrewFrame(frame.name, frame.link, placement_from_pose(homes[frame.link].inverse() * frame.base_from_frame))
            for frame in frames
        ),
        coordinates=arm.coordinates if arm.coordinates != tuple(link.joint.name for link in chain.links) else (),
        base_name=arm.base,
        title=arm.title,
        source=arm.source,
        licence=arm.licence,
    )


def _link(link: SerialLink, tool: Pose, form: Form) -> ScrewLink:
    joint, w = link.joint, link.axis
    turning = ORIGIN if joint.kind is JointKind.PRISMATIC else w
    screw = Motion(turning, link.base_from_link.position.cross(turning) + w * link.slide)
    return ScrewLink(
        screw=screw if form == "space" else tool.motion_into_child(screw),
        home=link.base_from_link,
        mass_properties=about_com(link.inertia, HERE),
        name=joint.name,
        link=link.name,
        kind=joint.kind,
        limits=joint.limits,
        friction=joint.friction,
        motor=joint.motor,
        force=joint.force,
    )
