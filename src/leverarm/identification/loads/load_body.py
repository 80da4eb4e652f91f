"""The load as a body: its columns at a frame of the arm, its ten inertial parameters, the arm without it.

`AttachedBody` gives the columns of a body fixed to a frame. `estimates_of` turns ten fitted parameters into mass,
centre and inertia with errors; `consistent_body` is the nearest physically consistent body. `ArmAlone` holds the base
parameters of the unloaded arm, with their uncertainty while the load is carried.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array, IntArray
from leverarm.errors import InputError
from leverarm.identification.estimates import estimate
from leverarm.identification.estimation.consistent_fit import consistent_fit
from leverarm.identification.modelling.regressor_columns import Columns
from leverarm.identification.motions import Motion
from leverarm.identification.result import Estimates, Identified
from leverarm.mechanics import parameters
from leverarm.mechanics.regressor import UNIT_INERTIAS
from leverarm.model import WORLD, Arm, Body, Frame, Joint, JointKind, MassProperties, Placement, bind
from leverarm.quantities.arrays import frame_name, numbers
from leverarm.spatial import Inertia

SIX = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))
"""Places in a tensor of Ixx, Ixy, Iyy, Ixz, Iyz, Izz: the order of a body's ten numbers."""


@dataclass(frozen=True, slots=True)
class AttachedBody:
    """A frame, the place of its link's ten parameters, and link = into_link @ body."""

    frame: str
    place: slice
    into_link: Array

    def columns(self, links: Array) -> Array:
        """Columns (..., 10) of the body's parameters about the frame's origin, from the links' (..., 10 links)."""
        return np.asarray(links[..., self.place] @ self.into_link)


def attached_body(arm: Arm, frame: str | None) -> AttachedBody:
    """A body at a frame; by default the tool, or the last body that moves where the tool does not.

    Raises InputError for a frame that no joint moves.
    """
    places = bind(arm).attachments
    moving = [body.name for body in arm.bodies if places[body.name].link != WORLD]
    name = frame_name(arm, frame)
    if frame is None and places[name].link == WORLD and moving:
        name = moving[-1]
    at = places[name]
    if at.link == WORLD:
        raise InputError(f"frame {name!r} does not move, so a body there changes no torque. Choose a frame that moves.")
    moved = [[float(x) for x in unit.into_parent(at.pose).numbers()] for unit in UNIT_INERTIAS]
    return AttachedBody(name, slice(10 * at.link, 10 * at.link + 10), np.array(moved).T)


def ten_numbers(mass: float, com: ArrayLike, inertia: ArrayLike | None) -> Array:
    """m, m c and the six moments about the origin of a body: mass [kg], centre [m], tensor about it [kg m^2].

    A point without a tensor. Raises InputError for parameters that no body has.
    """
    (m,) = numbers("load: mass", [mass], ("mass",))
    c = np.array(numbers("load: com", com, ("x", "y", "z")))
    tensor = np.zeros((3, 3)) if inertia is None else np.asarray(inertia, dtype=np.float64)
    if tensor.shape != (3, 3) or not np.isfinite(tensor).all() or not np.allclose(tensor, tensor.T):
        raise InputError(f"load: inertia = {inertia!r}; it takes a symmetric 3 x 3 tensor about the centre of mass.")
    if m <= 0 or np.linalg.eigvalsh(tensor)[0] < -1e-12 * np.abs(tensor).max():
        raise InputError(f"load: mass = {m:g} kg; the mass must be positive and the inertia positive semidefinite.")
    about_origin = tensor + m * (c @ c * np.eye(3) - np.outer(c, c))
    return np.array([m, *(m * c), *(about_origin[i, j] for i, j in SIX)])


def with_body(arm: Arm, frame: str, ten: Array) -> Arm:
    """The arm with a body of ten inertial parameters fixed to a frame; the tool frame stays the same."""
    name = "payload"
    taken = {*arm.frames, *(body.joint.name for body in arm.bodies)}
    while name in taken or f"{name}_weld" in taken:
        name = f"{name}_"
    place = next((f for f in arm.named_frames if f.name == frame), None)
    parent, placement = (frame, Placement()) if place is None else (place.body, place.placement)
    joint = Joint(f"{name}_weld", JointKind.FIXED, placement)
    load = Body(name, parent, joint, MassProperties.from_inertia(Inertia.from_numbers(*ten.tolist())))
    # where no frame is called so the last body is the tool, which the load now is
    tool = () if arm.tool == "tool" else (Frame("tool", arm.tool),)
    return replace(arm, bodies=(*arm.bodies, load), named_frames=(*arm.named_frames, *tool))


NAMES = ("mass", "com.x", "com.y", "com.z", *(f"inertia.{'xyz'[i]}{'xyz'[j]}" for i, j in SIX))
UNITS = ("kg", "m", "m", "m", *("kg m^2",) * 6)
DENSITY = 1000.0
"""[kg/m^3] of the ball assumed where the inertia is not identifiable."""
UNKNOWN_MASS, LIGHTEST = 1.0, 1e-6
"""[kg] of that ball where the mass is not identifiable: its error, within these bounds."""
ROUNDING = 1e-9
"""Of a parameter's size: none is assumed to be known better."""
REGULARISATION = 0.1
"""Towards that ball, in units of chi squared: it decides only what the torques leave open."""


def mass_centre_inertia(ten: Array) -> Array:
    """(10,): mass [kg], centre of mass [m], six moments about it [kg m^2], from m, m c and six about the origin."""
    m, h = ten[0], ten[1:4]
    return np.array([m, *(h / m), *(ten[4:] - _parallel_axis(h, h) / m)])


def slopes(ten: Array) -> Array:
    """(10, 10): the Jacobian of mass, centre and moments about it with respect to the ten parameters."""
    m, h = ten[0], ten[1:4]
    found = np.zeros((10, 10))
    found[0, 0] = 1.0
    found[1:4, 0], found[1:4, 1:4] = -h / m**2, np.eye(3) / m
    found[4:, 0] = _parallel_axis(h, h) / m**2
    found[4:, 1:4] = np.stack([-2 * _parallel_axis(h, unit) / m for unit in np.eye(3)], axis=1)
    found[4:, 4:] = np.eye(6)
    return found


def tensor_of(six: Array) -> Array:
    """The 3 x 3 tensor of xx, xy, yy, xz, yz, zz."""
    xx, xy, yy, xz, yz, zz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def consistent_body(ten: Array, covariance: Array, precision: Array) -> tuple[Array, float]:
    """The ten parameters of the likeliest physically consistent body, and its chi squared."""
    ball = _ball(ten, _error_of_mass(covariance))
    sizes = np.maximum(np.abs(ball), np.array([ball[0], *(ball[0] * _radius(ball[0]),) * 3, *(ball[4:].max(),) * 6]))
    # logs without noise: rounding is larger than the errors, and must not be taken for a contradiction
    H = precision / max(1.0, ROUNDING**2 * float(np.max(np.diag(precision) * sizes**2)))
    values = consistent_fit(H, H @ ten, ball, [slice(0, 10)], (), REGULARISATION).values
    off = values - ten
    return values, float(off @ H @ off)


def estimates_of(ten: Array, covariance: Array, possible: Array) -> Estimates:
    """The table of mass, centre and inertia: least squares with 95 % intervals, next to the consistent body."""
    # without a mass there is no centre: linearise about the consistent body
    about = ten if ten[0] > 2 * _error_of_mass(covariance) else possible
    values, consistent = mass_centre_inertia(about), mass_centre_inertia(possible)
    values[0] = ten[0]
    J = slopes(about)
    errors = np.sqrt(np.maximum(np.diag(J @ covariance @ J.T), 0.0))
    sizes = _sizes(possible)
    alone = [((1.0, name),) for name in NAMES]
    rows = zip(NAMES, UNITS, values, errors, sizes, np.zeros(10), consistent, alone, strict=True)
    return Estimates(estimate(*row) for row in rows)


def _parallel_axis(a: Array, b: Array) -> Array:
    """Six entries of (a . b) 1 - (a b^T + b a^T) / 2."""
    tensor = a @ b * np.eye(3) - (np.outer(a, b) + np.outer(b, a)) / 2
    return np.array([tensor[i, j] for i, j in SIX])


def _error_of_mass(covariance: Array) -> float:
    return math.sqrt(max(float(covariance[0, 0]), 0.0))


def _radius(mass: float) -> float:
    return float((3 * mass / (4 * math.pi * DENSITY)) ** (1 / 3))


def _ball(ten: Array, error: float) -> Array:
    """A solid ball of the mass found, around the centre found where there is one."""
    is_there = ten[0] > 2 * error
    mass = float(ten[0]) if is_there else min(max(error, LIGHTEST), UNKNOWN_MASS)
    com = ten[1:4] / ten[0] if is_there else np.zeros(3)
    return ten_numbers(mass, com, 0.4 * mass * _radius(mass) ** 2 * np.eye(3))


def _sizes(possible: Array) -> Array:
    """The scale of each parameter: the mass, the distance or size of the body, its mean moment."""
    found = mass_centre_inertia(possible)
    distance = max(float(np.linalg.norm(found[1:4])), _radius(float(found[0])))
    moment = float(np.mean([found[4], found[6], found[9]]))
    return np.array([found[0], *(distance,) * 3, *(moment,) * 6])


FRICTION = ("viscous", "coulomb", "offset")


@dataclass(frozen=True, slots=True)
class ArmAlone:
    """Base parameters of the unloaded arm: which columns they are (b,), their values (b,) and covariance (b, b).

    `friction` (b,) is the size of what may change between two logs with temperature and load: that of the joint's
    friction, zero for parameters of bodies.
    """

    names: tuple[str, ...]
    columns: IntArray
    values: Array
    covariance: Array
    friction: Array


def identified_alone(result: Identified, columns: Columns) -> ArmAlone:
    """As identified from a log without load: friction may change by a fraction of itself."""
    found = result.parameters
    values, at = np.array([entry.value for entry in found]), _places(found, columns)
    joints = [name.rpartition(".")[0] for name in found.names]
    dry = {
        joint: abs(entry.value)
        for joint, entry in zip(joints, found, strict=True)
        if entry.name.endswith((".coulomb", ".motor_coulomb"))
    }
    size = np.zeros(len(values))
    for i, column in enumerate(at):
        kind = columns.kinds[column]
        if kind in ("viscous", "coulomb"):
            size[i] = abs(values[i])
        elif kind == "offset":
            size[i] = dry.get(joints[i], 0.0)
    return ArmAlone(found.names, at, values, result.covariance, size)


def described_alone(arm: Arm, result: Identified, columns: Columns, motion: Motion) -> ArmAlone:
    """As an arm is described, with exact bodies; its friction is only a starting point.

    Rotors that it does not describe are open too. `result` was identified from the log with the load, and lends its
    base parameters.
    """
    own = {entry.name: float(entry.value) for entry in parameters(bind(arm))}
    regroups = regrouping(result.parameters, columns.names)
    values = regroups @ np.array([own.get(name, 0.0) for name in columns.names])
    pairs = zip(columns.names, columns.kinds, strict=True)
    is_open = [kind in FRICTION or (kind == "rotor" and name not in own) for name, kind in pairs]
    torque = np.sqrt(np.mean(motion.tau**2, axis=0))
    acts = np.sqrt(np.mean(columns.W[:, :, is_open] ** 2, axis=0))
    # what alone would make up the whole torque: more than any friction or rotor does
    largest = np.max(np.where(acts > 0, torque[:, None] / np.where(acts > 0, acts, 1.0), 0.0), axis=0)
    spread, found = regroups[:, is_open] * largest, result.parameters
    return ArmAlone(found.names, _places(found, columns), values, spread @ spread.T, np.zeros(len(values)))


def regrouping(parameters: Estimates, names: Sequence[str]) -> Array:
    """(b, p): base parameters from the parameters of some names."""
    place = {name: i for i, name in enumerate(names)}
    found = np.zeros((len(parameters), len(names)))
    for row, entry in zip(found, parameters, strict=True):
        for factor, name in entry.combination:
            if name in place:
                row[place[name]] = factor
    return found


def _places(parameters: Estimates, columns: Columns) -> IntArray:
    place = {name: i for i, name in enumerate(columns.names)}
    return np.array([place[name] for name in parameters.names], dtype=np.int64)
