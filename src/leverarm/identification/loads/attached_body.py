"""A body fixed to a frame of an arm: the columns of its ten numbers, and the arm with it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.evaluate.arrays import frame_name, numbers
from leverarm.mechanics.regressor import UNIT_INERTIAS
from leverarm.model import WORLD, Arm, Body, Frame, Joint, JointKind, MassProperties, Placement, bind
from leverarm.spatial import Inertia, Symmetric3, Vec3

SIX = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))
"""Places in a tensor of Ixx, Ixy, Iyy, Ixz, Iyz, Izz: the order of a body's ten numbers."""


@dataclass(frozen=True, slots=True)
class AttachedBody:
    """A frame, the place of its link's ten numbers among those of all links, and link_numbers = into_link @ numbers."""

    frame: str
    place: slice
    into_link: Array

    def columns(self, links: Array) -> Array:
        """Columns (..., 10) of the body's numbers about the frame's origin, from those of the links (..., 10 links)."""
        return np.asarray(links[..., self.place] @ self.into_link)


def attached_body(arm: Arm, frame: str | None) -> AttachedBody:
    """A body at a frame; unless named at the tool, or at the last body that moves where the tool does not.

    Raises InputError for a frame that no joint moves.
    """
    places = bind(arm).attachments
    moving = [body.name for body in arm.bodies if places[body.name].link != WORLD]
    name = frame_name(arm, frame)
    if frame is None and places[name].link == WORLD and moving:
        name = moving[-1]
    at = places[name]
    if at.link == WORLD:
        raise InputError(
            f"frame {name!r} does not move, so that a body there changes no torque. Take a frame that moves."
        )
    moved = [[float(x) for x in unit.into_parent(at.pose).numbers()] for unit in UNIT_INERTIAS]
    return AttachedBody(name, slice(10 * at.link, 10 * at.link + 10), np.array(moved).T)


def ten_numbers(mass: float, com: ArrayLike, inertia: ArrayLike | None) -> Array:
    """m, m c and the six moments about the origin of a body: mass [kg], centre [m], tensor about it [kg m^2].

    A point without a tensor. Raises InputError for numbers that no body has.
    """
    (m,) = numbers("load: mass", [mass], ("mass",))
    c = np.array(numbers("load: com", com, ("x", "y", "z")))
    tensor = np.zeros((3, 3)) if inertia is None else np.asarray(inertia, dtype=np.float64)
    if tensor.shape != (3, 3) or not np.isfinite(tensor).all() or not np.allclose(tensor, tensor.T):
        raise InputError(f"load: inertia = {inertia!r}; it takes a symmetric 3 x 3 tensor about the centre of mass.")
    if m <= 0 or np.linalg.eigvalsh(tensor)[0] < -1e-12 * np.abs(tensor).max():
        raise InputError(f"load: mass = {m:g} kg; the mass must be positive and the inertia that of a body.")
    about_origin = tensor + m * (c @ c * np.eye(3) - np.outer(c, c))
    return np.array([m, *(m * c), *(about_origin[i, j] for i, j in SIX)])


def with_body(arm: Arm, frame: str, ten: Array, name: str = "payload") -> Arm:
    """The arm with a body of ten numbers welded to a frame; the frame that tools are meant by stays the same."""
    taken = {*arm.frames, *(body.joint.name for body in arm.bodies)}
    while name in taken or f"{name}_weld" in taken:
        name = f"{name}_"
    place = next((f for f in arm.named_frames if f.name == frame), None)
    parent, placement = (frame, Placement()) if place is None else (place.body, place.placement)
    m, *h = (float(x) for x in ten[:4])
    of_body = Inertia(m, Vec3(*h), Symmetric3(*(float(x) for x in ten[4:])))
    joint = Joint(f"{name}_weld", JointKind.FIXED, placement)
    load = Body(name, parent, joint, MassProperties.from_inertia(of_body))
    # where no frame is called so the last body is the tool, which the load now is
    tool = () if arm.tool == "tool" else (Frame("tool", arm.tool),)
    return replace(arm, bodies=(*arm.bodies, load), named_frames=(*arm.named_frames, *tool))
